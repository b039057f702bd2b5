// exchange/messages: one message per peer, its boxes one after another - the order in which both
// sides store and find them, so that sizes and orders are never negotiated.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/grid/patches.hpp"
#include "weft/grid/redistribution.hpp"

namespace weft {

/// A message to or from `peer`: `count` elements from element `offset` of its buffer on.
struct Message {
  int peer;
  std::int64_t offset, count;
};

/// One side's messages, in the order of the transfers, and where their boxes lie.
struct Messages {
  std::vector<Message> messages;
  Patches patches;
  std::int64_t elements = 0;  ///< of the buffer

  /// Packs the transfers peer by peer into `buffer`, from element `start` on.
  static Messages packed(const std::vector<Transfer>& transfers, int buffer,
                         std::int64_t start = 0);
};

/// The transfers that leave `owner` (or come from others), from the next rank on, and those that
/// stay.
struct Parted {
  std::vector<Transfer> away, kept;
};
Parted parted(const std::vector<Transfer>& transfers, int owner);

/// Both sides of a redistribution in message order. What stays with its owner rests at the end of
/// the receive buffer, where the storing pass puts it and the loading pass finds it.
struct MessageSides {
  Messages sent, received;
  Patches kept;  ///< resident patches in the receive buffer
  std::int64_t receive_elements = 0;

  MessageSides(const Redistribution& moves, int rank, int send_buffer, int receive_buffer);
};

}  // namespace weft
