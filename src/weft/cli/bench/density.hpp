// cli/bench/density: `weft bench --workload density` - the density step of a plane-wave code for
// many instances at once (Lee, Charm-FFT, 2018). Each instance transforms a field from g-space to
// real space, computes |psi|^2 at every point, and transforms back; a reduction ends the step.
#pragma once

#include <string>
#include <vector>

#include "weft/cli/bench/bench_setup.hpp"
#include "weft/cli/command.hpp"
#include "weft/ensemble_policy.hpp"

namespace weft::cli {

/// The number of instances, and which ranks work on which.
struct Instances {
  int count = 1;
  EnsemblePolicy::Form policy = EnsemblePolicy::automatic;
};

/// The measurement of the instances of one problem; the strategy is that of the first instance.
struct DensityMeasurement : Setup {
  Instances instances;  ///< with the policy that `automatic` has chosen
  int subsets = 1;      ///< number of sets of ranks that have instances of their own
  Times completion;     ///< of all instances, from a barrier to the end of the reduction
  Times average;        ///< from start to end of one instance, averaged over all instances
};

/// Makes plans and measures them. Collective.
DensityMeasurement measure_density(const Surroundings& here, const Problem& problem,
                                   const Options& options, const Repetition& repetition,
                                   const Instances& instances);

/// A table with one row per measurement, then the strategies.
std::string table_of(const std::vector<DensityMeasurement>& measurements);

/// A JSON array with one object per measurement.
std::string json_of(const std::vector<DensityMeasurement>& measurements);

}  // namespace weft::cli
