// poisson: -laplace(u) = f on the periodic cube of side 2 pi. In Fourier space it is |k|^2 u = f:
// one transform there, a division, one transform back.
// For f = 14 sin(x) sin(2y) sin(3z) the answer is u = sin(x) sin(2y) sin(3z).
#include <cmath>
#include <cstdio>
#include <numbers>
#include <weft/weft.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int failed = 0;
  {
    const std::int64_t n = 48;
    auto plan = weft::Plan(MPI_COMM_WORLD, weft::r2c({n, n, n}));
    auto f = plan.make_input(), u = plan.make_input(), answer = plan.make_input();
    auto spectrum = plan.make_output();
    const double h = 2 * std::numbers::pi / n;
    for (auto [at, x] : answer.points())
      x = std::sin(h * at[0]) * std::sin(2 * h * at[1]) * std::sin(3 * h * at[2]);
    for (auto [at, x] : f.points())
      x = 14 * std::sin(h * at[0]) * std::sin(2 * h * at[1]) * std::sin(3 * h * at[2]);

    plan.forward(f, spectrum);
    const auto kx = plan.wavenumbers(0), ky = plan.wavenumbers(1), kz = plan.wavenumbers(2);
    for (auto [k, x] : spectrum.points()) {
      const auto a = kx[k[0]], b = ky[k[1]], c = kz[k[2]];
      const double square = double(a * a + b * b + c * c);
      x = square == 0 ? 0 : x / square;  // the mean of u is ours to choose
    }
    plan.backward(spectrum, u);

    const double error = weft::max_abs_difference(u, answer);
    if (plan.rank() == 0) std::printf("largest error %.2e\n", error);
    failed = error < 1e-13 ? 0 : 1;
  }
  MPI_Finalize();
  return failed;
}
