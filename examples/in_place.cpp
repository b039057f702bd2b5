// in_place: the spectrum takes the memory of the field. output_in shows the memory of u as what
// forward makes of it; once forward has run, u holds no field until backward has brought it back.
// By Parseval, with the norm `ortho`, the sum of |u|^2 is that of |v|^2.
#include <cmath>
#include <cstdio>
#include <numbers>
#include <weft/weft.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double error = 1;
  {
    const std::int64_t n = 40;
    auto problem = weft::c2c({n, n, n});
    problem.in_place = true;
    problem.norm = weft::Norm::ortho;
    auto plan = weft::Plan(MPI_COMM_WORLD, problem);
    auto u = plan.make_input();
    auto v = plan.output_in(u);  // the same memory; plan.make_output() would be memory of its own
    const auto square_sum = [&](auto& field) {
      double mine = 0, all = 0;
      for (auto [at, x] : field.points()) mine += std::norm(x);
      MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, plan.comm());
      return all;
    };
    for (auto [at, x] : u.points())
      x = std::sin(0.1 * double(at[0] * at[1])) + std::complex(0.0, 1.0) * double(at[2] % 7);
    const double before = square_sum(u);
    plan.forward(u, v);
    const double spectrum = square_sum(v);
    plan.backward(v, u);
    const double after = square_sum(u);
    error = std::max(std::abs(spectrum / before - 1), std::abs(after / before - 1));
    if (plan.rank() == 0) std::printf("error %.2e\n", error);
  }
  MPI_Finalize();
  return error < 1e-12 ? 0 : 1;
}
