// fuzz/parsers/values: parses a value, and prints it as its users write it.

#include "fuzz/parsers/values.hpp"

#include <array>

#include "weft/base/dims_text.hpp"
#include "weft/base/ensure.hpp"
#include "weft/cli/place/node_marks.hpp"
#include "weft/faces/integers.hpp"
#include "weft/faces/kinds.hpp"
#include "weft/faces/pruning.hpp"
#include "weft/grid/rank_list.hpp"
#include "weft/planning/progress.hpp"
#include "weft/problem/line_transform.hpp"
#include "weft/problem/problem_text.hpp"
#include "weft/problem/validated.hpp"

namespace weft::fuzz {

namespace {

const std::vector<int> three_axes{0, 1, 2};

Problem of_three_axes() {
  Problem problem;
  problem.extents = {8, 6, 4};
  return problem;
}

std::string dims(const std::string& text) { return to_string(parse_dims(text, "EXTENTS")); }

std::string ranks(const std::string& text) { return to_text(parse_ranks(text, "--ranks")); }

std::string integers(const std::string& text) {
  return fmt::format("{}", fmt::join(parse_integers("--axes", text, "write 0,2"), ","));
}

std::string nodes(const std::string& text) {
  return fmt::format("{}", fmt::join(cli::parse_nodes("--free", text, 4096, "free"), ","));
}

std::string text_of(const Bases& bases) {
  std::string names;
  for (const Basis basis : bases)
    names += (names.empty() ? "" : ",") + std::string(to_string(basis));
  return names;
}

std::string kind(const std::string& text) {
  Problem problem = of_three_axes();
  set_kind(problem, text, three_axes, {});
  return problem.bases.empty() ? to_string(problem.kind) : text_of(problem.bases);
}

std::string bases(const std::string& text) { return text_of(parse_bases(text)); }

std::string norm(const std::string& text) { return to_string(parse_norm(text)); }
std::string form(const std::string& text) { return to_string(parse_form(text)); }
std::string progress(const std::string& text) { return to_string(parse_progress(text)); }

// What is kept: each of the options must give a problem that is valid, or be refused.
Problem pruned(const PruningTexts& texts) {
  Problem problem = of_three_axes();
  prune(problem, texts);
  return validated(problem);
}
std::string modes(const std::string& text) {
  const Problem problem = pruned({text, "", "", ""});
  return problem.modes.empty() ? "" : to_string(problem.modes);
}
std::string support(const std::string& text) {
  const Problem problem = pruned({"", "", text, ""});
  return problem.support.axes() == 0 ? "" : to_string(problem.support.hi);
}
std::string pad(const std::string& text) {
  pruned({"", text, "", ""});
  return text;
}
std::string cutoff(const std::string& text) {
  pruned({"", "", "", text});
  return text;
}

constexpr std::array all_values{
    Value{"extents", dims},   Value{"ranks", ranks}, Value{"integers", integers},
    Value{"nodes", nodes},    Value{"kind", kind},   Value{"bases", bases},
    Value{"norm", norm},      Value{"form", form},   Value{"progress", progress},
    Value{"modes", modes},    Value{"pad", pad},     Value{"cutoff", cutoff},
    Value{"support", support}};

}  // namespace

std::span<const Value> values() { return all_values; }

}  // namespace weft::fuzz
