// problem/problem_text: problems, and what they consist of, as text.

#include "weft/problem/problem_text.hpp"

#include <algorithm>

#include "weft/base/dims_text.hpp"
#include "weft/base/names.hpp"
#include "weft/problem/checked_cutoff.hpp"
#include "weft/problem/line_transform.hpp"

namespace weft {

namespace {

constexpr Names<Kind, 4> kinds{
    {{Kind::c2c, "c2c"}, {Kind::r2c, "r2c"}, {Kind::c2r, "c2r"}, {Kind::r2r, "r2r"}}};
constexpr Names<Norm, 4> norms{{{Norm::backward, "backward"},
                                {Norm::ortho, "ortho"},
                                {Norm::forward, "forward"},
                                {Norm::none, "none"}}};
constexpr Names<Distribution::Form, 6> forms{{{Distribution::free, "free"},
                                              {Distribution::same, "same"},
                                              {Distribution::slab, "slab"},
                                              {Distribution::pencil, "pencil"},
                                              {Distribution::brick, "brick"},
                                              {Distribution::boxes, "boxes"}}};

// " modes 64x64 support [0,32)x[0,32)"; nothing where all is kept.
std::string kept_text(const Problem& problem) {
  std::string text;
  if (!problem.modes.empty()) text += " modes " + to_string(problem.modes);
  if (problem.support.axes() > 0) text += " support " + to_string(problem.support);
  return text + to_string(problem.cutoff);
}

// " stored 2,1,0 ghosts 1x1x1 and 1x1x1 interleaved"; nothing for the usual storage.
std::string to_string(const Storage& storage) {
  std::string text;
  if (!storage.order.empty()) text += fmt::format(" stored {}", fmt::join(storage.order, ","));
  if (storage.has_ghosts())
    text += fmt::format(" ghosts {} and {}", to_string(storage.before), to_string(storage.after));
  if (storage.interleaves_batch) text += " interleaved";
  return text;
}

// " as fourier,dct2"; nothing where all are Fourier.
std::string to_string(const Bases& bases) {
  std::vector<const char*> names;
  for (const Basis basis : bases) names.push_back(to_string(basis));
  return names.empty() ? "" : fmt::format(" as {}", fmt::join(names, ","));
}

// Parts may be thousands: their number, and of the whole text a number that tells it from others
// (FNV-1a).
std::string short_text(const std::string& text, const Distribution& distribution) {
  std::uint64_t number = 0xcbf29ce484222325U;
  for (const char c : text) number = (number ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  std::size_t parts = 0;
  for (const auto& boxes : distribution.boxes_of_rank()) parts += boxes.size();
  return fmt::format("{} parts of {} ranks ({:x})", parts, distribution.boxes_of_rank().size(),
                     number);
}

std::string to_string(const Distribution& distribution) {
  std::string text = to_string(distribution.form) + to_string(distribution.storage);
  if (!distribution.grid.empty()) text += " " + to_string(distribution.grid);
  // What is gathered is compared afterwards.
  if (distribution.is_of_mine() && distribution.boxes_of_rank().empty())
    text += distribution.my_array() ? " of each rank in its array" : " of each rank";
  for (const UserArray& array : distribution.arrays_of_rank()) {
    text += fmt::format(" [{}", array.elements);
    for (std::size_t i = 0; i < array.layouts.size() && i < array.offsets.size(); ++i)
      text += fmt::format(";{}:{}", array.offsets[i], to_string(array.layouts[i].strides));
    text += "]";
  }
  for (const auto& boxes : distribution.boxes_of_rank()) {
    text += " {";
    for (const Box& box : boxes) text += to_string(box);
    text += "}";
  }
  return distribution.is_of_parts() ? short_text(text, distribution) : text;
}

}  // namespace

std::string kind_text(const Problem& problem) {
  const Bases& bases = problem.bases;
  if (bases.empty()) return to_string(problem.kind);
  const bool is_one = std::ranges::count(bases, bases.front()) == std::ssize(bases);
  if (is_one && problem.kind == Kind::r2r) return to_string(bases.front());
  std::vector<const char*> names;
  for (const Basis basis : bases) names.push_back(to_string(basis));
  return fmt::format("{} of {}", to_string(problem.kind), fmt::join(names, ","));
}

std::string to_string(const Problem& problem) {
  return fmt::format(
      "{} {} of {}{} axes {}{} norm {} batch {}{} input {} output {}", to_string(problem.precision),
      to_string(problem.kind), to_string(problem.extents), kept_text(problem),
      problem.axes.is_all() ? "all" : fmt::format("{}", fmt::join(problem.axes, ",")),
      to_string(problem.bases), to_string(problem.norm), problem.batch,
      problem.in_place ? " in place" : "", to_string(problem.input), to_string(problem.output));
}

const char* to_string(Kind kind) { return name_in(kinds, kind); }
const char* to_string(Norm norm) { return name_in(norms, norm); }
const char* to_string(Distribution::Form form) { return name_in(forms, form); }
Kind parse_kind(const std::string& text) { return value_in(kinds, text, "kind"); }
Norm parse_norm(const std::string& text) { return value_in(norms, text, "norm"); }
Distribution::Form parse_form(const std::string& text) {
  return value_in(forms, text, "distribution");
}

}  // namespace weft
