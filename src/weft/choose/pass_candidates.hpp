// choose/pass_candidates: the ways in which the passes of a strategy may be executed.
// Keeps: agreement - all ranks list the same, although they may have more or less to do, and
// different processors.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "weft/choose/pass_samples.hpp"
#include "weft/comm/communicator.hpp"
#include "weft/fft/engine_set.hpp"

namespace weft {

/// The candidates for each stage of the samples' strategy; the first is what was chosen before.
class PassCandidates {
 public:
  /// `names` are those of the engines to try; `width` is the usual width of lanes, if it is the
  /// same on all ranks. `samples` and `engines` must outlive this. Not collective.
  PassCandidates(const PassSamples& samples, EngineSet& engines, std::vector<std::string> names,
                 std::int64_t width)
      : samples_(samples), engines_(engines), names_(std::move(names)), width_(width) {}

  /// Takes what the rule of any rank says for that of all; needed before all else. Collective.
  void agree_on_rules(const Communicator& comm);

  /// What a pass does without a choice, in words of a choice.
  PassChoice by_rule(std::size_t stage) const;
  /// Every engine for all axes, with columns as columns and made contiguous.
  std::vector<PassChoice> of_engines(std::size_t stage) const;
  /// Other engines for all axes but the last, whose lines are contiguous in most passes.
  std::vector<PassChoice> of_first_axes(std::size_t stage) const;
  /// What the rule does not do: prefetches, or none; loads and stores through buffers, or directly.
  std::vector<PassChoice> of_walks(std::size_t stage) const;

 private:
  const std::string& usual_engine() const { return samples_.strategy().engine; }
  bool is_fourier(int axis) const { return samples_.basis(axis) == Basis::fourier; }
  bool keeps_columns(const std::string& name, std::size_t stage) const;
  bool prefers_columns(const std::string& name, std::size_t stage) const;
  bool is_same_width(const std::string& name) const;
  std::vector<std::string> engines_for(std::size_t stage, bool are_columns) const;

  const PassSamples& samples_;
  EngineSet& engines_;
  std::vector<std::string> names_;
  std::int64_t width_;
  std::vector<WalkRule> walks_;                                          // of each stage
  std::map<std::pair<std::string, std::size_t>, bool> prefers_columns_;  // by engine and stage
};

}  // namespace weft
