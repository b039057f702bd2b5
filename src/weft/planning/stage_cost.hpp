// planning/stage_cost: what a pass and an exchange take the busiest rank of a machine, in seconds.
// Pure: makes no MPI call.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "weft/machine/machine_model.hpp"
#include "weft/planning/pass_grouping.hpp"
#include "weft/planning/traffic.hpp"

namespace weft {

/// What a stage of the forward direction takes, in seconds, and why: of the busiest rank, node or
/// link.
struct StageCost {
  std::string name;  ///< as the strategy has it: "fft 2,1", "p2p to 1x8x1"
  bool is_exchange = false;
  double memory = 0;      ///< loads and stores at the rank's share of the bandwidth
  double transforms = 0;  ///< a pass: the transforms in the cache
  double messages = 0;    ///< an exchange: of a rank, for each one that it sends or receives
  double latency = 0;     ///< an exchange: of the longest route
  double links = 0;       ///< an exchange: of the link that takes longest for all that passes it;
                          ///< the sum of this over all rounds if it goes by rounds; at least what
                          ///< the node that sends or receives most takes for messages of this size,
                          ///< beyond `messages`
  int busiest_link = -1;  ///< the number of this link, also where a node takes longer
  /// An exchange: the time in which the busiest rank handles the bytes of its messages and cannot
  /// compute, while they are under way. The exchange takes at least this.
  double handling = 0;
  /// Sent to and received from other nodes by the busiest rank, or by the busiest node if its ranks
  /// send together; and their mean size.
  std::int64_t message_count = 0;
  double message_bytes = 0;

  double seconds() const;
  /// By how much handling is longer than all else that an exchange takes.
  double more_by_handling() const;
};

/// An exchange as costs look at it: the elements, the number of chunks, and whether what stays in a
/// node is not moved, and its ranks send together.
struct ExchangeForm {
  double point_bytes = 16;
  int chunks = 1;
  bool shares_memory = false;
};

/// What falls to each rank of the fullest node while all ranks do the same.
class RankSpeeds {
 public:
  /// `node_bytes_per_second`: of all links that leave the node for which that is least.
  RankSpeeds(const MachineModel& machine, const Machine& ranks, double node_bytes_per_second);

  /// Loaded and stored in passes, by all threads of a rank, in arrays of `bytes` bytes for each.
  double walked_bytes_per_second(double bytes) const { return memory(threads_, bytes); }
  /// Moved by MPI within the node, which loads and stores all once more.
  double moved_bytes_per_second() const { return memory(1, beyond_caches) / 2; }
  /// How many cores a rank has to itself.
  double cores() const;
  /// What a node takes to send so many bytes, or to receive them. Ranks that share memory send the
  /// message to another node in segments, one of them each.
  double node_seconds(double node_bytes, double message_bytes, bool shares_memory) const;
  /// An exchange of which only the busiest rank is known, as if messages met on the links of its
  /// node only. Without a name.
  StageCost exchange(const Traffic& traffic, const ExchangeForm& form) const;

  const MachineModel& machine() const { return *machine_; }

  static constexpr double beyond_caches = std::numeric_limits<double>::infinity();

 private:
  double memory(int threads, double bytes) const;

  const MachineModel* machine_;  // outlives this
  double node_bytes_per_second_;
  std::int64_t segment_bytes_;
  int threads_, nodes_, ranks_of_node_;
};

/// What passes over one field take. Remembers what it was asked: not for several threads at once.
class PassCosts {
 public:
  /// All must outlive this.
  PassCosts(const RankSpeeds& speeds, const Problem& problem, const FieldStates& states,
            const Machine& ranks);

  /// A pass of the busiest rank, which has `points` points when the axes in `done` are transformed;
  /// both become what they are after it. It takes its walk over memory and then its transforms, as
  /// measured passes do, though the longer of both would be possible. Without a name.
  StageCost cost(const PassStage& pass, double& points, unsigned& done) const;
  /// The same of a pass that only copies.
  double copy_seconds(double points, unsigned done) const;
  const PassGrouping& grouping() const { return grouping_; }

 private:
  // A line along an axis: the points that are stored of it before and after its transform.
  struct Line {
    double before, after, seconds;
  };
  struct Walks {
    double of_memory = 0, of_shared_cache = 0;
  };

  double walk_seconds(const Walks& walks, double bytes) const;

  const RankSpeeds& speeds_;
  const FieldStates& states_;
  bool in_place_;
  PassGrouping grouping_;
  std::vector<Line> lines_;  // by axis
  // By the axes of a pass, and whether it is one transform of a library.
  mutable std::map<std::pair<std::vector<int>, bool>, Walks> walks_;
};

}  // namespace weft
