// placement: which rank holds which piece is yours to say. Here every process grid has two pieces
// for each rank, dealt out in turn, so that neighbours on the grid are on different ranks. The
// transform of exp(2 pi i 5y/n) is one spike, n^3 high, at wave number (0, 5, 0).
#include <cmath>
#include <cstdio>
#include <numbers>
#include <weft/weft.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double error = 1;
  {
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    weft::Options options;
    options.placement = {2 * ranks, [ranks](const weft::Dims& grid, const weft::Dims& piece) {
                           const auto number = weft::ProcessGrid{grid}.piece(piece);  // row-major
                           return static_cast<int>(number % ranks);
                         }};
    const std::int64_t n = 48;
    auto plan = weft::Plan(MPI_COMM_WORLD, weft::c2c({n, n, n}), options);
    auto u = plan.make_input();
    auto v = plan.make_output(), answer = plan.make_output();
    for (auto [at, x] : u.points()) x = std::polar(1.0, 2 * std::numbers::pi * 5 * at[1] / n);
    for (auto [k, x] : answer.points())
      if (k[0] == 0 && k[1] == 5 && k[2] == 0) x = double(n * n * n);
    plan.forward(u, v);
    error = weft::max_abs_difference(v, answer) / double(n * n * n);
    if (plan.rank() == 0) std::printf("%s\nerror %.2e\n", plan.describe().c_str(), error);
  }
  MPI_Finalize();
  return error < 1e-13 ? 0 : 1;
}
