// exchange/cut_messages: cuts messages evenly, and counts the pieces of each that are left.

#include "weft/exchange/cut_messages.hpp"

#include <algorithm>
#include <utility>

#include "weft/grid/split.hpp"
#include "weft/program/index.hpp"

namespace weft {

CutMessages::CutMessages(ExchangeProgram& exchange, std::int64_t piece_bytes) {
  const std::int64_t most = std::max<std::int64_t>(1, piece_bytes / exchange.element_bytes);
  receives_ = cut(exchange.receives, most);
  sends_ = cut(exchange.sends, most);
}

CutMessages::Side CutMessages::cut(std::vector<Message>& messages, std::int64_t most) {
  Side side;
  std::vector<Message> pieces;
  for (const Message& message : messages) {
    const std::int64_t parts = std::max<std::int64_t>(1, (message.count + most - 1) / most);
    for (std::int64_t part = 0; part < parts; ++part) {
      const Range elements = split(message.count, parts, part);
      pieces.push_back(message);
      pieces.back().offset += elements.lo;
      pieces.back().count = elements.hi - elements.lo;
      side.messages.push_back(static_cast<int>(side.firsts.size()) - 1);
    }
    side.firsts.push_back(static_cast<int>(pieces.size()));
  }
  side.left.resize(messages.size());
  messages = std::move(pieces);
  return side;
}

int CutMessages::first(Task::Kind kind, int message) const {
  return side(kind).firsts[at(message)];
}

void CutMessages::begin() {
  for (Side* const side : {&receives_, &sends_})
    for (std::size_t m = 0; m < side->left.size(); ++m)
      side->left[m] = side->firsts[m + 1] - side->firsts[m];
}

int CutMessages::complete(Task::Kind kind, int piece) {
  Side& of_kind = side(kind);
  const int message = of_kind.messages[at(piece)];
  return --of_kind.left[at(message)] == 0 ? message : -1;
}

}  // namespace weft
