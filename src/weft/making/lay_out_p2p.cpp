// making/lay_out_p2p: an exchange by one message per pair of ranks and cell.

#include "weft/making/exchange_layout.hpp"

namespace weft {

ExchangeLayout layout_by_messages(const MessageSides& sides, std::int64_t element_bytes) {
  ExchangeLayout layout;
  layout.outgoing = sides.outgoing;
  layout.incoming = sides.incoming;
  layout.send_elements = sides.sent.elements;
  layout.receive_elements = sides.receive_elements;
  layout.program.element_bytes = element_bytes;
  for (const Message& message : sides.sent.messages)
    layout.sent.push_back({message.peer, message.count * element_bytes});
  return layout;
}

ExchangeLayout lay_out_p2p(const ExchangeQuestion& question) {
  ensure(!question.source_array && !question.target_array);
  const MessageSides sides(*question.moves, question.rank, question.send_buffer,
                           question.receive_buffer);
  ExchangeLayout layout = layout_by_messages(sides, question.element_bytes);
  layout.program.send_limit = ExchangeProgram::SendLimit::of_all;
  layout.program.sends = sides.sent.messages;
  layout.program.receives = sides.received.messages;
  for (auto* side : {&layout.program.sends, &layout.program.receives})
    for (Message& message : *side) message.tag = question.first_tag + message.cell;
  const int sends = static_cast<int>(sides.sent.messages.size());
  for (int m = 0; m < sides.outgoing_messages(); ++m)
    layout.outgoing_messages.push_back({.send = m < sends ? m : -1, .stays_as = sides.stays_as(m)});
  const int receives = static_cast<int>(sides.received.messages.size());
  for (int m = 0; m < sides.incoming_messages(); ++m)
    layout.incoming_messages.push_back({.receive = m < receives ? m : -1});
  return layout;
}

}  // namespace weft
