// choose/pass_samples: samples of the passes of a strategy, which do what is chosen for them.
// Pure: makes no MPI call and no FFT library's.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/choose/walk_rule.hpp"
#include "weft/making/blueprint.hpp"
#include "weft/making/sample.hpp"
#include "weft/problem/axis_transform.hpp"

namespace weft {

/// One of the samples, the pass of it that executes a stage, and what that pass does by rule.
struct StageSample {
  std::size_t sample, pass;
  WalkRule rule;
};

/// The strategy of a blueprint, and samples of what a rank does in both directions.
class PassSamples {
 public:
  /// `blueprint` must outlive this.
  PassSamples(const Blueprint& blueprint, int rank);

  const Strategy& strategy() const { return strategy_; }
  const std::vector<Sample>& all() const { return samples_; }
  int threads() const { return threads_; }

  std::size_t stages() const { return of_stage_.size(); }
  /// The passes of this stage in the samples; none of an exchange.
  const std::vector<StageSample>& of_stage(std::size_t stage) const { return of_stage_[stage]; }
  /// Whether a stage is a pass that transforms tile by tile.
  bool has_choice(std::size_t stage) const;
  const PassStage& pass(std::size_t stage) const {
    return std::get<PassStage>(strategy_.stages[stage]);
  }
  /// Makes `choice` that of a stage, in the strategy and in all samples.
  void set(std::size_t stage, const PassChoice& choice);

  /// Whether lines of the last axis of a pass may be columns.
  bool has_columns(std::size_t stage) const;
  std::int64_t points_along(int axis) const;
  Basis basis(int axis) const;
  Norm norm() const { return blueprint_.problem.norm; }

  /// What the walks over one grain of each sample take, of which no sample has fewer; 0 if speeds
  /// are not known.
  double seconds_of_grains() const;
  /// Lets the samples load this part of what they load, but no less than a few tiles a thread.
  void shrink(double part);

 private:
  void add_direction(bool is_forward, int rank);
  std::int64_t bytes_for(const SweepProgram& sweep, std::int64_t bytes, std::int64_t grains) const;

  const Blueprint& blueprint_;
  int threads_;
  Strategy strategy_;
  std::vector<Sample> samples_;
  std::vector<std::vector<StageSample>> of_stage_;
};

}  // namespace weft
