// channel: the slope of a flow between two walls, at y = 1 and y = -1. Along x and z it is
// periodic, so it is a sum of waves; along y it is a polynomial, by its values at the Gauss-Lobatto
// points cos(pi j/(n-1)), which are dense at the walls. Its Chebyshev coefficients give the slope.
// For u = cos(x) exp(y) sin(2z) the slope along y is u itself.
#include <cmath>
#include <cstdio>
#include <numbers>
#include <weft/weft.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int failed = 0, ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  {
    const std::int64_t nx = 24, ny = 25, nz = 32;
    auto problem = weft::r2c({nx, ny, nz});
    problem.bases = weft::parse_bases("fchf");
    // A derivative takes whole lines of coefficients, so the ranks divide x only.
    problem.output = {weft::Distribution::brick, {ranks, 1, 1}};
    auto plan = weft::Plan(MPI_COMM_WORLD, problem);
    auto u = plan.make_input(), slope = plan.make_input();
    auto coefficients = plan.make_output();
    for (auto [at, x] : u.points())
      x = std::cos(2 * std::numbers::pi * at[0] / nx) *
          std::exp(std::cos(std::numbers::pi * at[1] / (ny - 1))) *
          std::sin(4 * std::numbers::pi * at[2] / nz);

    plan.forward(u, coefficients);
    weft::differentiate_chebyshev(coefficients, 1);
    plan.backward(coefficients, slope);

    const double error = weft::max_abs_difference(slope, u);
    if (plan.rank() == 0) std::printf("largest error %.2e\n", error);
    failed = error < 1e-12 ? 0 : 1;
  }
  MPI_Finalize();
  return failed;
}
