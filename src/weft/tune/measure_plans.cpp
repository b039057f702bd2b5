// tune/measure_plans: runs plans on zeros.

#include "weft/tune/measure_plans.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <variant>

#include "weft/tune/cube_plan.hpp"
#include "weft/tune/repeat.hpp"

namespace weft {

namespace {

// Passes that share a sweep load and store the field once.
PassSpeed speed_of(const CubePlan& cube, const StagesRun& ran) {
  const double seconds = std::ranges::min(ran.seconds);
  std::string name;
  std::size_t axes = 0;
  for (std::size_t s = ran.first; s < ran.end; ++s) {
    const auto& pass = std::get<PassStage>(cube.body().strategy().stages[s]);
    // Without the choices, which the strategy tells.
    name += (name.empty() ? "" : " | ") + to_string(Stage(PassStage{pass.axes}));
    axes += pass.axes.size();
  }
  const Dims& extents = cube.body().problem().extents;
  const double points = static_cast<double>(volume(extents)) / cube.body().machine().nodes();
  constexpr double loaded_and_stored = 2 * 16;
  const double flops =
      5 * points * std::log2(static_cast<double>(extents[0])) * static_cast<double>(axes);
  return {name, seconds, loaded_and_stored * points / seconds, flops / seconds};
}

}  // namespace

PassMeasurement measure_passes(const Communicator& comm, std::int64_t points,
                               const Options& options, double seconds) {
  CubePlan cube(comm, points, options);
  cube.run();
  const Repetitions repetitions{seconds, 3, 25};
  StageTimes times = agree(comm, [&] { return StageTimes(cube, repetitions.most); });
  const Repeated whole = repeat_together(comm, repetitions, [&] {
    cube.run();
    times.add_run();
  });
  PassMeasurement found{points, to_string(cube.body().strategy()), whole.spread(), {}};
  for (const StagesRun& ran : times.all()) {
    const auto* const pass = std::get_if<PassStage>(&cube.body().strategy().stages[ran.first]);
    if (pass != nullptr && !pass->axes.empty()) found.passes.push_back(speed_of(cube, ran));
  }
  return found;
}

std::vector<OverlapSpeed> measure_overlap(const Communicator& comm, std::int64_t points,
                                          const Options& options, double seconds) {
  std::vector<OverlapSpeed> found;
  if (comm.size() == 1) return found;
  for (const Progress progress : {Progress::by_calls, Progress::by_tiles, Progress::by_thread}) {
    if (progress == Progress::by_thread && !mpi_allows_threads()) continue;
    Options asked = options;
    asked.progress = progress;
    asked.exchange = "p2p";
    asked.chunks = 4;  // so that there is something to send before all is computed
    CubePlan cube(comm, points, asked);
    cube.run();
    std::array<double, 2> mine{};  // seconds waited, and in which messages were under way
    std::vector<std::array<double, 2>> all;
    agree(comm, [&] { all.resize(static_cast<std::size_t>(comm.size())); });
    repeat_together(comm, {seconds / 3, 3, 15}, [&] {
      cube.run();
      for (const StageReport& stage : cube.body().forward_stages()) {
        if (!stage.is_exchange) continue;
        mine[0] += stage.seconds;
        mine[1] += stage.active_seconds;
      }
    });
    comm.gather(mine.data(), sizeof mine, all.data());
    double waited = 0, active = 0;
    for (const auto& of_rank : all) {
      waited += of_rank[0];
      active += of_rank[1];
    }
    const double part = active > 0 ? waited / active : 1;
    found.push_back({progress, std::clamp(1 - part, 0.0, 1.0)});
  }
  return found;
}

}  // namespace weft
