// tune/measure_transforms: rows and columns of tiles that fit the cache.

#include "weft/tune/measure_transforms.hpp"

#include <algorithm>
#include <iterator>
#include <memory>

#include "weft/base/trace.hpp"
#include "weft/compute/line_trial.hpp"
#include "weft/plan/common_engine.hpp"
#include "weft/tune/repeat.hpp"

namespace weft {

namespace {

// A choice: all rounds together take two seconds or so, and a neighbour that is busy for some
// milliseconds spoils few of them.
constexpr int fewest_rounds_of_lines = 3, most_rounds_of_lines = 400;

// An engine, its trials in rows and in columns by length, and their times in each round.
struct EngineTrials {
  struct Timed {
    LineTrial trial;
    std::vector<double> seconds = {};

    void run() { seconds.push_back(trial.seconds()); }
  };
  std::unique_ptr<Engine> engine;
  std::vector<Timed> rows = {}, columns = {};

  EngineTrials(const std::string& name, std::int64_t cache_bytes, Effort effort)
      : engine(find_engine(name).make()) {
    for (const std::int64_t n : measured_lengths) {
      rows.push_back({LineTrial(*engine, n, cache_bytes, false, effort)});
      columns.push_back({LineTrial(*engine, n, cache_bytes, true, effort)});
    }
  }
};

EngineMeasurement found_of(const std::string& name, EngineTrials& trials) {
  EngineMeasurement found{name, {}, 1};
  for (std::size_t i = 0; i < std::size(measured_lengths); ++i) {
    auto &in_rows = trials.rows[i], &in_columns = trials.columns[i];
    const Repeated rows = repeated(in_rows.seconds), columns = repeated(in_columns.seconds);
    found.speeds.push_back({measured_lengths[i], rows.median / in_rows.trial.points(),
                            columns.median / in_columns.trial.points()});
    found.spread = std::max({found.spread, rows.spread(), columns.spread()});
  }
  return found;
}

// All engines in turn, round by round, so that what else runs on the machine meets all of them. On
// this rank. Not collective.
std::vector<EngineMeasurement> measure_here(const std::vector<std::string>& names,
                                            std::int64_t cache_bytes, double seconds,
                                            Effort effort) {
  std::vector<EngineTrials> engines;
  for (const std::string& name : names) engines.emplace_back(name, cache_bytes, effort);
  const double begin = now();
  for (int round = 0;
       round < fewest_rounds_of_lines || (round < most_rounds_of_lines && now() - begin < seconds);
       ++round)
    for (EngineTrials& each : engines)
      for (std::size_t i = 0; i < std::size(measured_lengths); ++i) {
        each.rows[i].run();
        each.columns[i].run();
      }
  std::vector<EngineMeasurement> found;
  for (std::size_t e = 0; e < names.size(); ++e) found.push_back(found_of(names[e], engines[e]));
  return found;
}

}  // namespace

std::vector<EngineMeasurement> measure_transforms(const Communicator& comm,
                                                  std::int64_t cache_bytes, double seconds,
                                                  Effort effort) {
  const std::vector<std::string> names = common_engines(comm);
  auto all = agree(comm, [&] { return measure_here(names, cache_bytes, seconds, effort); });
  for (EngineMeasurement& found : all) {
    for (LineSpeed& speed : found.speeds) {
      speed.rows = comm.max(speed.rows);
      speed.columns = comm.max(speed.columns);
    }
    found.spread = comm.max(found.spread);
  }
  return all;
}

}  // namespace weft
