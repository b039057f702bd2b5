// grid/redistribution: which owner sends which box to which other, from one decomposition to
// another. Pure: no MPI, no memory. Keeps: mirror, reversal, conservation.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weft/grid/cutting.hpp"
#include "weft/grid/decomposition.hpp"

namespace weft {

/// One box that an owner sends to `peer` or receives from it: a part of box `source_box` of the
/// sender and of box `target_box` of the receiver.
struct Transfer {
  int peer;
  int source_box, target_box;
  Box box;
  int cell = 0;  ///< the cell of the cutting that contains the box

  friend bool operator==(const Transfer&, const Transfer&) = default;
};

/// The transfers from `source` to `target`, two decompositions of the same grid over the same
/// owners. A cutting divides them further, into cells.
class Redistribution {
 public:
  Redistribution(Decomposition source, Decomposition target, Cutting cutting = {});

  const Decomposition& source() const { return source_; }
  const Decomposition& target() const { return target_; }
  int owners() const { return source_.owners(); }
  const Cutting& cutting() const { return cutting_; }

  /// What `owner` sends, including what it keeps: in ascending order of peer, source_box,
  /// target_box and cell.
  std::vector<Transfer> sends(int owner) const;
  /// What `owner` receives, in the same order: what a lists as sent to b is what b lists as
  /// received from a.
  std::vector<Transfer> receives(int owner) const;

  Redistribution reversed() const { return {target_, source_, cutting_.reversed()}; }

 private:
  std::vector<Transfer> transfers(int owner, bool sending) const;
  std::vector<Transfer> cut(const std::vector<Transfer>& transfers, int owner, bool sending) const;

  Decomposition source_, target_;
  Cutting cutting_;
};

}  // namespace weft
