// measuring/measure_plans: runs plans on zeros.

#include "weft/measuring/measure_plans.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <variant>

#include "weft/measuring/repeat.hpp"
#include "weft/plan/plan_body.hpp"

namespace weft {

namespace {

// A plan for a cube, and its arrays.
class CubePlan {
 public:
  CubePlan(const Communicator& comm, std::int64_t points, const Options& options)
      : comm_(shared(comm)), plan_(PlanBody::make_unreported(comm_, cube(points), options)) {
    agree(comm, [&] {
      input_ = plan_->allocate(bytes_of(plan_->input()));
      output_ = plan_->allocate(bytes_of(plan_->output()));
    });
  }

  Ticket start() { return plan_->start({true, {input_.get()}, {output_.get()}}); }
  void run() { start().wait(); }
  const PlanBody& body() const { return *plan_; }

 private:
  static std::shared_ptr<const Communicator> shared(const Communicator& comm) {
    Communicator copy = comm.duplicate();
    return agree(comm, [&] { return std::make_shared<const Communicator>(std::move(copy)); });
  }
  static Problem cube(std::int64_t points) {
    Problem problem;
    problem.extents = {points, points, points};
    return problem;
  }
  static std::int64_t bytes_of(const Share& share) { return share.elements * share.scalar.bytes(); }

  std::shared_ptr<const Communicator> comm_;
  std::unique_ptr<PlanBody> plan_;
  std::shared_ptr<std::byte> input_, output_;
};

// The speed of `passes` passes from stage `first` of the strategy on, which load and store the
// field once.
PassSpeed speed_of(const CubePlan& cube, std::size_t first, std::size_t passes, double seconds) {
  std::string name;
  std::size_t axes = 0;
  for (std::size_t s = first; s < first + passes; ++s) {
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
                               const Options& options, const TimeLimit& limit) {
  constexpr double nano = 1e9;
  CubePlan cube(comm, points, options);
  cube.run();
  const std::size_t reports = cube.body().forward().stages.size();
  std::vector<std::int64_t> ran;  // nanoseconds of each report of each run
  const Repetitions repetitions{limit, 3, 25};
  agree(comm, [&] { ran.reserve(reports * static_cast<std::size_t>(repetitions.most)); });
  const Repeated whole = repeat_together(comm, repetitions, [&] {
    cube.run();
    for (const StageReport& stage : cube.body().forward().stages)
      ran.push_back(std::max<std::int64_t>(1, std::llround(nano * stage.seconds)));
  });
  comm.max_each(ran);
  PassMeasurement found{points, to_string(cube.body().strategy()), whole.spread(), {}};
  std::size_t number = 0, stage = 0;
  for (const StageReport& report : cube.body().forward().stages) {
    std::int64_t fastest = ran[number];
    for (std::size_t run = number++; run < ran.size(); run += reports)
      fastest = std::min(fastest, ran[run]);
    const PassSpeed speed =
        speed_of(cube, stage, report.passes, static_cast<double>(fastest) / nano);
    if (speed.flops_per_second > 0) found.passes.push_back(speed);  // no exchange, and no copy
    stage += std::max<std::size_t>(1, report.passes);
  }
  return found;
}

std::vector<OverlapSpeed> measure_overlap(const Communicator& comm, std::int64_t points,
                                          const Options& options, const TimeLimit& limit) {
  const double each = limit.left(comm) / 3;
  std::vector<OverlapSpeed> found;
  if (comm.size() == 1) return found;
  for (const Progress progress : {Progress::by_calls, Progress::by_tiles, Progress::by_thread}) {
    if (progress == Progress::by_thread && !mpi_allows_threads()) continue;
    if (limit.is_over(comm)) break;
    Options asked = options;
    asked.progress = progress;
    asked.exchange = "p2p";
    asked.chunks = 4;  // so that there is something to send before all is computed
    CubePlan cube(comm, points, asked);
    cube.run();
    std::array<double, 2> mine{};  // seconds waited, and in which messages were under way
    std::vector<std::array<double, 2>> all;
    agree(comm, [&] { all.resize(static_cast<std::size_t>(comm.size())); });
    repeat_together(comm, {limit.part(each), 3, 15}, [&] {
      cube.run();
      for (const StageReport& stage : cube.body().forward().stages) {
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
