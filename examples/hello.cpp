// hello: the spectrum of a sine on all ranks, and back again.
#include <cmath>
#include <cstdio>
#include <numbers>
#include <weft/weft.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double error = 1;
  {
    auto plan = weft::Plan(MPI_COMM_WORLD, weft::r2c({128, 128, 128}));
    auto u = plan.make_input();  // this rank's boxes, zeroed
    auto v = plan.make_output();
    auto w = plan.make_input();
    for (auto [at, x] : u.points()) x = std::sin(2 * std::numbers::pi * at[0] / 128.0);
    plan.forward(u, v);
    plan.backward(v, w);
    error = weft::max_abs_difference(u, w);
    if (plan.rank() == 0) std::printf("%s\nerror %.2e\n", plan.describe().c_str(), error);
  }
  MPI_Finalize();
  return error < 1e-13 ? 0 : 1;
}
