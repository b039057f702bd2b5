// overlap: while a transform is under way the application computes. start_forward returns at once,
// a call of weft::progress() now and then keeps the messages moving, and wait returns when it has
// ended. The transform of exp(2 pi i 3x/n) is one spike, n^3 high, at wave number (3, 0, 0); the
// work is pi by Leibniz' series.
#include <cmath>
#include <cstdio>
#include <numbers>
#include <weft/weft.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double error = 1, pi = 0;
  {
    const std::int64_t n = 48;
    auto plan = weft::Plan(MPI_COMM_WORLD, weft::c2c({n, n, n}));
    auto u = plan.make_input();
    auto v = plan.make_output(), answer = plan.make_output();
    for (auto [at, x] : u.points()) x = std::polar(1.0, 2 * std::numbers::pi * 3 * at[0] / n);
    for (auto [k, x] : answer.points())
      if (k[0] == 3 && k[1] == 0 && k[2] == 0) x = double(n * n * n);

    auto ticket = plan.start_forward(u, v);
    for (int i = 0; i < 1000000; ++i) {
      pi += (i % 2 == 0 ? 4.0 : -4.0) / (2 * i + 1);
      if (i % 10000 == 0) weft::progress();
    }
    ticket.wait();  // v may be read, and u written, from here on

    error = weft::max_abs_difference(v, answer) / double(n * n * n);
    if (plan.rank() == 0) std::printf("error %.2e, pi = %.5f\n", error, pi);
  }
  MPI_Finalize();
  return error < 1e-13 && std::abs(pi - std::numbers::pi) < 1e-5 ? 0 : 1;
}
