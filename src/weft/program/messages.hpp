// program/messages: one message per peer and cell, its boxes one after another - the order in which
// both sides store and find them, so that sizes and orders are never negotiated.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/grid/patches.hpp"
#include "weft/grid/redistribution.hpp"
#include "weft/program/program.hpp"

namespace weft {

/// One side's messages, in the order of the transfers, and where their boxes lie.
struct Messages {
  std::vector<Message> messages;
  Patches patches;
  std::int64_t elements = 0;  ///< of the buffer

  /// Packs the transfers into `buffer`, from element `start` on: message by message, in the order
  /// in which peers and cells first appear.
  static Messages packed(const std::vector<Transfer>& transfers, int buffer,
                         std::int64_t start = 0);
};

/// The transfers that leave `owner` (or come from others), cell by cell and from the next rank on,
/// and those that stay, cell by cell.
struct Parted {
  std::vector<Transfer> away, kept;
};
Parted parted(const std::vector<Transfer>& transfers, int owner);

/// Both sides of a redistribution in message order. What stays with its owner rests at the end of
/// the receive buffer, where the storing pass puts it and the loading pass finds it: messages to
/// itself, numbered after those sent, and after those received.
struct MessageSides {
  Messages sent, received, kept;
  Patches outgoing, incoming;  ///< what is stored, and what is loaded, with the messages' numbers
  std::int64_t receive_elements = 0;

  int outgoing_messages() const { return count(sent) + count(kept); }
  int incoming_messages() const { return count(received) + count(kept); }
  /// The incoming number of an outgoing message that stays; -1 for one that is sent.
  int stays_as(int outgoing_message) const {
    const int number = outgoing_message - count(sent);
    return number < 0 ? -1 : count(received) + number;
  }

  MessageSides(const Redistribution& moves, int rank, int send_buffer, int receive_buffer);

 private:
  static int count(const Messages& side) { return static_cast<int>(side.messages.size()); }
};

/// The cells in which any of the transfers lies, ascending.
std::vector<int> cells_of(const std::vector<Transfer>& transfers);

/// Numbers of the messages in `cell`.
std::vector<int> messages_in(const Messages& side, int cell);

/// For every rank, the lowest rank that `moves` connects it with, directly or through others.
std::vector<int> lowest_connected(const Redistribution& moves);

/// The ranks that `moves` connects with `rank`, ascending: a row or a column of pencils.
std::vector<int> connected_ranks(const Redistribution& moves, int rank);

}  // namespace weft
