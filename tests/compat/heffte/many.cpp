// tests/compat/heffte/many: 2000 plans made, run and destroyed leave no communicator, no descriptor
// and no memory.

#include <dirent.h>
#include <unistd.h>

#include "direct.h"

using namespace direct;

namespace {

long descriptors() {
  long count = 0;
  DIR* folder = opendir("/proc/self/fd");
  while (readdir(folder) != nullptr) ++count;
  closedir(folder);
  return count;
}

/// Memory of this process, in bytes.
double resident() {
  std::ifstream file("/proc/self/statm");
  double all = 0, pages = 0;
  file >> all >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// Plans of communicators that are freed before and after them, as in programs that plan anew.
void make(int count, int seed) {
  const int ranks = heffte::mpi::comm_size(MPI_COMM_WORLD);
  const auto me = static_cast<std::size_t>(heffte::mpi::world_rank());
  for (int i = 0; i < count; ++i) {
    const Grid grid{{{4 + (seed + i) % 3, 3, 5}}};
    const Box in = heffte::split_world(grid.world({{0, 1, 2}}), {{1, 1, ranks}})[me];
    const Box out = heffte::split_world(grid.world({{2, 1, 0}}), {{ranks, 1, 1}})[me];
    MPI_Comm comm = MPI_COMM_WORLD;
    if (i % 4 == 0) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    {
      heffte::fft3d<heffte::backend::fftw> plan(in, out, comm);
      if (i % 8 == 0) MPI_Comm_free(&comm);
      std::vector<std::complex<double>> u(static_cast<std::size_t>(plan.size_inbox()), 1);
      const auto v = plan.forward(u);
      if (i % 16 == 0) plan.backward(plan.forward(std::vector<float>(u.size(), 1)));
      const bool has_origin = me == 0 && !v.empty();
      expect(!has_origin || std::abs(v[0] - static_cast<double>(grid.points())) < 1e-12,
             "the sum of all points");
    }
    if (i % 8 == 4) MPI_Comm_free(&comm);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  make(200, 0);
  const long before = descriptors();
  const double bytes = resident();
  make(1800, 1);
  expect(descriptors() == before,
         "descriptors are left: " + std::to_string(descriptors() - before));
  // A plan has some 100 kB; MPI itself keeps a little for each communicator there was.
  expect(resident() - bytes < 2e6, "bytes are left: " + std::to_string(resident() - bytes));
  if (heffte::mpi::world_rank(0))
    std::printf("all is as expected: %.0f bytes more\n", resident() - bytes);
  MPI_Finalize();
  return 0;
}
