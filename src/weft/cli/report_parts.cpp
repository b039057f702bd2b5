// cli/report_parts: formats numbers, columns, and the keys that all JSON objects have.

#include "weft/cli/report_parts.hpp"
#include "weft/base/simulation.hpp"
#include "weft/memory/processor.hpp"
#include "weft/problem/problem_text.hpp"

#include <algorithm>
#include <array>

namespace weft::cli {

std::string aligned(const std::vector<std::vector<std::string>>& rows, std::size_t text_columns) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c)
      line += c < text_columns ? fmt::format("{:<{}}  ", row[c], widths[c])
                               : fmt::format("{:>{}}  ", row[c], widths[c]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string counted(std::size_t number, const std::string& what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}
std::string milliseconds(double seconds) { return fmt::format("{:.3f}", 1e3 * seconds); }
std::string megabytes(std::int64_t bytes) {
  return fmt::format("{:.2f}", static_cast<double>(bytes) / 1e6);
}
std::string bytes_text(double bytes) {
  constexpr std::array units{"B", "kB", "MB", "GB", "TB", "PB"};
  constexpr double least_of_next = 999.5;  // which would be printed as 1e+03
  std::size_t unit = 0;
  for (; bytes >= least_of_next && unit + 1 < units.size(); ++unit) bytes /= 1000;
  return fmt::format("{:.3g} {}", bytes, units[unit]);
}

std::string range_text(const std::string& singular, int first, int last) {
  return first == last ? fmt::format("{} {}", singular, first)
                       : fmt::format("{}s {}-{}", singular, first, last);
}

std::string error_text(const Setup& setup) {
  return setup.max_error ? fmt::format("{:.1e}", *setup.max_error) : "-";
}

std::string title(const Setup& setup) {
  const Problem& problem = setup.problem;
  return fmt::format(
      "{}{}{}{} {} {}{}{}", to_string(problem.extents),
      problem.cutoff.is_given() ? fmt::format(" with cutoff {}", problem.cutoff.radius()) : "",
      problem.modes.empty() ? "" : " with modes " + to_string(problem.modes),
      problem.support.axes() > 0 ? " with support " + to_string(problem.support) : "",
      kind_text(problem), to_string(problem.precision),
      problem.batch > 1 ? fmt::format(" batch {}", problem.batch) : "",
      problem.in_place ? " in place" : "");
}

std::string processor_of_ranks() { return is_simulated ? "simulated hosts" : processor_text(); }

Json json_of(const Times& times) {
  return {{"min", times.min}, {"median", times.median}, {"max", times.max}};
}

Json json_of(const Dims& dims) {
  Json list = Json::array();
  for (auto n : dims) list.push_back(n);
  return list;
}

Json head_of(const Setup& setup) {
  const Problem& problem = setup.problem;
  const Box support = problem.support.axes() > 0 ? problem.support : Box::whole(problem.extents);
  return {{"weft", WEFT_VERSION},
          {"extents", json_of(problem.extents)},
          {"modes", problem.cutoff.is_given()
                        ? Json()
                        : json_of(problem.modes.empty() ? problem.extents : problem.modes)},
          {"cutoff", problem.cutoff.is_given() ? Json(problem.cutoff.radius()) : Json()},
          {"support", {json_of(support.lo), json_of(support.hi)}},
          {"kind", kind_text(setup.problem)},
          {"precision", to_string(setup.problem.precision)},
          {"ranks", setup.ranks},
          {"nodes", setup.nodes},
          {"threads", setup.threads},
          {"processor", processor_of_ranks()},
          {"engine", setup.engine},
          {"exchange", setup.exchange},
          {"strategy", setup.strategy},
          {"in_place", setup.problem.in_place},
          {"batch", setup.problem.batch},
          {"chunks", setup.chunks},
          {"progress", to_string(setup.progress)},
          {"in_flight", setup.repetition.in_flight},
          {"work_seconds", setup.repetition.work_seconds},
          {"repeat", setup.repetition.repeat},
          {"plan_seconds", setup.plan_seconds}};
}

Json tail_of(const Setup& setup) {
  return {{"max_error", setup.max_error ? Json(*setup.max_error) : Json()},
          {"workspace_bytes_per_rank", setup.workspace_bytes}};
}

}  // namespace weft::cli
