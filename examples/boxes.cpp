// boxes: the field lies where the application has it. Here every rank has two slabs of planes, far
// apart, and tells weft only its own; the spectrum comes back to the same boxes. The transform of
// exp(2 pi i 4z/n) is one spike, n^3 high, at wave number (0, 0, 4).
#include <cmath>
#include <cstdio>
#include <numbers>
#include <weft/weft.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double error = 1;
  {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const std::int64_t n = 48;
    const auto slab = [&](std::int64_t number) {  // of 2 * ranks slabs
      return weft::Box{{number * n / (2 * ranks), 0, 0}, {(number + 1) * n / (2 * ranks), n, n}};
    };
    auto problem = weft::c2c({n, n, n});
    problem.input = weft::Distribution::of_my_boxes({slab(rank), slab(2 * ranks - 1 - rank)});
    problem.output = weft::Distribution::same;
    auto plan = weft::Plan(MPI_COMM_WORLD, problem);

    auto u = plan.make_input();
    auto v = plan.make_output(), answer = plan.make_output();
    for (auto [at, x] : u.points()) x = std::polar(1.0, 2 * std::numbers::pi * 4 * at[2] / n);
    for (auto [k, x] : answer.points())
      if (k[0] == 0 && k[1] == 0 && k[2] == 4) x = double(n * n * n);
    plan.forward(u, v);
    error = weft::max_abs_difference(v, answer) / double(n * n * n);
    if (rank == 0) std::printf("boxes of rank 0: %zu\nerror %.2e\n", v.boxes().size(), error);
  }
  MPI_Finalize();
  return error < 1e-13 ? 0 : 1;
}
