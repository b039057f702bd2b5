// problem/line_transform: the table of transforms, and their factors.

#include "weft/problem/line_transform.hpp"

#include <algorithm>
#include <array>
#include <numbers>
#include <sstream>

#include "weft/base/names.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

namespace {

constexpr Names<Basis, 11> basis_names{{{Basis::fourier, "fourier"},
                                        {Basis::dct1, "dct1"},
                                        {Basis::dct2, "dct2"},
                                        {Basis::dct3, "dct3"},
                                        {Basis::dct4, "dct4"},
                                        {Basis::dst1, "dst1"},
                                        {Basis::dst2, "dst2"},
                                        {Basis::dst3, "dst3"},
                                        {Basis::dst4, "dst4"},
                                        {Basis::chebyshev, "chebyshev"},
                                        {Basis::chebyshev_gauss, "chebyshev-gauss"}}};

constexpr double root = std::numbers::sqrt2;

// A basis, its transforms without norm, what makes them orthogonal beside a common factor, and by
// how much there and back multiplies a line of n points: scale * (n + more).
struct Entry {
  Basis basis;
  LineTransform forward, backward;
  LineTransform ortho_forward, ortho_backward;
  int scale, more;
};

constexpr std::array<Entry, 10> entries{{
    {Basis::dct1,
     {Basis::dct1},
     {Basis::dct1},
     {Basis::dct1, root, root, 1 / root, 1 / root},
     {Basis::dct1, root, root, 1 / root, 1 / root},
     2,
     -1},
    {Basis::dct2,
     {Basis::dct2},
     {Basis::dct3},
     {Basis::dct2, 1, 1, 1 / root, 1},
     {Basis::dct3, root, 1, 1, 1},
     2,
     0},
    {Basis::dct3,
     {Basis::dct3},
     {Basis::dct2},
     {Basis::dct3, root, 1, 1, 1},
     {Basis::dct2, 1, 1, 1 / root, 1},
     2,
     0},
    {Basis::dct4, {Basis::dct4}, {Basis::dct4}, {Basis::dct4}, {Basis::dct4}, 2, 0},
    {Basis::dst1, {Basis::dst1}, {Basis::dst1}, {Basis::dst1}, {Basis::dst1}, 2, 1},
    {Basis::dst2,
     {Basis::dst2},
     {Basis::dst3},
     {Basis::dst2, 1, 1, 1, 1 / root},
     {Basis::dst3, 1, root, 1, 1},
     2,
     0},
    {Basis::dst3,
     {Basis::dst3},
     {Basis::dst2},
     {Basis::dst3, 1, root, 1, 1},
     {Basis::dst2, 1, 1, 1, 1 / root},
     2,
     0},
    {Basis::dst4, {Basis::dst4}, {Basis::dst4}, {Basis::dst4}, {Basis::dst4}, 2, 0},
    // The sums of cosines halve what is neither first nor last (Gauss points: not first), so
    // coefficients take half of these, and values twice of them. With this, the way back has the
    // factor 1/2, and the way forward 1/(n-1) or 1/n.
    {Basis::chebyshev,
     {Basis::dct1, 1, 1, 0.5, 0.5},
     {Basis::dct1, 2, 2, 1, 1},
     {Basis::dct1, 1, 1, 0.5, 0.5},
     {Basis::dct1, 2, 2, 1, 1},
     1,
     -1},
    {Basis::chebyshev_gauss,
     {Basis::dct2, 1, 1, 0.5, 1},
     {Basis::dct3, 2, 1, 1, 1},
     {Basis::dct2, 1, 1, 0.5, 1},
     {Basis::dct3, 2, 1, 1, 1},
     1,
     0},
}};

const Entry& entry_of(Basis basis) {
  for (const Entry& entry : entries)
    if (entry.basis == basis) return entry;
  ensure(false, to_string(basis));
  return entries.front();
}

bool makes_coefficients(Basis basis) {
  return basis == Basis::chebyshev || basis == Basis::chebyshev_gauss;
}

}  // namespace

const char* to_string(Basis basis) { return name_in(basis_names, basis); }
Basis parse_basis(const std::string& text) { return value_in(basis_names, text, "basis"); }

LineTransform line_transform(Basis basis, bool forward, Norm norm) {
  const Entry& entry = entry_of(basis);
  if (norm == Norm::ortho) return forward ? entry.ortho_forward : entry.ortho_backward;
  return forward ? entry.forward : entry.backward;
}

Bases parse_bases(const std::string& text) {
  Bases all;
  if (text.empty() || text.find_first_not_of("fsch") != std::string::npos) {
    // A comma at the end is followed by a name, too, which is empty.
    std::istringstream names(text + ",");
    for (std::string name; std::getline(names, name, ',');) all.push_back(parse_basis(name));
    return all;
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_chebyshev = text.compare(i, 2, "ch") == 0;
    if (text[i] == 'h')
      throw Error(Error::invalid, fmt::format("there are no bases '{}'", text),
                  "one letter for each axis, f for fourier, s for dst2, c for dct2, ch for "
                  "chebyshev, as in sff or chff; or names with commas, as in dct2,fourier,fourier");
    all.push_back(is_chebyshev     ? Basis::chebyshev
                  : text[i] == 'f' ? Basis::fourier
                  : text[i] == 's' ? Basis::dst2
                                   : Basis::dct2);
    if (is_chebyshev) ++i;
  }
  return all;
}

std::int64_t least_points(Basis basis) {
  return basis == Basis::dct1 || basis == Basis::chebyshev ? 2 : 1;
}

std::int64_t next_fast_length(std::int64_t at_least, Basis basis) {
  constexpr std::int64_t most = std::int64_t{1} << 56;
  if (at_least < 1 || at_least > most)
    throw Error(Error::invalid, fmt::format("no axis has {} points", at_least),
                "give a number from 1 to 2^56");
  const std::int64_t more = basis == Basis::dct1 || basis == Basis::chebyshev ? -1
                            : basis == Basis::dst1                            ? 1
                                                                              : 0;
  const std::int64_t least = std::max(at_least, least_points(basis)) + more;
  // For each product of 3s, 5s and 7s, the smallest power of 2 with which it reaches `least`.
  std::int64_t best = most * 2;
  for (std::int64_t seven = 1; seven < best; seven *= 7)
    for (std::int64_t five = seven; five < best; five *= 5)
      for (std::int64_t three = five; three < best; three *= 3) {
        std::int64_t length = three;
        while (length < least) length *= 2;
        best = std::min(best, length);
        if (three >= least) break;
      }
  return best - more;
}

double norm_factor(const Problem& problem, bool forward) {
  double points = 1, factor = 1;
  for (const int axis : problem.axes) {
    const Basis basis = basis_of(problem, axis);
    const auto n = static_cast<double>(problem.extents[axis]);
    if (basis == Basis::fourier) {
      points *= n;
      continue;
    }
    const Entry& entry = entry_of(basis);
    const double there_and_back = entry.scale * (n + entry.more);
    if (makes_coefficients(basis))
      factor *= forward ? 1 / there_and_back : 0.5;
    else
      points *= there_and_back;
  }
  return factor * norm_factor(problem.norm, points, forward);
}

}  // namespace weft
