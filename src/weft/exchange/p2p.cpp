// exchange/p2p: one isend and one irecv per pair. A message leaves when its last point is stored,
// and a tile is loaded as soon as the messages it needs are in.

#include <algorithm>

#include "weft/exchange/exchange.hpp"
#include "weft/exchange/messages.hpp"
#include "weft/exchange/posted.hpp"

namespace weft {

namespace {

class P2p : public Exchange {
 public:
  explicit P2p(const ExchangeSpec& spec)
      : posted_(*spec.comm, spec.element_bytes, spec.count_limit),
        send_buffer_(spec.send_buffer),
        receive_buffer_(spec.receive_buffer) {
    ensure(!spec.source_array && !spec.target_array);
    const MessageSides sides(spec.moves, spec.comm->rank(), send_buffer_, receive_buffer_);
    outgoing_ = sides.sent.patches;
    outgoing_.insert(outgoing_.end(), sides.kept.begin(), sides.kept.end());
    incoming_ = sides.received.patches;
    incoming_.insert(incoming_.end(), sides.kept.begin(), sides.kept.end());
    send_elements_ = sides.sent.elements;
    receive_elements_ = sides.receive_elements;
    for (const Message& message : sides.received.messages) posted_.add_receive(message);
    for (const Message& message : sides.sent.messages) {
      posted_.add_send(message);
      sent_.push_back({message.peer, message.count * spec.element_bytes});
    }
    outgoing_messages_ = static_cast<int>(posted_.sends());
    incoming_messages_ = static_cast<int>(posted_.receives());
    has_left_.assign(posted_.sends(), 0);
  }

  void start(const Addresses& addresses) override {
    Exchange::start(addresses);
    std::fill(has_left_.begin(), has_left_.end(), 0);
    for (std::size_t i = 0; i < posted_.receives(); ++i)
      posted_.receive(i, address(receive_buffer_));
  }

  void ready(int message) override {
    const auto i = static_cast<std::size_t>(message);
    posted_.send(i, address(send_buffer_));
    has_left_[i] = 1;
  }

  void flush() override {
    for (int message = 0; message < outgoing_messages_; ++message)
      if (has_left_[static_cast<std::size_t>(message)] == 0) ready(message);
  }

  void await(int message) override { posted_.wait(static_cast<std::size_t>(message)); }
  void finish() override { posted_.wait_all(); }

 private:
  Posted posted_;
  int send_buffer_, receive_buffer_;
  std::vector<char> has_left_;
};

}  // namespace

ExchangeRow p2p_row() {
  return {"p2p",
          "isend and irecv; tiles are taken further as their messages arrive",
          false,
          false,
          Preferred::large_messages,
          everywhere,
          [](const ExchangeSpec& spec) -> std::unique_ptr<Exchange> {
            return std::make_unique<P2p>(spec);
          }};
}

}  // namespace weft
