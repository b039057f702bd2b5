// exchange/alltoall: every pair sends equally much, padded to the largest message, through
// MPI_Alltoall over the ranks that exchange with each other. Below 256 bytes a pair MPI_Alltoallv
// takes up to twice as long (Subramoni, "Communication for FFTs at exascale", OSU).

#include <mpi.h>

#include <algorithm>

#include "weft/comm/datatype.hpp"
#include "weft/exchange/exchange.hpp"
#include "weft/exchange/group.hpp"
#include "weft/exchange/messages.hpp"

namespace weft {

namespace {

std::int64_t largest(const Messages& side) {
  std::int64_t most = 0;
  for (const Message& message : side.messages) most = std::max(most, message.count);
  return most;
}

class Alltoall : public Exchange {
 public:
  explicit Alltoall(const ExchangeSpec& spec)
      : group_(*spec.comm, spec.moves),
        send_buffer_(spec.send_buffer),
        receive_buffer_(spec.receive_buffer),
        type_(carrier(spec.element_bytes)) {
    ensure(!spec.source_array && !spec.target_array);
    const int rank = spec.comm->rank();
    // What stays takes the rank's own slot and is copied by MPI with the rest.
    Messages sent = Messages::packed(spec.moves.sends(rank), spec.send_buffer);
    Messages received = Messages::packed(spec.moves.receives(rank), spec.receive_buffer);
    slot_ = group_.comm.max(std::max(largest(sent), largest(received)));
    count_ = slot_;
    if (slot_ > spec.count_limit) {
      large_ = run_type(type_, slot_);
      type_ = large_.handle();
      count_ = 1;
    }
    place_in_slots(sent);
    place_in_slots(received);
    outgoing_ = std::move(sent.patches);
    incoming_ = std::move(received.patches);
    outgoing_messages_ = static_cast<int>(sent.messages.size());
    incoming_messages_ = static_cast<int>(received.messages.size());
    send_elements_ = receive_elements_ = slot_ * group_.comm.size();
    for (int peer = 0; peer < spec.comm->size(); ++peer)
      if (peer != rank && slot_ > 0 && group_.rank_in_group[static_cast<std::size_t>(peer)] >= 0)
        sent_.push_back({peer, slot_ * spec.element_bytes});
  }

  void flush() override {
    if (slot_ == 0) return;
    check_mpi(MPI_Alltoall(address(send_buffer_), narrow(count_), type_, address(receive_buffer_),
                           narrow(count_), type_, group_.comm.handle()),
              "MPI_Alltoall");
  }

 private:
  void place_in_slots(Messages& side) const {
    for (Patch& patch : side.patches) {
      const Message& message = side.messages[static_cast<std::size_t>(patch.message)];
      const std::int64_t slot = group_.rank_in_group[static_cast<std::size_t>(message.peer)];
      patch.offset += slot * slot_ - message.offset;
    }
  }

  Group group_;
  int send_buffer_, receive_buffer_;
  MPI_Datatype type_;
  Datatype large_;
  std::int64_t slot_ = 0, count_ = 0;
};

}  // namespace

ExchangeRow alltoall_row() {
  return {"alltoall",
          "MPI_Alltoall of messages padded to equal size; for small messages",
          false,
          false,
          Preferred::small_messages,
          everywhere,
          [](const ExchangeSpec& spec) -> std::unique_ptr<Exchange> {
            return std::make_unique<Alltoall>(spec);
          }};
}

}  // namespace weft
