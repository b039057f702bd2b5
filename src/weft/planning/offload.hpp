// planning/offload: what a transform of arrays in memory of the processor takes a device, with the
// copies over its bus, and whether processors are faster. Pure: makes no MPI call.
#pragma once

#include <string>
#include <vector>

#include "weft/planning/cost.hpp"
#include "weft/planning/route.hpp"

namespace weft {

/// Bytes per second that each rank has of its device while all ranks do the same.
struct DeviceSpeeds {
  double to_device = 0, from_device = 0;  ///< between registered memory and the device
  double memory = 0;                      ///< loaded and stored by the device
  bool are_measured = false;              ///< else they are nominal
};

/// What the busiest rank has to do, stage by stage, in bytes and seconds.
struct OffloadWork {
  struct Pass {
    double loaded = 0, stored = 0;
  };
  struct Messages {
    double seconds = 0;  ///< as processors exchange them
    double bytes = 0;    ///< that the rank sends to other nodes, and about as many come
  };
  double input_bytes = 0, output_bytes = 0;
  std::vector<Pass> passes;
  std::vector<Messages> exchanges;
  double hidden = 0;     ///< seconds of exchanges behind passes of processors
  bool streams = false;  ///< whether data stay in memory of the processor
};

/// In seconds.
struct OffloadCost {
  double copies = 0;    ///< over the bus, messages not included
  double passes = 0;    ///< on the device
  double messages = 0;  ///< between ranks, as far as no pass hides them

  double seconds() const { return copies + passes + messages; }
};

/// The work of `strategy`, whose `route` and `cost` these are, of which the latter has the speeds
/// of processors.
OffloadWork offload_work(const Strategy& strategy, const Route& route, const StrategyCost& cost);

/// What it takes. Arrays go to the device and back once; if data stream, each pass loads all over
/// the bus and stores it the other way at the same time, and no longer takes the device to compute.
/// Messages between nodes cross the bus both ways while others are under way.
OffloadCost offload_cost(const OffloadWork& work, const DeviceSpeeds& speeds);

/// Whether devices are predicted to be faster, and both predictions in words.
struct EngineChoice {
  bool is_device = false;
  std::string told;  ///< "predicted 4.800 ms on processors, 3.100 ms on cuda: of which ..."
};

/// The faster one; processors if both are equally fast.
EngineChoice faster_engine(double seconds_on_processors, const std::string& driver,
                           const OffloadCost& on_device, const DeviceSpeeds& speeds);

}  // namespace weft
