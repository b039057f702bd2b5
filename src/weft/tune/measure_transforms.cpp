// tune/measure_transforms: rows and columns of tiles that fit the cache.

#include "weft/tune/measure_transforms.hpp"

#include <algorithm>

#include "weft/compute/line_trial.hpp"
#include "weft/plan/common_engine.hpp"
#include "weft/tune/repeat.hpp"

namespace weft {

namespace {

// On this rank. Not collective.
EngineMeasurement measure_here(const std::string& name, std::int64_t cache_bytes, double seconds,
                               Effort effort) {
  const auto engine = find_engine(name).make();
  EngineMeasurement found{name, {}, 1};
  constexpr double layouts = 2;
  const double each = seconds / (layouts * std::size(measured_lengths));
  for (const std::int64_t n : measured_lengths) {
    const auto time_of = [&](bool are_columns) {
      LineTrial trial(*engine, n, cache_bytes, are_columns, effort);
      const Repeated runs = repeat_here({each, 3, 25}, [&] { return trial.seconds(); });
      return Repeated{runs.best / trial.points(), runs.median / trial.points()};
    };
    const Repeated rows = time_of(false), columns = time_of(true);
    found.speeds.push_back({n, rows.best, columns.best});
    found.spread = std::max({found.spread, rows.spread(), columns.spread()});
  }
  return found;
}

}  // namespace

std::vector<EngineMeasurement> measure_transforms(const Communicator& comm,
                                                  std::int64_t cache_bytes, double seconds,
                                                  Effort effort) {
  const std::vector<std::string> names = common_engines(comm);
  std::vector<EngineMeasurement> all;
  for (const std::string& name : names) {
    EngineMeasurement found = agree(comm, [&] {
      return measure_here(name, cache_bytes, seconds / static_cast<double>(names.size()), effort);
    });
    for (LineSpeed& speed : found.speeds) {
      speed.rows = comm.max(speed.rows);
      speed.columns = comm.max(speed.columns);
    }
    found.spread = comm.max(found.spread);
    agree(comm, [&] { all.push_back(std::move(found)); });
  }
  return all;
}

}  // namespace weft
