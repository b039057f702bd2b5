// cli/kinds: reads the words of `--kind`.

#include "weft/cli/kinds.hpp"

#include <algorithm>

#include "weft/problem/line_transform.hpp"

namespace weft::cli {

const char* const kinds_text =
    "c2c, r2c or c2r; dct1 to dct4, dst1 to dst4, chebyshev or chebyshev-gauss along all axes; or "
    "the basis of each axis: letters, f for fourier, s for dst2, c for dct2, ch for chebyshev, as "
    "in sff or chff, or names with commas, as in dct2,fourier,fourier";

namespace {

bool is_basis(const std::string& word) {
  for (int b = 0; b <= static_cast<int>(Basis::chebyshev_gauss); ++b)
    if (word == to_string(static_cast<Basis>(b))) return true;
  return false;
}

}  // namespace

void set_kind(Problem& problem, const std::string& word, const std::vector<int>& axes,
              bool is_complex) {
  const auto count = axes.size();
  problem.bases.clear();
  const bool is_kind = word == "c2c" || word == "r2c" || word == "c2r";
  if (is_kind) {
    problem.kind = parse_kind(word);
    return;
  }
  const bool is_list =
      word.find(',') != std::string::npos || word.find_first_not_of("fsch") == std::string::npos;
  if (word.empty() || !(is_basis(word) || is_list))
    throw Error(Error::invalid, fmt::format("there is no kind '{}'", word),
                fmt::format("one of: {}", kinds_text));
  const Bases bases = is_basis(word) ? Bases(count, parse_basis(word)) : parse_bases(word);
  if (bases.size() != count)
    throw Error(Error::invalid,
                fmt::format("--kind {} has {} bases for {} transformed ax{}s", word, bases.size(),
                            count, count == 1 ? "i" : "e"),
                "give one for every transformed axis, in their order");
  problem.bases.assign(static_cast<std::size_t>(problem.extents.size()), Basis::fourier);
  for (std::size_t i = 0; i < count; ++i)
    problem.bases[static_cast<std::size_t>(axes[i])] = bases[i];
  const bool has_fourier = std::ranges::count(bases, Basis::fourier) > 0;
  problem.kind = has_fourier ? Kind::r2c : is_complex ? Kind::c2c : Kind::r2r;
}

}  // namespace weft::cli
