// exchange/alltoallv: one MPI_Alltoallv of messages that passes have stored, over the ranks that
// exchange with each other. Counts beyond an int go through MPI_Alltoallw and large types.

#include <mpi.h>

#include "weft/comm/datatype.hpp"
#include "weft/exchange/exchange.hpp"
#include "weft/exchange/group.hpp"
#include "weft/exchange/messages.hpp"

namespace weft {

namespace {

// Counts and displacements of one side, by rank of the group.
struct Lists {
  std::vector<int> counts, displacements;
  std::vector<Datatype> owned;  // large messages only
  std::vector<MPI_Datatype> types;

  Lists(const Messages& side, const Group& group, std::int64_t element_bytes, bool large) {
    const auto ranks = static_cast<std::size_t>(group.comm.size());
    counts.assign(ranks, 0);
    displacements.assign(ranks, 0);
    types.assign(ranks, carrier(element_bytes));
    for (const Message& message : side.messages) {
      const auto peer =
          static_cast<std::size_t>(group.rank_in_group[static_cast<std::size_t>(message.peer)]);
      if (large) {
        const Datatype run = run_type(carrier(element_bytes), message.count);
        owned.push_back(
            struct_type({static_cast<MPI_Aint>(message.offset * element_bytes)}, {run.handle()}));
        types[peer] = owned.back().handle();
        counts[peer] = 1;
      } else {
        counts[peer] = narrow(message.count);
        displacements[peer] = narrow(message.offset);
      }
    }
  }
};

class Alltoallv : public Exchange {
 public:
  explicit Alltoallv(const ExchangeSpec& spec)
      : group_(*spec.comm, spec.moves),
        sides_(spec.moves, spec.comm->rank(), spec.send_buffer, spec.receive_buffer),
        element_bytes_(spec.element_bytes),
        send_buffer_(spec.send_buffer),
        receive_buffer_(spec.receive_buffer),
        large_(group_.comm.max(std::max(sides_.sent.elements, sides_.received.elements)) >
               spec.count_limit),
        sends_(sides_.sent, group_, element_bytes_, large_),
        receives_(sides_.received, group_, element_bytes_, large_) {
    ensure(!spec.source_array && !spec.target_array);
    outgoing_ = sides_.sent.patches;
    outgoing_.insert(outgoing_.end(), sides_.kept.begin(), sides_.kept.end());
    incoming_ = sides_.received.patches;
    incoming_.insert(incoming_.end(), sides_.kept.begin(), sides_.kept.end());
    outgoing_messages_ = static_cast<int>(sides_.sent.messages.size());
    incoming_messages_ = static_cast<int>(sides_.received.messages.size());
    send_elements_ = sides_.sent.elements;
    receive_elements_ = sides_.receive_elements;
    for (const Message& message : sides_.sent.messages)
      sent_.push_back({message.peer, message.count * element_bytes_});
  }

  void flush() override {
    if (group_.comm.size() == 1) return;
    void* from = address(send_buffer_);
    void* to = address(receive_buffer_);
    if (large_)
      check_mpi(MPI_Alltoallw(from, sends_.counts.data(), sends_.displacements.data(),
                              sends_.types.data(), to, receives_.counts.data(),
                              receives_.displacements.data(), receives_.types.data(),
                              group_.comm.handle()),
                "MPI_Alltoallw");
    else
      check_mpi(MPI_Alltoallv(from, sends_.counts.data(), sends_.displacements.data(),
                              carrier(element_bytes_), to, receives_.counts.data(),
                              receives_.displacements.data(), carrier(element_bytes_),
                              group_.comm.handle()),
                "MPI_Alltoallv");
  }

 private:
  Group group_;
  MessageSides sides_;
  std::int64_t element_bytes_;
  int send_buffer_, receive_buffer_;
  bool large_;
  Lists sends_, receives_;
};

}  // namespace

ExchangeRow alltoallv_row() {
  return {"alltoallv",
          "MPI_Alltoallv of messages stored by the passes",
          false,
          false,
          Preferred::never,
          everywhere,
          [](const ExchangeSpec& spec) -> std::unique_ptr<Exchange> {
            return std::make_unique<Alltoallv>(spec);
          }};
}

}  // namespace weft
