// machine/machine_model: how fast the parts of a machine are, and how its nodes are connected:
// what costs are predicted from, for machines that are not here as well. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/machine/machine.hpp"
#include "weft/machine/network_shape.hpp"

namespace weft {

/// How long one core takes for each point of complex double lines of so many points, in its cache:
/// of rows, which are contiguous, and of columns, which are not. And the fractions of that time
/// that real lines (with halved spectra) and lines of single precision take.
struct TransformSpeed {
  TransformSpeed() = default;
  TransformSpeed(std::int64_t of_points, double of_both)
      : TransformSpeed(of_points, of_both, of_both) {}
  TransformSpeed(std::int64_t of_points, double of_rows, double of_columns)
      : points(of_points), rows(of_rows), columns(of_columns) {}

  std::int64_t points = 256;
  double rows = 1e-9, columns = 1e-9;
  double real_part = 0.5, single_part = 0.5;

  friend bool operator==(const TransformSpeed&, const TransformSpeed&) = default;
};

/// What a node sends to other nodes per second, while it receives as much, in messages of so many
/// bytes.
struct MessageSpeed {
  std::int64_t bytes = 1 << 20;
  double bytes_per_second = 1e10;

  friend bool operator==(const MessageSpeed&, const MessageSpeed&) = default;
};

/// The mean over the three axes of a cube, of which one has contiguous lines, and two have columns.
constexpr double mean_of_axes(double rows, double columns) { return (rows + 2 * columns) / 3; }

/// How MPI_Alltoallv sends: all messages at once; or by rounds, in each of which every rank sends
/// one and receives one (see planning/pairwise).
enum class AlltoallvWay { at_once, pairwise };

/// Something that `weft doctor` found: what it is in one word, which stays the same from version to
/// version, in a sentence, and how to mend it.
struct Finding {
  std::string name, what, mend;

  friend bool operator==(const Finding&, const Finding&) = default;
};

/// The devices of a node, which its ranks share out, each with a bus of its own. None if `count` is
/// 0. Bytes, and bytes per second.
struct DevicesOfNode {
  int count = 0;
  std::int64_t memory_bytes = std::int64_t{64} << 30;  ///< of each
  double memory_bytes_per_second = 7e11;  ///< loaded and stored by large copies within a device
  double bus_bytes_per_second = 12e9;     ///< each way, between it and memory of the processor

  friend bool operator==(const DevicesOfNode&, const DevicesOfNode&) = default;
};

/// A machine of equal nodes. Numbers are in bytes, seconds and bytes per second.
struct MachineModel {
  std::string name = "unnamed", source;  ///< where its figures are from; empty: not known
  int ranks_per_node = 1, cores_per_node = 1;
  std::int64_t cache_bytes_per_core = std::int64_t{1} << 20;
  std::int64_t shared_cache_bytes_per_node = std::int64_t{32} << 20;
  /// What 1, 2, ... cores of a node load and store together in passes; the last number holds for
  /// more cores. The second list holds while all that they work on is in the shared cache; it is
  /// empty if this is not known.
  std::vector<double> memory_bytes_per_second{1e10};
  std::vector<double> shared_cache_bytes_per_second;
  std::vector<TransformSpeed> transforms = std::vector<TransformSpeed>(1);  ///< ascending points
  /// What a rank takes to send or receive a message, whatever its size, and what the ranks of a
  /// node take to wait for each other.
  double message_seconds = 1e-6, synchronization_seconds = 1e-6;
  /// What each byte that a rank sends to, or receives from, another node takes of the time in which
  /// it could compute, while the message is under way. 0: the network does it all.
  double message_seconds_per_byte = 0;
  /// Ascending bytes. The links of the network may carry more: this is what MPI and the network
  /// stack of a node make of it, message_seconds included. None: what the links carry.
  std::vector<MessageSpeed> message_speeds;
  AlltoallvWay alltoallv = AlltoallvWay::at_once;  ///< blocking or not
  NetworkShape network;
  DevicesOfNode devices;
  std::vector<Finding> findings;  ///< why its figures may be wrong; none of a machine of estimates

  friend bool operator==(const MachineModel&, const MachineModel&) = default;
};

/// The name of the machine as a line of a report has it: printable, and not longer than a line.
std::string shown_name(const MachineModel& machine);

/// Error::invalid, with the numbers, for a machine that cannot exist.
void check(const MachineModel& machine);

/// The first `ranks` ranks of the machine, node by node, as the planner takes them, each with
/// `threads` threads. Error::invalid if it has fewer.
Machine ranks_of(const MachineModel& machine, int ranks, int threads = 1);

/// Nodes of 16 cores with a link of 100 Gbit/s to one switch: an example, all of whose numbers are
/// estimates.
MachineModel cluster_100g();

/// A cluster whose nodes are all as large as the largest of `machine`, on a switch that never
/// limits the bandwidth. Memory, the shared cache, transforms, links and messages have the speeds
/// of `machine` where these were measured. Where they were not, they have nominal ones: those of
/// cluster_100g(), of one core and at most a quarter of the node's link a rank, whatever its
/// threads are, and a shared cache of twice the speed of memory.
MachineModel model_of(const Machine& machine);

/// What each of so many cores of a node, which are at work together, loads and stores per second
/// while they work on `bytes` bytes: at the speed of the shared cache for up to half of it, at that
/// of memory for all of it and more, and in between, of part of the bytes each.
double memory_share(const MachineModel& machine, int cores, double bytes);

/// Lines of complex doubles unless these say otherwise; columns are not contiguous, and the spectra
/// of real lines are halved.
struct LineForm {
  bool are_columns = false, are_real = false, are_single = false;
};

/// For a line of `points` points: interpolated between the lengths that are given, by log(points),
/// and in proportion to log(points) beyond them.
double transform_seconds_per_point(const MachineModel& machine, std::int64_t points,
                                   const LineForm& form);

/// What a node sends per second in messages of `bytes` bytes. Between the sizes that are given, the
/// time of a message is interpolated by its bytes; beyond them, the nearest size counts. Infinity
/// if none is given.
double message_speed(const std::vector<MessageSpeed>& speeds, double bytes);

}  // namespace weft
