// support/direct_dft: see the header.
#include "support/direct_dft.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace weft::test {

namespace {

// exp(sign 2 pi i m / n) for every m.
std::vector<Wide> roots_of_unity(int sign, std::int64_t n) {
  std::vector<Wide> roots(static_cast<std::size_t>(n));
  for (std::int64_t m = 0; m < n; ++m) {
    const long double angle = sign * 2 * std::numbers::pi_v<long double> *
                              static_cast<long double>(m) / static_cast<long double>(n);
    roots[static_cast<std::size_t>(m)] = {std::cos(angle), std::sin(angle)};
  }
  return roots;
}

// The sums of a line for k and for n - k: the roots of n - k are conjugates of those of k, so that
// both are made of the same four products.
std::pair<Wide, Wide> direct_pair(const std::vector<Wide>& line, const std::vector<Wide>& roots,
                                  std::size_t k) {
  long double rc = 0, rs = 0, ic = 0, is = 0;
  // The root of j k turns by k from each j to the next.
  std::size_t turned = 0;
  for (const Wide& value : line) {
    const Wide& root = roots[turned];
    rc += value.real() * root.real();
    rs += value.real() * root.imag();
    ic += value.imag() * root.real();
    is += value.imag() * root.imag();
    turned += k;
    if (turned >= roots.size()) turned -= roots.size();
  }
  return {{rc - is, rs + ic}, {rc + is, ic - rs}};
}

}  // namespace

WholeField direct_dft(const WholeField& x, int axis, int sign, std::int64_t kept) {
  const std::int64_t n = x.extents[axis];
  const std::vector<Wide> roots = roots_of_unity(sign, n);
  Extents extents = x.extents;
  extents[axis] = kept;
  WholeField y(extents);
  std::int64_t inner = 1, outer = 1;
  for (int a = 0; a < axis; ++a) outer *= x.extents[a];
  for (int a = axis + 1; a < x.extents.size(); ++a) inner *= x.extents[a];
  std::vector<Wide> line(static_cast<std::size_t>(n));
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t i = 0; i < inner; ++i) {
      const auto result = [&](std::int64_t k) -> Wide& {
        return y.values[static_cast<std::size_t>((o * kept + k) * inner + i)];
      };
      for (std::int64_t j = 0; j < n; ++j)
        line[static_cast<std::size_t>(j)] =
            x.values[static_cast<std::size_t>((o * n + j) * inner + i)];
      for (std::int64_t k = 0; 2 * k <= n && k < kept; ++k) {
        const auto [here, there] = direct_pair(line, roots, static_cast<std::size_t>(k));
        result(k) = here;
        if (k > 0 && n - k < kept) result(n - k) = there;
      }
    }
  return y;
}

WholeField multiplied(const WholeField& x, int axis,
                      const std::vector<std::vector<long double>>& matrix) {
  const auto n = static_cast<std::size_t>(x.extents[axis]);
  WholeField y(x.extents);
  std::size_t inner = 1;
  for (int a = axis + 1; a < x.extents.size(); ++a) inner *= static_cast<std::size_t>(x.extents[a]);
  for (std::size_t first = 0; first < x.values.size(); first += n * inner)
    for (std::size_t i = 0; i < inner; ++i)
      for (std::size_t k = 0; k < n; ++k)
        for (std::size_t j = 0; j < n; ++j)
          y.values[first + k * inner + i] += matrix[k][j] * x.values[first + j * inner + i];
  return y;
}

}  // namespace weft::test
