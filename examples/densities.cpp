// densities: many fields at once, each on its own way. Codes for electrons transform one band after
// the other to real space, take |psi|^2 at every point, and transform that back. The bands of an
// ensemble do so independently (R. Lee, Charm-FFT, 2018): when a band has come to real space, its
// callback computes and starts the way back, while the messages of the others move. Each band is
// exp(ik.r) + exp(il.r) / 2. Its density has the waves 0, k - l and l - k, 5/4, 1/2 and 1/2 high.
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>
#include <weft/weft.hpp>

using Wave = std::array<std::int64_t, 3>;
constexpr std::int64_t n = 32;
constexpr int bands = 5;

// Both waves of a band, with numbers from 0 to n - 1, and the differences of two such numbers.
Wave first_of(int band) { return {1 + band, 2, 0}; }
Wave second_of(int band) { return {0, 1 + band, 3}; }
Wave minus(const Wave& a, const Wave& b) {
  return {(a[0] - b[0] + n) % n, (a[1] - b[1] + n) % n, (a[2] - b[2] + n) % n};
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double error = 0;
  {
    auto problem = weft::c2c({n, n, n});
    problem.norm = weft::Norm::forward;
    weft::Ensemble ensemble(MPI_COMM_WORLD, bands, problem);  // on all ranks, or subsets of nodes
    std::vector<weft::Field<std::complex<double>>> psi, waves;
    for (int band = 0; band < bands; ++band) {
      psi.push_back(ensemble.make_input(band));
      waves.push_back(ensemble.make_output(band));
      for (auto [at, x] : waves[band].points()) {
        const Wave k{at[0], at[1], at[2]};
        x = (k == first_of(band) ? 1.0 : 0.0) + (k == second_of(band) ? 0.5 : 0.0);
      }
    }

    std::vector<weft::Ticket> there(bands), back(bands);
    for (int band = 0; band < bands; ++band) {
      there[band] = ensemble.start_backward(band, waves[band], psi[band]);
      if (!ensemble.is_mine(band)) continue;
      there[band].then([&, band] {
        for (auto [at, x] : psi[band].points()) x = std::norm(x);
        back[band] = ensemble.start_forward(band, psi[band], waves[band]);
      });
    }
    for (int band = 0; band < bands; ++band) {
      there[band].wait();
      back[band].wait();
    }

    for (int band = 0; band < bands; ++band)
      for (auto [at, x] : waves[band].points()) {
        const Wave g{at[0], at[1], at[2]}, k = first_of(band), l = second_of(band);
        const double answer = g == Wave{} ? 1.25 : g == minus(k, l) || g == minus(l, k) ? 0.5 : 0;
        error = std::fmax(error, std::abs(x - answer));
      }
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) std::printf("%d densities, largest error %.2e\n", bands, error);
  }
  MPI_Finalize();
  return error < 1e-14 ? 0 : 1;
}
