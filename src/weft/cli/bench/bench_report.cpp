// cli/bench/bench_report: formats measurements as text and as JSON.

#include "weft/cli/bench/bench_report.hpp"

#include <algorithm>
#include <set>

#include "weft/cli/report_parts.hpp"

namespace weft::cli {

namespace {

bool is_same_problem(const Measurement& a, const Measurement& b) { return a.problem == b.problem; }

// Whether the table does not tell in which way two of its rows differ.
bool are_alike(const Measurement& a, const Measurement& b) {
  return is_same_problem(a, b) && a.engine == b.engine && a.exchange == b.exchange;
}

// The strategies of all rows, in their order, with what they take beside the fastest one of their
// problem.
std::string strategies_of(const std::vector<Measurement>& measurements) {
  const auto round_trip = [](const Measurement& m) { return m.forward.median + m.backward.median; };
  std::vector<std::vector<std::string>> rows{
      {"problem", "strategy", "there and back ms", "of the fastest"}};
  for (const Measurement& m : measurements) {
    double least = round_trip(m);
    for (const Measurement& other : measurements)
      if (is_same_problem(m, other)) least = std::min(least, round_trip(other));
    rows.push_back({title(m), m.strategy, milliseconds(round_trip(m)),
                    fmt::format("{:.2f}", round_trip(m) / least)});
  }
  return "\n" + aligned(rows, 2);
}

std::string stages_of(const Measurement& m) {
  std::vector<std::vector<std::string>> rows{
      {"  stage", "ms", "MB sent", "messages", "MB to nodes"}};
  for (const auto& stage : m.stages)
    rows.push_back({"  " + stage.name, milliseconds(stage.seconds), megabytes(stage.bytes),
                    std::to_string(stage.messages), megabytes(stage.message_bytes)});
  const std::string hidden =
      m.overlap > 0 ? fmt::format("; {:.0f}% of its exchanges overlapped", 100 * m.overlap) : "";
  return fmt::format(
      "\nfastest for {}: {}, {}{}; stages of its median "
      "forward run, maxima over all ranks:\n{}"
      "  strategy: {}\n",
      title(m), m.engine, m.exchange, hidden, aligned(rows, 1), m.strategy);
}

Json json_of(const Measurement& m) {
  Json stages = Json::array();
  for (const auto& stage : m.stages)
    stages.push_back({{"name", stage.name},
                      {"seconds", stage.seconds},
                      {"bytes", stage.bytes},
                      {"messages", stage.messages},
                      {"message_bytes", stage.message_bytes},
                      {"segments", stage.segments},
                      {"passes", stage.passes},
                      {"axes", stage.axes}});
  Json all = head_of(m);
  all.update({{"forward_seconds", json_of(m.forward)},
              {"backward_seconds", json_of(m.backward)},
              {"gflops", m.gflops},
              {"overlap", m.overlap}});
  if (m.copied_bytes) all["copied_bytes"] = *m.copied_bytes;
  if (m.hidden_copy_share) all["hidden_copy_share"] = *m.hidden_copy_share;
  all.update(tail_of(m));
  all["stages"] = stages;
  return all;
}

}  // namespace

std::string table_of(const std::vector<Measurement>& measurements) {
  std::vector<std::vector<std::string>> rows{{"problem", "engine", "exchange", "ranks", "threads",
                                              "plan ms", "forward ms", "min", "max", "backward ms",
                                              "min", "max", "GFlop/s", "error", "work MB/rank"}};
  for (const Measurement& m : measurements)
    rows.push_back({title(m), m.engine, m.exchange, std::to_string(m.ranks),
                    std::to_string(m.threads), milliseconds(m.plan_seconds),
                    milliseconds(m.forward.median), milliseconds(m.forward.min),
                    milliseconds(m.forward.max), milliseconds(m.backward.median),
                    milliseconds(m.backward.min), milliseconds(m.backward.max),
                    fmt::format("{:.2f}", m.gflops), error_text(m), megabytes(m.workspace_bytes)});
  std::string text = aligned(rows, 3);
  const Repetition& run = measurements.front().repetition;
  text += fmt::format("times are those of the slowest rank, medians of {} runs{}\n", run.repeat,
                      run.in_turn ? ", one of each row in turn" : "");
  if (run.in_flight > 1)
    text +=
        fmt::format("each run starts {} transforms and ends when all have ended\n", run.in_flight);
  if (run.work_seconds > 0)
    text += fmt::format("each forward run includes {} ms of the application's work\n",
                        milliseconds(run.work_seconds));
  const auto has_twin = [&](const Measurement& m) {
    return std::ranges::any_of(measurements, [&](const Measurement& other) {
      return &m != &other && are_alike(m, other);
    });
  };
  if (std::ranges::any_of(measurements, has_twin)) text += strategies_of(measurements);
  std::set<const Measurement*> done;
  for (const Measurement& m : measurements) {
    const Measurement* fastest = &m;
    for (const Measurement& other : measurements)
      if (is_same_problem(m, other) && other.forward.median < fastest->forward.median)
        fastest = &other;
    if (done.insert(fastest).second) text += stages_of(*fastest);
  }
  text.pop_back();
  return text;
}

std::string json_of(const std::vector<Measurement>& measurements) {
  Json all = Json::array();
  for (const Measurement& m : measurements) all.push_back(json_of(m));
  return json_text(all, 1) + "\n";
}

}  // namespace weft::cli
