// cli/bench/density_report: formats the measurements of many instances as a table and as JSON.

#include "weft/cli/bench/density.hpp"
#include "weft/cli/report_parts.hpp"

namespace weft::cli {

namespace {

Json json_of(const DensityMeasurement& m) {
  Json all = head_of(m);
  all.update({{"workload", "density"},
              {"instances", m.instances.count},
              {"policy", to_string(m.instances.policy)},
              {"subsets", m.subsets},
              {"completion_seconds", json_of(m.completion)},
              {"average_seconds", json_of(m.average)},
              {"gflops", m.gflops}});
  all.update(tail_of(m));
  return all;
}

}  // namespace

std::string table_of(const std::vector<DensityMeasurement>& measurements) {
  std::vector<std::vector<std::string>> rows{{"problem", "engine", "exchange", "policy",
                                              "instances", "subsets", "ranks", "threads", "plan ms",
                                              "completion ms", "min", "max", "average ms", "min",
                                              "max", "GFlop/s", "error", "work MB/rank"}};
  for (const DensityMeasurement& m : measurements)
    rows.push_back(
        {title(m), m.engine, m.exchange, to_string(m.instances.policy),
         std::to_string(m.instances.count), std::to_string(m.subsets), std::to_string(m.ranks),
         std::to_string(m.threads), milliseconds(m.plan_seconds), milliseconds(m.completion.median),
         milliseconds(m.completion.min), milliseconds(m.completion.max),
         milliseconds(m.average.median), milliseconds(m.average.min), milliseconds(m.average.max),
         fmt::format("{:.2f}", m.gflops), error_text(m), megabytes(m.workspace_bytes)});
  std::string text = aligned(rows, 4);
  text += fmt::format(
      "times are those of the slowest rank, medians of {} runs: until all instances have ended "
      "(completion), and from start to end of one instance, averaged over all (average)\n",
      measurements.front().repetition.repeat);
  for (const DensityMeasurement& m : measurements)
    text += fmt::format("  strategy, {} instance{} on {} subset{}: {}\n", m.instances.count,
                        m.instances.count == 1 ? "" : "s", m.subsets, m.subsets == 1 ? "" : "s",
                        m.strategy);
  text.pop_back();
  return text;
}

std::string json_of(const std::vector<DensityMeasurement>& measurements) {
  Json all = Json::array();
  for (const DensityMeasurement& m : measurements) all.push_back(json_of(m));
  return json_text(all, 1) + "\n";
}

}  // namespace weft::cli
