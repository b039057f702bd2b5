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
    const std::int64_t n = 64, first = rank * n / ranks, last = (rank + 1) * n / ranks;
    std::vector<double> u((last - first) * n * n);  // planes first to last - 1
    const double h = 2 * std::numbers::pi / n;
    const auto x_of = [&](std::size_t i) { return h * double(first + std::int64_t(i) / (n * n)); };
    const auto z_of = [&](std::size_t i) { return h * double(std::int64_t(i) % n); };
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = std::sin(3 * x_of(i)) * std::cos(2 * z_of(i));

    auto problem = weft::r2c({n, n, n});
    problem.input = weft::Distribution::of_my_boxes({weft::Box{{first, 0, 0}, {last, n, n}}});
    auto plan = weft::Plan(MPI_COMM_WORLD, problem);
    auto spectrum = plan.make_output();  // where the planner leaves it
    plan.forward(u.data(), spectrum.data());
    const auto kx = plan.wavenumbers(0);
    for (auto [k, value] : spectrum.points()) value *= std::complex(0.0, double(kx[k[0]]));
    plan.backward(spectrum.data(), u.data());

    for (std::size_t i = 0; i < u.size(); ++i)
      error = std::fmax(error, std::abs(u[i] - 3 * std::cos(3 * x_of(i)) * std::cos(2 * z_of(i))));
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, plan.comm());
    if (rank == 0) std::printf("error %.2e\n", error);
  }
  MPI_Finalize();
  return error < 1e-13 ? 0 : 1;
}
