// exchange/p2p: one isend and one irecv per pair. A message leaves when its last point is stored,
// and a tile is loaded as soon as the messages it needs are in.

#include <mpi.h>

#include <algorithm>

#include "weft/comm/datatype.hpp"
#include "weft/exchange/exchange.hpp"
#include "weft/exchange/messages.hpp"

namespace weft {

namespace {

constexpr int tag = 0;  // the communicator is the plan's own, and pairs exchange in order

class P2p : public Exchange {
 public:
  explicit P2p(const ExchangeSpec& spec)
      : comm_(spec.comm),
        element_bytes_(spec.element_bytes),
        send_buffer_(spec.send_buffer),
        receive_buffer_(spec.receive_buffer) {
    ensure(!spec.source_array && !spec.target_array);
    const MessageSides sides(spec.moves, comm_->rank(), send_buffer_, receive_buffer_);
    outgoing_ = sides.sent.patches;
    outgoing_.insert(outgoing_.end(), sides.kept.begin(), sides.kept.end());
    incoming_ = sides.received.patches;
    incoming_.insert(incoming_.end(), sides.kept.begin(), sides.kept.end());
    send_elements_ = sides.sent.elements;
    receive_elements_ = sides.receive_elements;
    for (const Message& message : sides.sent.messages) {
      sends_.push_back(posted(message, spec.count_limit));
      sent_.push_back({message.peer, message.count * element_bytes_});
    }
    for (const Message& message : sides.received.messages)
      receives_.push_back(posted(message, spec.count_limit));
    outgoing_messages_ = static_cast<int>(sends_.size());
    incoming_messages_ = static_cast<int>(receives_.size());
    requests_.assign(sends_.size() + receives_.size(), MPI_REQUEST_NULL);
    has_left_.assign(sends_.size(), 0);
  }
  P2p(const P2p&) = delete;
  P2p& operator=(const P2p&) = delete;
  // Requests are left over only where an error ended a run: nothing may arrive in freed memory.
  ~P2p() override {
    if (!mpi_is_running()) return;
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      if (requests_[i] == MPI_REQUEST_NULL) continue;
      if (i < receives_.size()) {
        MPI_Cancel(&requests_[i]);
        MPI_Wait(&requests_[i], MPI_STATUS_IGNORE);
      } else {
        MPI_Request_free(&requests_[i]);
      }
    }
  }

  void start(const Addresses& addresses) override {
    Exchange::start(addresses);
    std::fill(has_left_.begin(), has_left_.end(), 0);
    for (std::size_t i = 0; i < receives_.size(); ++i) {
      const Posted& receive = receives_[i];
      check_mpi(MPI_Irecv(address(receive_buffer_) + receive.offset_bytes, receive.count,
                          type_of(receive), receive.peer, tag, comm_->handle(), &requests_[i]),
                "MPI_Irecv");
    }
  }

  void ready(int message) override {
    const auto i = static_cast<std::size_t>(message);
    const Posted& send = sends_[i];
    check_mpi(MPI_Isend(address(send_buffer_) + send.offset_bytes, send.count, type_of(send),
                        send.peer, tag, comm_->handle(), &requests_[receives_.size() + i]),
              "MPI_Isend");
    has_left_[i] = 1;
  }

  void flush() override {
    for (int message = 0; message < outgoing_messages_; ++message)
      if (has_left_[static_cast<std::size_t>(message)] == 0) ready(message);
  }

  void await(int message) override {
    check_mpi(MPI_Wait(&requests_[static_cast<std::size_t>(message)], MPI_STATUS_IGNORE),
              "MPI_Wait");
  }

  void finish() override {
    check_mpi(
        MPI_Waitall(outgoing_messages_ + incoming_messages_, requests_.data(), MPI_STATUSES_IGNORE),
        "MPI_Waitall");
  }

 private:
  // One side of a message; `large` where its count does not fit an int.
  struct Posted {
    int peer;
    std::int64_t offset_bytes;
    int count;
    Datatype large;
  };

  Posted posted(const Message& message, std::int64_t count_limit) const {
    const std::int64_t offset = message.offset * element_bytes_;
    if (message.count <= count_limit) return {message.peer, offset, narrow(message.count), {}};
    return {message.peer, offset, 1, run_type(carrier(element_bytes_), message.count)};
  }
  MPI_Datatype type_of(const Posted& posted) const {
    return posted.large.handle() == MPI_DATATYPE_NULL ? carrier(element_bytes_)
                                                      : posted.large.handle();
  }

  const Communicator* comm_;
  std::int64_t element_bytes_;
  int send_buffer_, receive_buffer_;
  std::vector<Posted> sends_, receives_;
  std::vector<char> has_left_;
  std::vector<MPI_Request> requests_;  // receives, then sends
};

}  // namespace

ExchangeRow p2p_row() {
  return {"p2p",
          "isend and irecv; tiles are taken further as their messages arrive",
          false,
          false,
          true,
          [](const Problem&, const Machine&) -> std::optional<std::string> { return std::nullopt; },
          [](const ExchangeSpec& spec) -> std::unique_ptr<Exchange> {
            return std::make_unique<P2p>(spec);
          }};
}

}  // namespace weft
