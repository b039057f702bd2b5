// planning/traffic: how much the busiest rank sends or receives in an exchange, estimated without a
// list of all transfers.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "weft/grid/decomposition.hpp"
#include "weft/machine/machine.hpp"
#include "weft/planning/constants.hpp"
#include "weft/planning/rank_boxes.hpp"

namespace weft {

/// Points that one rank sends in an exchange, and the number of ranks that receive them, not
/// counting what the rank keeps. The `far` members count only ranks of other nodes.
struct Traffic {
  std::int64_t points = 0, messages = 0;
  std::int64_t far_points = 0, far_messages = 0;
};

/// What the busiest rank sends or receives, whichever is more, between two decompositions. If there
/// are many ranks, only a sample is examined; but if far_points is 0, then no rank sends anything
/// to another node.
Traffic busiest_traffic(const Decomposition& from, const Decomposition& to, const Machine& machine,
                        std::int64_t sampled_ranks = constants::most_sampled_ranks);

/// busiest_traffic on one machine, for several searches: what was asked of two process grids is
/// remembered. Between the same two grids it is the same in both directions. Not for several
/// threads at once.
class TrafficMemo {
 public:
  explicit TrafficMemo(Machine machine);
  TrafficMemo(const TrafficMemo&) = delete;
  TrafficMemo& operator=(const TrafficMemo&) = delete;

  Traffic between(const Decomposition& from, const Decomposition& to);

 private:
  using Key = std::tuple<Extents, Dims, Dims>;  // of the field; parts of one grid, and of the other
  struct Grid {
    std::unique_ptr<const Decomposition> at;
    std::unique_ptr<RankBoxes> boxes;
  };

  RankBoxes& boxes(const Decomposition& at);

  Machine machine_;
  RanksOfNodes ranks_;
  std::map<std::pair<Extents, Dims>, Grid> grids_;  // by extents and parts
  std::map<Key, Traffic> known_;
};

}  // namespace weft
