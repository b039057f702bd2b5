// faces/kinds: reads the words for axes, kinds and bases.

#include "weft/faces/kinds.hpp"

#include <algorithm>

#include "weft/base/ensure.hpp"
#include "weft/faces/integers.hpp"
#include "weft/problem/line_transform.hpp"
#include "weft/problem/problem_text.hpp"

namespace weft {

const char* const kinds_text =
    "c2c, r2c or c2r; dct1 to dct4, dst1 to dst4, chebyshev or chebyshev-gauss along all axes; or "
    "the basis of each axis: letters, f for fourier, s for dst2, c for dct2, ch for chebyshev, as "
    "in sff or chff, or names with commas, as in dct2,fourier,fourier; or a kind and bases, as in "
    "c2c:sff";

namespace {

bool is_basis(const std::string& word) {
  for (int b = 0; b <= static_cast<int>(Basis::chebyshev_gauss); ++b)
    if (word == to_string(static_cast<Basis>(b))) return true;
  return false;
}

bool is_list(const std::string& word) {
  return word.find(',') != std::string::npos || word.find_first_not_of("fsch") == std::string::npos;
}

// The kind where a list of bases does not tell it.
Kind kind_of(const Bases& bases, const KindOfFile& file) {
  if (std::ranges::count(bases, Basis::fourier) == 0)
    return file.is_complex ? Kind::c2c : Kind::r2r;
  return file.is_complex && !file.is_inverse ? Kind::c2c : Kind::r2c;
}

}  // namespace

KindWord parse_kind_word(const std::string& word) {
  const std::size_t colon = word.find(':');
  const std::string first = word.substr(0, colon);
  const bool is_kind = first == "c2c" || first == "r2c" || first == "c2r";
  if (is_kind && colon == std::string::npos) return {first, ""};
  KindWord parts{is_kind ? first : "", is_kind ? word.substr(colon + 1) : word};
  if (parts.bases.empty() || !(is_basis(parts.bases) || is_list(parts.bases)))
    throw Error(Error::invalid, fmt::format("there is no kind '{}'", word),
                fmt::format("one of: {}", kinds_text));
  return parts;
}

std::vector<int> parse_axes(const std::string& name, const std::string& text,
                            const Extents& shape) {
  const int count = shape.size();
  std::vector<int> axes;
  if (text.empty()) {
    for (int a = 0; a < count; ++a) axes.push_back(a);
    return axes;
  }
  for (const int given :
       parse_integers(name, text, "write them like 0,2 or, from the end, -2,-1")) {
    const int axis = given < 0 ? given + count : given;
    if (axis < 0 || axis >= count)
      throw Error(Error::invalid,
                  fmt::format("axis {} is out of range for {} with {} ax{}s", given,
                              to_string(shape), count, count == 1 ? "i" : "e"),
                  fmt::format("axes are 0 to {}, or -{} to -1 from the end", count - 1, count));
    if (std::find(axes.begin(), axes.end(), axis) != axes.end())
      throw Error(Error::invalid, fmt::format("axis {} is named twice in {} {}", given, name, text),
                  "name every axis once");
    axes.push_back(axis);
  }
  return axes;
}

void set_kind(Problem& problem, const std::string& word, const std::vector<int>& axes,
              const KindOfFile& file) {
  const auto count = axes.size();
  const KindWord parts = parse_kind_word(word);
  problem.bases.clear();
  if (!parts.kind.empty()) problem.kind = parse_kind(parts.kind);
  if (parts.bases.empty()) return;
  const Bases bases =
      is_basis(parts.bases) ? Bases(count, parse_basis(parts.bases)) : parse_bases(parts.bases);
  if (bases.size() != count)
    throw Error(Error::invalid,
                fmt::format("the kind {} has {} bases for {} transformed ax{}s", word, bases.size(),
                            count, count == 1 ? "i" : "e"),
                "give one for every transformed axis, in their order");
  problem.bases.assign(static_cast<std::size_t>(problem.extents.size()), Basis::fourier);
  for (std::size_t i = 0; i < count; ++i)
    problem.bases[static_cast<std::size_t>(axes[i])] = bases[i];
  if (parts.kind.empty()) problem.kind = kind_of(bases, file);
}

}  // namespace weft
