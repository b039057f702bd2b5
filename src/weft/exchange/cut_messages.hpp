// exchange/cut_messages: the messages of an exchange cut into pieces, which go one after the other.
// Pure. Keeps: sender and receiver of a message compute the same pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/program/program.hpp"

namespace weft {

/// How messages are cut into pieces of about equal size. The pieces of a message have its peer and
/// its tag, and numbers that follow each other: MPI delivers them in the order in which they are
/// posted. A message without elements is one piece.
class CutMessages {
 public:
  /// Puts the pieces of its messages, of `piece_bytes` at most or one element, in the places of the
  /// messages of `exchange`.
  CutMessages(ExchangeProgram& exchange, std::int64_t piece_bytes);

  /// The pieces of message `message` of one kind, which is receive or send, have the numbers from
  /// first() on, up to the first one of the next message.
  int first(Task::Kind kind, int message) const;
  int end(Task::Kind kind, int message) const { return first(kind, message + 1); }

  /// A run begins: no piece has completed.
  void begin();
  /// The message of which piece `piece` is the last one to complete; -1 if others are missing.
  int complete(Task::Kind kind, int piece);

 private:
  // The receives, or the sends.
  struct Side {
    std::vector<int> firsts = {0};  // by message, and the number of all pieces
    std::vector<int> messages;      // by piece
    std::vector<int> left;          // pieces of each message that have not completed
  };
  Side& side(Task::Kind kind) { return kind == Task::receive ? receives_ : sends_; }
  const Side& side(Task::Kind kind) const { return kind == Task::receive ? receives_ : sends_; }
  static Side cut(std::vector<Message>& messages, std::int64_t most_elements);

  Side receives_, sends_;
};

}  // namespace weft
