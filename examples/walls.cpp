// walls: -laplace(u) = f in a box that is closed along two axes. Along x, u is 0 at both faces, so
// it is a sum of sines; along y its slope is 0 there, so it is a sum of cosines; along z it is
// periodic. The values are those in the middles of the cells: with n cells, DST-II and DCT-II. For
// f = 17 sin(2x) cos(3y) sin(2z), with x, y and z from 0 to pi, the answer is u = f / 17.
#include <cmath>
#include <cstdio>
#include <numbers>
#include <weft/weft.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int failed = 0;
  {
    const std::int64_t n = 40;
    auto problem = weft::r2c({n, n, n});
    problem.bases = {weft::Basis::dst2, weft::Basis::dct2, weft::Basis::fourier};
    auto plan = weft::Plan(MPI_COMM_WORLD, problem);
    auto f = plan.make_input(), u = plan.make_input();
    auto spectrum = plan.make_output();
    const double h = std::numbers::pi / n;
    const auto answer = [&](const auto& at) {
      return std::sin(2 * h * (at[0] + 0.5)) * std::cos(3 * h * (at[1] + 0.5)) *
             std::sin(2 * h * at[2]);
    };
    for (auto [at, x] : f.points()) x = 17 * answer(at);

    plan.forward(f, spectrum);
    const auto kz = plan.wavenumbers(2);
    for (auto [k, x] : spectrum.points()) {
      // Coefficient i of DST-II is that of sin((i+1)x), of DCT-II that of cos(iy); z has the period
      // pi, so its waves are twice their numbers.
      const double a = double(k[0] + 1), b = double(k[1]), c = 2 * double(kz[k[2]]);
      x /= a * a + b * b + c * c;
    }
    plan.backward(spectrum, u);

    for (auto [at, x] : f.points()) x = answer(at);
    const double error = weft::max_abs_difference(u, f);
    if (plan.rank() == 0) std::printf("largest error %.2e\n", error);
    failed = error < 1e-13 ? 0 : 1;
  }
  MPI_Finalize();
  return failed;
}
