// serial: a program without MPI transforms with all of its threads.
#include <cmath>
#include <cstdio>
#include <numbers>
#include <weft/weft.hpp>

int main() {
  constexpr int n = 96, waves = 3;
  weft::Plan plan(weft::r2c({n, n, n}));  // no communicator: this process alone
  auto u = plan.make_input();
  auto v = plan.make_output();
  for (auto [at, x] : u.points()) x = std::cos(2 * std::numbers::pi * waves * at[2] / n);
  plan.forward(u, v);

  // Half of a cosine is at its wavenumber, and the other half at its negative, which r2c omits.
  double error = 0;
  for (auto [k, x] : v.points()) {
    const bool is_peak = k[0] == 0 && k[1] == 0 && k[2] == waves;
    error = std::fmax(error, std::abs(x / std::pow(n, 3) - (is_peak ? 0.5 : 0.0)));
  }
  std::printf("%s\nerror %.2e\n", plan.describe().c_str(), error);
  return error < 1e-13 ? 0 : 1;
}
