// components: a vector field with its components interleaved in memory, u[x][y][z][3], as many
// codes store it. The components are an axis that is not transformed: axes 0, 1 and 2 are. Here the
// curl of (sin z, sin x, sin y) on the periodic cube of side 2 pi: (cos y, cos z, cos x).
#include <cmath>
#include <cstdio>
#include <numbers>
#include <weft/weft.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double error = 1;
  {
    const std::int64_t n = 32;
    auto problem = weft::r2c({n, n, n, 3});
    problem.axes = {0, 1, 2};  // axis 2 is halved, as the last one named
    problem.input = weft::Distribution::slab;
    problem.output = weft::Distribution::slab;  // a point's components together
    auto plan = weft::Plan(MPI_COMM_WORLD, problem);
    auto u = plan.make_input(), curl = plan.make_input(), answer = plan.make_input();
    auto v = plan.make_output();
    const double h = 2 * std::numbers::pi / n;
    for (auto [at, x] : u.points()) x = std::sin(h * double(at[int(at[3] + 2) % 3]));
    for (auto [at, x] : answer.points()) x = std::cos(h * double(at[int(at[3] + 1) % 3]));

    plan.forward(u, v);
    const weft::Wavenumbers k[] = {plan.wavenumbers(0), plan.wavenumbers(1), plan.wavenumbers(2)};
    for (auto [at, w] : v.points().rows()) {  // a row is the three components of one point
      const auto wave = [&, at = at](int axis) {
        // The alternating wave has no derivative among real fields.
        return k[axis].is_nyquist(at[axis]) ? 0.0 : double(k[axis][at[axis]]);
      };
      const std::complex<double> i(0, 1), x = w[0], y = w[1], z = w[2];
      w[0] = i * (wave(1) * z - wave(2) * y);
      w[1] = i * (wave(2) * x - wave(0) * z);
      w[2] = i * (wave(0) * y - wave(1) * x);
    }
    plan.backward(v, curl);
    error = weft::max_abs_difference(curl, answer);
    if (plan.rank() == 0) std::printf("error %.2e\n", error);
  }
  MPI_Finalize();
  return error < 1e-13 ? 0 : 1;
}
