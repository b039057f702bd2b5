// exchange/alltoall: every pair sends equally much, padded to the largest message, through one
// MPI_Ialltoall per cell over the ranks that exchange with each other. Below 256 bytes a pair
// MPI_Alltoallv takes up to twice as long (Subramoni, "Communication for FFTs at exascale", OSU).

#include <mpi.h>

#include <algorithm>

#include "weft/comm/datatype.hpp"
#include "weft/exchange/collective_exchange.hpp"

namespace weft {

namespace {

// What stays takes the rank's own slot and is copied by MPI with the rest.
Messages all_messages(std::vector<Transfer> transfers, int buffer) {
  std::stable_sort(transfers.begin(), transfers.end(),
                   [](const Transfer& a, const Transfer& b) { return a.cell < b.cell; });
  return Messages::packed(transfers, buffer);
}

class Alltoall : public CollectiveExchange {
 public:
  explicit Alltoall(const ExchangeSpec& spec)
      : group_(*spec.comm, spec.moves),
        element_bytes_(spec.element_bytes),
        send_buffer_(spec.send_buffer),
        receive_buffer_(spec.receive_buffer) {
    ensure(!spec.source_array && !spec.target_array);
    const int rank = spec.comm->rank();
    const Cutting& cutting = spec.moves.cutting();
    Messages sent = all_messages(spec.moves.sends(rank), spec.send_buffer);
    Messages received = all_messages(spec.moves.receives(rank), spec.receive_buffer);
    std::vector<std::int64_t> slots(static_cast<std::size_t>(cutting.cells()), 0);
    for (const Messages* side : {&sent, &received})
      for (const Message& message : side->messages) {
        std::int64_t& slot = slots[static_cast<std::size_t>(message.cell)];
        slot = std::max(slot, message.count);
      }
    slots = largest_by_cell(group_.comm, slots);
    std::vector<std::int64_t> starts(slots.size());
    for (const int cell : cells_as_computed(cutting)) {
      const std::int64_t slot = slots[static_cast<std::size_t>(cell)];
      if (slot == 0) continue;
      starts[static_cast<std::size_t>(cell)] = send_elements_;
      add_cell(send_elements_, slot, spec);
      send_elements_ += slot * group_.comm.size();
      add_collective(messages_in(sent, cell), messages_in(received, cell));
    }
    receive_elements_ = send_elements_;
    place_in_slots(sent, starts, slots);
    place_in_slots(received, starts, slots);
    outgoing_ = std::move(sent.patches);
    incoming_ = std::move(received.patches);
    outgoing_messages_ = static_cast<int>(sent.messages.size());
    incoming_messages_ = static_cast<int>(received.messages.size());
    make_room();
  }

 private:
  struct Cell {
    std::int64_t start;  // element of both buffers
    int count;           // of every slot
    MPI_Datatype type;
    Datatype large;  // where the count does not fit an int
  };

  void add_cell(std::int64_t start, std::int64_t slot, const ExchangeSpec& spec) {
    const MPI_Datatype type = carrier(element_bytes_);
    if (slot > spec.count_limit) {
      Datatype large = run_type(type, slot);
      const MPI_Datatype handle = large.handle();
      cells_.push_back({start, 1, handle, std::move(large)});
    } else {
      cells_.push_back({start, narrow(slot), type, {}});
    }
    for (int peer = 0; peer < spec.comm->size(); ++peer)
      if (peer != spec.comm->rank() && group_.rank_in_group[static_cast<std::size_t>(peer)] >= 0)
        sent_.push_back({peer, slot * element_bytes_});
  }

  void place_in_slots(Messages& side, const std::vector<std::int64_t>& starts,
                      const std::vector<std::int64_t>& slots) const {
    for (Patch& patch : side.patches) {
      const Message& message = side.messages[static_cast<std::size_t>(patch.message)];
      const auto cell = static_cast<std::size_t>(message.cell);
      const std::int64_t slot = group_.rank_in_group[static_cast<std::size_t>(message.peer)];
      patch.offset += starts[cell] + slot * slots[cell] - message.offset;
    }
  }

  void begin(std::size_t i, MPI_Request* request) override {
    const Cell& cell = cells_[i];
    const std::int64_t offset = cell.start * element_bytes_;
    check_mpi(MPI_Ialltoall(address(send_buffer_) + offset, cell.count, cell.type,
                            address(receive_buffer_) + offset, cell.count, cell.type,
                            group_.comm.handle(), request),
              "MPI_Ialltoall");
  }

  Group group_;
  std::int64_t element_bytes_;
  int send_buffer_, receive_buffer_;
  std::vector<Cell> cells_;  // in the order of the collectives
};

}  // namespace

ExchangeRow alltoall_row() {
  return {"alltoall", "MPI_Ialltoall of messages padded to equal size; for small messages",
          false,      false,
          true,       Preferred::small_messages,
          everywhere, make_exchange<Alltoall>};
}

}  // namespace weft
