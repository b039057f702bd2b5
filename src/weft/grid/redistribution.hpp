// grid/redistribution: who gives which box to whom, going from one decomposition to another.
// Pure: no MPI, no memory. Keeps: mirror, reversal, conservation.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weft/grid/cutting.hpp"
#include "weft/grid/decomposition.hpp"

namespace weft {

/// One box that moves between me and `peer`: a part of box `source_box` of the giver and of box
/// `target_box` of the taker.
struct Transfer {
  int peer;
  int source_box, target_box;
  Box box;
  int cell = 0;  ///< of the cutting

  friend bool operator==(const Transfer&, const Transfer&) = default;
};

/// Going from `source` to `target`, two decompositions of the same grid over the same owners; what
/// moves may be cut finer than their boxes.
class Redistribution {
 public:
  Redistribution(Decomposition source, Decomposition target, Cutting cutting = {});

  const Decomposition& source() const { return source_; }
  const Decomposition& target() const { return target_; }
  int owners() const { return source_.owners(); }
  const Cutting& cutting() const { return cutting_; }

  /// What `owner` gives, itself included: peers ascending, then source_box, target_box and cell.
  std::vector<Transfer> sends(int owner) const;
  /// What `owner` takes, in the same order: what a lists as given to b is what b lists as taken
  /// from a.
  std::vector<Transfer> receives(int owner) const;

  Redistribution reversed() const { return {target_, source_, cutting_.reversed()}; }

 private:
  std::vector<Transfer> meetings(int owner, bool gives) const;
  std::vector<Transfer> cut(const std::vector<Transfer>& transfers, int owner, bool gives) const;

  Decomposition source_, target_;
  Cutting cutting_;
};

}  // namespace weft
