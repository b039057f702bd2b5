// tests/package/heffte/poisson: a program for heFFTe solves Poisson's equation in a periodic box
// with a transform of real numbers, and compares with the solution it knows.
#include <heffte.h>

#include <cmath>
#include <cstdio>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double error = 1;
  {
    const MPI_Comm comm = MPI_COMM_WORLD;
    const int n = 16, me = heffte::mpi::comm_rank(comm), ranks = heffte::mpi::comm_size(comm);
    const heffte::box3d<> world({0, 0, 0}, {n - 1, n - 1, n - 1});
    const auto grid = heffte::proc_setup_min_surface(world, ranks);
    const auto in = heffte::split_world(world, grid)[static_cast<std::size_t>(me)];
    const auto out = heffte::split_world(world.r2c(0), grid)[static_cast<std::size_t>(me)];
    heffte::fft3d_r2c<heffte::backend::fftw> fft(in, out, 0, comm);
    // The Laplacian of sin(x) cos(2y) sin(3z) is -14 times itself.
    const double h = 2 * std::acos(-1.0) / n;
    std::vector<double> rhs, expected;
    for (int k = in.low[2]; k <= in.high[2]; ++k)
      for (int j = in.low[1]; j <= in.high[1]; ++j)
        for (int i = in.low[0]; i <= in.high[0]; ++i) {
          expected.push_back(std::sin(h * i) * std::cos(2 * h * j) * std::sin(3 * h * k));
          rhs.push_back(-14 * expected.back());
        }
    auto waves = fft.forward(rhs);
    std::size_t at = 0;
    const auto wave = [n](int index) { return index <= n / 2 ? index : index - n; };
    for (int k = out.low[2]; k <= out.high[2]; ++k)
      for (int j = out.low[1]; j <= out.high[1]; ++j)
        for (int i = out.low[0]; i <= out.high[0]; ++i) {
          const double square = wave(i) * wave(i) + wave(j) * wave(j) + wave(k) * wave(k);
          waves[at++] *= square > 0 ? -1 / square : 0;
        }
    const auto solution = fft.backward(waves, heffte::scale::full);
    double mine = 0;
    for (std::size_t i = 0; i < solution.size(); ++i)
      mine = std::max(mine, std::abs(solution[i] - expected[i]));
    MPI_Allreduce(&mine, &error, 1, MPI_DOUBLE, MPI_MAX, comm);
    if (me == 0) std::printf("error %.2e\n", error);
  }
  MPI_Finalize();
  return error < 1e-14 ? 0 : 1;
}
