// cli/bench/waves: computes the spectra with the convolution theorem.

#include "weft/cli/bench/waves.hpp"

#include <vector>

namespace weft::cli {

namespace {

constexpr int waves_of_field = 3;

struct Wave {
  Dims k;
  std::complex<double> c;
};

}  // namespace

Waves::Waves(const Extents& extents, int instance) {
  std::vector<Wave> waves(waves_of_field);
  for (int w = 0; w < waves_of_field; ++w) {
    for (int a = 0; a < extents.size(); ++a)
      waves[w].k.push_back((1 + 3 * w + 7 * a + 5 * instance * (w + a)) % extents[a]);
    waves[w].c = std::polar(1.0 / (1 + w + 0.25 * instance), 1.0 + 2 * w + instance);
  }
  const Layout whole = Layout::packed(extents);
  const auto point_count = static_cast<double>(volume(extents));
  for (const Wave& wave : waves) {
    field[whole.at(wave.k)] += point_count * wave.c;
    for (const Wave& other : waves) {
      Dims k;
      for (int a = 0; a < extents.size(); ++a)
        k.push_back((wave.k[a] - other.k[a] + extents[a]) % extents[a]);
      density[whole.at(k)] += point_count * wave.c * std::conj(other.c);
    }
  }
}

}  // namespace weft::cli
