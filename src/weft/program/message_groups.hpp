// program/message_groups: which messages of a program go together, and in which order, where a
// library moves them in groups that all ranks start in the same order.
// Pure. Keeps: both sides of a message are in groups of one exchange and one number.
#pragma once

#include <vector>

#include "weft/program/program.hpp"

namespace weft {

/// The messages of a cell of an exchange, or a collective, on one rank. It starts when all of its
/// tasks have been submitted and the group before has started, and its tasks complete together.
struct MessageGroup {
  /// A receive, a send or a collective of the exchange.
  struct Member {
    Task::Kind kind;
    int index;
    friend bool operator==(const Member&, const Member&) = default;
  };
  int exchange = 0;
  int number = 0;  ///< of the cell, or of the collective
  std::vector<Member> members;

  friend bool operator==(const MessageGroup&, const MessageGroup&) = default;
};

/// Whether the messages of an exchange are runs of bytes, which can go in groups. Boxes with
/// strides are not.
bool goes_in_groups(const ExchangeProgram& exchange);

/// The groups of a rank in the order in which it starts them: exchange by exchange, and cell by
/// cell. Cells without a message of this rank are left out, as are exchanges that move boxes.
std::vector<MessageGroup> message_groups(const Program& program);

}  // namespace weft
