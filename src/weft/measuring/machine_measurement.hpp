// measuring/machine_measurement: what `weft doctor` was told of the machine that it runs on, and
// what it measured there; plain values, the same on every rank.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/machine/machine_model.hpp"
#include "weft/options.hpp"

namespace weft {

/// The same work, done several times: the fastest and the median of the times, in seconds.
struct Repeated {
  double best = 0, median = 0;

  /// How much longer than the fastest the median is; 1 on a machine that does nothing else.
  double spread() const { return best > 0 ? median / best : 1; }
};

/// Where a rank is, and what it may use there.
struct RankPlace {
  int node = 0;  ///< of the machine that is described; may be pretended
  int host = 0;  ///< of the machine that is there: ranks that can share memory have the same one
  int threads = 1;
  std::vector<std::int64_t> processors, cores;  ///< see CoreBinding
};

/// A host of the job.
struct Host {
  int cores = 1, processors = 1;  ///< that are there
  /// Processors that control groups allow to the job, as their quota of time; 0: no quota.
  int quota = 0;
};

/// What the system and MPI tell.
struct JobFacts {
  std::string name, mpi;
  std::string huge_pages;  ///< always, madvise or never; empty if unknown
  bool has_mpi_threads = false;
  std::string why_not_shared;  ///< see Machine
  std::vector<RankPlace> ranks;
  std::vector<Host> hosts;
  int nodes = 1, ranks_per_node = 1, cores_per_node = 1;  ///< of the largest node
  std::int64_t cache_bytes = 0, shared_cache_bytes = 0;  ///< of a core; of a node, of all its cores
  /// Memory that measurements may use on a rank: its share of an eighth of what is free.
  std::int64_t spare_bytes = 0;
};

/// What some cores of a node load and store together, in bytes per second: in copies and in triads
/// of STREAM, and in walks of passes, tile by tile, over memory and within the shared cache.
struct MemorySpeed {
  int cores = 1;
  double copy = 0, triad = 0;
  double spread = 1;
  double walk = 0, cached_walk = 0;  ///< the latter 0 where there is no shared cache to speak of
};

struct MemoryMeasurement {
  std::vector<MemorySpeed> speeds;  ///< ascending cores, from 1 on
  std::int64_t bytes_per_core = 0;  ///< of the arrays of each core
  bool exceeds_caches = true;       ///< whether the arrays are larger than the caches
};

/// What an engine takes for a point of lines in cache, on one core, in seconds: of complex doubles,
/// in contiguous lines and in columns; and of the default engine, of contiguous real doubles and of
/// single precision, 0 of others.
struct LineSpeed {
  std::int64_t points = 0;
  double rows = 0, columns = 0;
  double real_rows = 0, single_rows = 0, single_columns = 0;

  double mean() const { return mean_of_axes(rows, columns); }
};

struct EngineMeasurement {
  std::string name;
  std::vector<LineSpeed> speeds;  ///< ascending points
  double spread = 1;
};

/// A message, or a collective call, of so many bytes between each pair of ranks.
struct SizedTime {
  std::int64_t bytes = 0;
  double seconds = 0;
};

/// Times of growing sizes. `bytes_factor` times the bytes of a size is what a rank sends, or a
/// node.
struct SizeCurve {
  std::string name;
  int bytes_factor = 1;
  std::vector<SizedTime> times;
  bool is_of_node = false;

  double bytes_per_second(const SizedTime& at) const {
    return static_cast<double>(at.bytes) * bytes_factor / at.seconds;
  }
};

/// Messages between two ranks, in one direction at a time.
struct PairSpeed {
  int first = 0, second = 0;
  bool share_host = false, share_node = false;
  double latency_seconds = 0, bytes_per_second = 0;
};

struct MessageMeasurement {
  std::vector<int> map_ranks;    ///< all, or some of them
  std::vector<PairSpeed> pairs;  ///< all pairs of these
  std::vector<SizeCurve> curves;
  /// What all ranks of a node send to another node, in each direction at the same time; 0 for one
  /// node.
  double node_bytes_per_second = 0;
  double message_seconds = 0, synchronization_seconds = 0;
  double message_seconds_per_byte = 0;  ///< that a rank cannot compute; 0 for one node
};

/// A pass of a transform, over one node.
struct PassSpeed {
  std::string name;
  double seconds = 0, bytes_per_second = 0, flops_per_second = 0;
};

struct PassMeasurement {
  std::int64_t points = 0;  ///< of the cube, along an axis
  std::string strategy;
  double spread = 1;
  std::vector<PassSpeed> passes;
};

/// How much of a transform's exchanges was hidden behind its passes.
struct OverlapSpeed {
  Progress progress = Progress::by_tiles;
  double hidden = 0;  ///< of the time of the exchanges, 0 to 1
};

/// What large copies of a device move, in bytes per second, and what its memory and its bus can do
/// at most (0: unknown).
struct DeviceSpeed {
  struct Figures {
    int number = 0;                             ///< of the device, as the rank numbers them
    double copy = 0, memory_peak = 0;           ///< within its memory: loaded and stored
    double up_pageable = 0, up_registered = 0;  ///< from memory of the processor
    double down_pageable = 0, down_registered = 0;
    double both_ways = 0;  ///< up and down at the same time, together, of registered memory
    double bus_peak = 0;   ///< each way
  };
  int rank = 0;  ///< that has measured it, the first of its host
  std::string name, bus;
  Figures figures;
};

/// A copy by one rank from the device memory of another one on its host.
struct DevicePair {
  int first = 0, second = 0;                ///< ranks: the second copies
  int first_device = 0, second_device = 0;  ///< as each numbers them
  double bytes_per_second = 0;
};

struct DeviceMeasurement {
  std::string driver;    ///< empty: none
  std::string why_none;  ///< why not
  std::vector<DeviceSpeed> speeds;
  std::vector<DevicePair> pairs;
  std::string why_no_pairs;  ///< ranks that cannot map each other's device memory
};

struct MachineMeasurement {
  JobFacts job;
  MemoryMeasurement memory;
  std::vector<EngineMeasurement> engines;  ///< the first is the default
  MessageMeasurement messages;
  PassMeasurement passes;
  std::vector<OverlapSpeed> overlap;
  DeviceMeasurement devices;
  /// Parts of which little or nothing was measured, as time was up.
  std::vector<std::string> cut_short;
  double seconds = 0;  ///< that all of it took
};

/// The machine that predictions take. All its numbers are finite and positive.
MachineModel machine_of(const MachineMeasurement& measured);

}  // namespace weft
