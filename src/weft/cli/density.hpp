// cli/density: `weft bench --workload density` - the density step of a plane-wave code, for many
// instances at once (Lee, Charm-FFT, 2018): a field in g-space, its transform to real space,
// |psi|^2 point by point, and back; a reduction tells that all are done.
#pragma once

#include <string>
#include <vector>

#include "weft/any_ensemble.hpp"
#include "weft/cli/bench_setup.hpp"
#include "weft/cli/command.hpp"

namespace weft::cli {

/// How many instances, and which ranks work on which.
struct Instances {
  int count = 1;
  EnsemblePolicy::Form policy = EnsemblePolicy::automatic;
};

/// What the instances of one problem took; the strategy is that of the first.
struct DensityMeasurement : Setup {
  Instances instances;  ///< with the policy that automatic came to
  int subsets = 1;      ///< sets of ranks that have instances of their own
  Times completion;     ///< of all instances, from one barrier to the reduction
  Times average;        ///< of one instance, from its start to its end: the mean over all
};

/// Plans and measures. Collective.
DensityMeasurement measure_density(const Surroundings& here, const Problem& problem,
                                   const Options& options, const Repetition& repetition,
                                   const Instances& instances);

/// A row per measurement, then their strategies.
std::string table_of(const std::vector<DensityMeasurement>& measurements);

/// An array of objects, one per measurement.
std::string json_of(const std::vector<DensityMeasurement>& measurements);

}  // namespace weft::cli
