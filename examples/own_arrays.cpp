// own_arrays: a program that has its field in arrays of its own. Every rank has some planes of a
// periodic field in a vector; weft transforms them from there, and back to there, here to take the
// derivative along x of sin(3x) cos(2z), which is 3 cos(3x) cos(2z).
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>
#include <weft/weft.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double error = 0;
  {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const std::int64_t n = 64;
    const weft::Box mine{{rank * n / ranks, 0, 0}, {(rank + 1) * n / ranks, n, n}};  // some planes
    auto problem = weft::r2c({n, n, n});
    problem.input = weft::Distribution::of_my_boxes({mine});
    auto plan = weft::Plan(MPI_COMM_WORLD, problem);

    std::vector<double> u(plan.input().elements);
    const auto points = weft::Points(u.data(), plan.input());  // with their global indices
    const double h = 2 * std::numbers::pi / n;
    for (auto [at, x] : points)
      x = std::sin(3 * h * double(at[0])) * std::cos(2 * h * double(at[2]));
    auto spectrum = plan.make_output();  // where the planner leaves it
    plan.forward(u, spectrum);
    const auto kx = plan.wavenumbers(0);
    for (auto [k, value] : spectrum.points()) value *= std::complex(0.0, double(kx[k[0]]));
    plan.backward(spectrum, u);

    for (auto [at, x] : points)
      error = std::fmax(error, std::abs(x - 3 * std::cos(3 * h * double(at[0])) *
                                                std::cos(2 * h * double(at[2]))));
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, plan.comm());
    if (rank == 0) std::printf("error %.2e\n", error);
  }
  MPI_Finalize();
  return error < 1e-13 ? 0 : 1;
}
