// replay/step_times: what is known of each step while ranks run it.
// Pure.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "weft/program/program.hpp"
#include "weft/replay/replay.hpp"

namespace weft {

/// All ranks have the same steps.
class StepTimes {
 public:
  explicit StepTimes(const Program& program) {
    for (const Step& step : program.steps)
      steps_.push_back({step.name, std::numeric_limits<double>::infinity(), 0, 0});
  }

  std::size_t size() const { return steps_.size(); }
  /// Something of the step begins (ends) at `time`.
  void begin(std::size_t step, double time) {
    steps_[step].begin = std::min(steps_[step].begin, time);
  }
  void end(std::size_t step, double time) { steps_[step].end = std::max(steps_[step].end, time); }
  /// See ReplayedStep::busy: of an exchange, and of a sweep.
  void add_busy(std::size_t step, double seconds) { steps_[step].busy += seconds; }
  void count_computing(std::size_t step, double seconds) {
    steps_[step].busy = std::max(steps_[step].busy, seconds);
  }
  /// The steps, when all have ended.
  std::vector<ReplayedStep> take() {
    for (ReplayedStep& step : steps_) step.begin = std::min(step.begin, step.end);
    return std::move(steps_);
  }

 private:
  std::vector<ReplayedStep> steps_;
};

}  // namespace weft
