// parseval: sums over the spectrum of a real field. r2c keeps one of each pair of waves k and -k,
// whose coefficients are conjugates: along the halved axis those from 0 to n/2. So a kept wave
// counts twice, unless its partner is kept, too, as where that wavenumber is 0 or n/2. By Parseval,
// with the norm `ortho`, the sum of the squares of the field is that of its coefficients.
#include <cmath>
#include <cstdio>
#include <weft/weft.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double error = 1;
  {
    const std::int64_t n = 24;
    auto problem = weft::r2c({n, n, n});
    problem.norm = weft::Norm::ortho;
    auto plan = weft::Plan(MPI_COMM_WORLD, problem);
    auto u = plan.make_input();
    auto v = plan.make_output();
    for (auto [at, x] : u.points()) x = std::sin(0.3 * double(at[0] * at[1])) + double(at[2] % 5);
    plan.forward(u, v);

    const auto kz = plan.wavenumbers(2);  // r2c halves the last axis
    double sums[2] = {0, 0};
    for (auto [at, x] : u.points()) sums[0] += x * x;
    for (auto [k, x] : v.points()) {
      const bool has_partner_here = kz[k[2]] == 0 || kz.is_nyquist(k[2]);
      sums[1] += (has_partner_here ? 1 : 2) * std::norm(x);
    }
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, plan.comm());
    error = std::abs(sums[1] / sums[0] - 1);
    if (plan.rank() == 0) std::printf("error %.2e\n", error);
  }
  MPI_Finalize();
  return error < 1e-13 ? 0 : 1;
}
