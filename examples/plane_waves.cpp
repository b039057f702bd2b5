// plane_waves: the density of electrons in a crystal. Codes of this kind expand the wave function
// of each band in plane waves, and keep those in a sphere,
//     psi_b(r) = sum_k c_b(k) exp(2 pi i k.r / n),  |k| <= R,    rho(r) = sum_b |psi_b(r)|^2,
// and need the waves of the density, which lie in a sphere of radius 2R. Only columns of the
// spheres are transformed along their axis and sent. The bands are a batch of complex transforms;
// of the density, which is real, the half sphere is enough. Without a transform its waves are
//     rho(g) = sum_b sum_k conj(c_b(k)) c_b(k + g).
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <weft/weft.hpp>

using Complex = std::complex<double>;

constexpr std::int64_t n = 36, bands = 4;
constexpr int radius = 8;  // a grid of 4R + 1 points holds the density without aliases

bool is_inside(std::int64_t a, std::int64_t b, std::int64_t c) {
  return a * a + b * b + c * c <= radius * radius;
}

// A smooth decay with phases that differ between the bands; zero outside of the sphere.
Complex coefficient(std::int64_t band, std::int64_t a, std::int64_t b, std::int64_t c) {
  if (!is_inside(a, b, c)) return 0;
  const double phase = double(band + 1) * std::sin(double(3 * a + 5 * b + 7 * c + band));
  return std::polar(0.1 / double(1 + a * a + b * b + c * c), phase);
}

Complex direct_density(const weft::Dims& g) {
  Complex sum = 0;
  for (std::int64_t band = 0; band < bands; ++band)
    for (std::int64_t a = -radius; a <= radius; ++a)
      for (std::int64_t b = -radius; b <= radius; ++b)
        for (std::int64_t c = -radius; c <= radius; ++c)
          sum += std::conj(coefficient(band, a, b, c)) *
                 coefficient(band, a + g[0], b + g[1], c + g[2]);
  return sum;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double error = 1;
  {
    auto of_bands = weft::c2c({n, n, n});
    of_bands.cutoff = weft::Cutoff::sphere(radius);
    of_bands.batch = bands;
    of_bands.norm = weft::Norm::forward;  // the way back is a plain sum
    of_bands.input = weft::Distribution::slab;
    auto of_density = weft::r2c({n, n, n});
    of_density.cutoff = weft::Cutoff::sphere(2 * radius);
    of_density.norm = weft::Norm::forward;
    of_density.input = weft::Distribution::slab;  // as of the bands
    auto wave_functions = weft::Plan(MPI_COMM_WORLD, of_bands);
    auto densities = weft::Plan(MPI_COMM_WORLD, of_density);

    auto c = wave_functions.make_output();
    for (std::int64_t band = 0; band < bands; ++band)
      for (auto [k, value] : c.points(band)) value = coefficient(band, k[0], k[1], k[2]);
    auto psi = wave_functions.make_input();
    wave_functions.backward(c, psi);

    auto rho = densities.make_input();
    for (std::int64_t band = 0; band < bands; ++band) {
      const Complex* values = psi.data() + psi.start_of(band);
      for (std::int64_t i = 0; i < rho.size(); ++i) rho.data()[i] += std::norm(values[i]);
    }
    auto waves = densities.make_output();
    densities.forward(rho, waves);

    // The double sum takes long, so it is computed for some waves only.
    error = 0;
    for (auto [g, value] : waves.points())
      if ((g[0] + 11 * g[1] + 17 * g[2]) % 97 == 0)
        error = std::max(error, std::abs(value - direct_density(g)));
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    std::int64_t kept = waves.size();
    MPI_Allreduce(MPI_IN_PLACE, &kept, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (densities.rank() == 0)
      std::printf("%lld waves of a density on %lld^3 points, largest error %.2e\n",
                  static_cast<long long>(kept), static_cast<long long>(n), error);
  }
  MPI_Finalize();
  return error < 1e-13 ? 0 : 1;
}
