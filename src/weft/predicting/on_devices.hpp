// predicting/on_devices: what the devices of a machine that one need not have take for a transform.
// Pure: makes no MPI call, and no driver's.
#pragma once

#include <optional>
#include <vector>

#include "weft/choose/ranking.hpp"
#include "weft/planning/offload.hpp"

namespace weft {

/// A strategy of devices, and what it is predicted to take with arrays that are in memory of the
/// processor before and after. Arrays that are on the devices save OffloadCost::copies, unless
/// data stream.
struct OnDevices {
  Strategy strategy;
  OffloadCost cost;
  DeviceSpeeds speeds;
  bool streams = false;  ///< whether the devices cannot hold what their ranks have
};

/// The fastest of `ranked`, which are for `problem` (validated; c2c or r2c) on the ranks of
/// `predictor`, if the devices of its machine transform. Ranks that share a device have equal parts
/// of it. Nothing if the machine has no devices, or if none of the strategies has lines that a
/// block of their threads holds.
std::optional<OnDevices> on_devices(const std::vector<Ranked>& ranked, const Problem& problem,
                                    const CostPredictor& predictor);

}  // namespace weft
