// exchange/message_exchange: what exchanges have in common that send one message per pair of ranks
// and cell, and leave in place what stays with its rank.
#pragma once

#include "weft/exchange/exchange.hpp"
#include "weft/exchange/messages.hpp"

namespace weft {

class MessageExchange : public Exchange {
 public:
  explicit MessageExchange(const ExchangeSpec& spec)
      : sides_(spec.moves, spec.comm->rank(), spec.send_buffer, spec.receive_buffer),
        send_buffer_(spec.send_buffer),
        receive_buffer_(spec.receive_buffer) {
    ensure(!spec.source_array && !spec.target_array);
    outgoing_ = sides_.outgoing;
    incoming_ = sides_.incoming;
    outgoing_messages_ = sides_.outgoing_messages();
    incoming_messages_ = sides_.incoming_messages();
    send_elements_ = sides_.sent.elements;
    receive_elements_ = sides_.receive_elements;
    for (const Message& message : sides_.sent.messages)
      sent_.push_back({message.peer, message.count * spec.element_bytes});
    make_room();
  }

  void ready(int message) final {
    const auto sent = static_cast<int>(sides_.sent.messages.size());
    if (message < sent)
      ready_to_send(message);
    else
      arrivals_.push_back(message - sent + static_cast<int>(sides_.received.messages.size()));
  }

 protected:
  virtual void ready_to_send(int message) = 0;
  /// What stays with its rank included.
  bool has_all() const { return arrivals_.size() == static_cast<std::size_t>(incoming_messages_); }

  MessageSides sides_;
  int send_buffer_, receive_buffer_;
};

}  // namespace weft
