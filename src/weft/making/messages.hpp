// making/messages: packs the boxes for one peer and one cell into one message.
// Pure. Keeps: both sides compute the same sizes and the same order; nothing is negotiated.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/grid/patches.hpp"
#include "weft/grid/redistribution.hpp"
#include "weft/program/program.hpp"

namespace weft {

/// The messages that a rank sends, or those that it receives, and the patches of their boxes.
struct Messages {
  std::vector<Message> messages;
  Patches patches;
  std::int64_t elements = 0;  ///< of the buffer

  /// Packs the transfers into `buffer`, from element `start` on: message by message, in the order
  /// in which peers and cells first appear.
  static Messages packed(const std::vector<Transfer>& transfers, int buffer,
                         std::int64_t start = 0);
};

/// Transfers between `owner` and other ranks (`away`), cell by cell and in each cell from the next
/// rank on; and transfers of the owner to itself (`kept`), cell by cell.
struct Parted {
  std::vector<Transfer> away, kept;
};
Parted parted(const std::vector<Transfer>& transfers, int owner);

/// The messages that a rank sends and receives in a redistribution. Data that stay with the rank
/// are messages to itself at the end of the receive buffer, where one pass stores them and the next
/// loads them; their numbers follow those of the messages sent, and of the messages received.
struct MessageSides {
  Messages sent, received, kept;
  Patches outgoing, incoming;  ///< patches to store to and to load from, with message numbers
  std::int64_t receive_elements = 0;

  int outgoing_messages() const { return count(sent) + count(kept); }
  int incoming_messages() const { return count(received) + count(kept); }
  /// The incoming number of an outgoing message that stays with the rank; -1 for one that is sent.
  int stays_as(int outgoing_message) const {
    const int number = outgoing_message - count(sent);
    return number < 0 ? -1 : count(received) + number;
  }

  MessageSides(const Redistribution& moves, int rank, int send_buffer, int receive_buffer);

 private:
  static int count(const Messages& side) { return static_cast<int>(side.messages.size()); }
};

/// The cells of the transfers, ascending, each once.
std::vector<int> cells_of(const std::vector<Transfer>& transfers);

/// The numbers of the messages in `cell`.
std::vector<int> messages_in(const Messages& side, int cell);

/// The ranks that `rank` exchanges data with, directly or through others, ascending: for pencils a
/// row or a column.
std::vector<int> connected_ranks(const Redistribution& moves, int rank);

}  // namespace weft
