// choose/rehearsal: runs a whole plan in several ways, where nothing less tells which is fastest.
// Keeps: agreement - all ranks run the same at the same time, and choose by the slowest rank.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "weft/choose/pass_trials.hpp"
#include "weft/choose/race.hpp"
#include "weft/comm/communicator.hpp"
#include "weft/making/blueprint.hpp"
#include "weft/options.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

/// Tries plans for one problem. Makes a plan with each candidate, and races them for about as many
/// seconds as are given, not counting what it takes to make them (see Race::run); not at all if
/// there is no time for two, which the speeds of this machine predict or a first run shows. The
/// planner's rule decides where nothing is tried: if there is not enough memory, if a plan or a run
/// fails with Error::system or Error::unsupported, and if transforms of this process are under way,
/// as their callbacks would be called.
class Rehearsal {
 public:
  /// Only those options of the setting that describe the machine are used. What it refers to must
  /// outlive the rehearsal.
  explicit Rehearsal(const RaceSetting& setting) : setting_(setting) {}

  /// Whether the data are about as large as a rank's part of the shared caches. If the data are
  /// smaller, the caches keep what a pass stores until it is loaded again; if they are larger, the
  /// caches do not; in between it depends on what else uses them.
  bool tells_stores(const Machine& machine) const;
  /// Whether a field fits a rank's part of the shared caches. There a pass over several axes saves
  /// walks within the caches, but leaves threads without work if it has few tiles, and how long
  /// rows are in a pass counts; larger fields are walked over as rarely as possible.
  bool tells_walks(const Machine& machine) const;

  /// Tries for the passes of the strategy of `blueprint` whether their stores should bypass the
  /// caches, and `by_rule`, the same strategy as it was before samples of its passes were tried:
  /// what is fastest in a sample may not be so beside the other passes. In doubt the faster of
  /// these two is kept. Errors as of AnyPlan. Collective.
  MeasuredStrategy of_stores(const Blueprint& blueprint, const Strategy& by_rule,
                             double seconds) const;
  /// Tries fewer and more passes, and other axes in each of them. Errors as of AnyPlan. Collective.
  MeasuredStrategy of_walks(const Blueprint& blueprint, double seconds) const;
  /// Tries `whole`, in which a library transforms all that a rank has between two exchanges, as the
  /// application would without weft (choose/whole_passes). Errors as of AnyPlan. Collective.
  MeasuredStrategy of_library(const Blueprint& blueprint, const std::vector<Strategy>& whole,
                              double seconds) const;

 private:
  // The strategy of `blueprint` and the first of `others` are `peers`, of which the fastest is kept
  // in doubt.
  MeasuredStrategy raced(const Blueprint& blueprint, const std::vector<Strategy>& others,
                         std::size_t peers, double seconds) const;

  RaceSetting setting_;
};

}  // namespace weft
