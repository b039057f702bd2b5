// tune/cube_plan: a plan whose stages are timed, and its arrays.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/plan/plan_body.hpp"

namespace weft {

/// The forward transform of `points`^3 complex doubles, which are zeros.
class CubePlan {
 public:
  /// Collective; errors as of PlanBody.
  CubePlan(const Communicator& comm, std::int64_t points, const Options& options);

  /// Collective.
  void run() { plan_->start(true, input_.get(), output_.get()).wait(); }
  const PlanBody& body() const { return *plan_; }

 private:
  std::shared_ptr<const Communicator> comm_;
  std::unique_ptr<PlanBody> plan_;
  std::shared_ptr<std::byte> input_, output_;
};

/// Stages of a strategy that ran as one: an exchange, or the passes of a sweep.
struct StagesRun {
  std::size_t first = 0, end = 1;
  std::vector<double> seconds = {};  ///< of each run
};

/// What the stages of a cube take, run by run.
class StageTimes {
 public:
  /// Of at most `most_runs` runs, after a first one. Error::system without memory. Not collective.
  StageTimes(const CubePlan& cube, int most_runs);

  /// Takes note of the last run. Not collective.
  void add_run();
  /// In the order of the strategy, of the slowest rank. Collective over the ranks of the cube,
  /// which have noted as many runs.
  std::vector<StagesRun> all();

 private:
  const CubePlan& cube_;
  std::size_t reports_;            // of a run
  std::vector<std::int64_t> ran_;  // nanoseconds of each report of each run
};

}  // namespace weft
