// exchange/alltoallv: one MPI_Ialltoallv per cell of messages that passes have stored, over the
// ranks that exchange with each other. Counts beyond an int go through MPI_Ialltoallw and large
// types.

#include <mpi.h>

#include <algorithm>

#include "weft/comm/datatype.hpp"
#include "weft/exchange/collective_exchange.hpp"

namespace weft {

namespace {

// What one side of a collective moves: counts and displacements by rank of the group.
struct Lists {
  bool holds_any = false;
  std::int64_t start = 0;  // of the cell in its buffer
  std::vector<int> counts, displacements;
  std::vector<Datatype> owned;  // large messages only
  std::vector<MPI_Datatype> types;

  Lists(const Messages& side, int cell, const Group& group, std::int64_t element_bytes,
        bool large) {
    const auto ranks = static_cast<std::size_t>(group.comm.size());
    counts.assign(ranks, 0);
    displacements.assign(ranks, 0);
    types.assign(ranks, carrier(element_bytes));
    const std::vector<int> numbers = messages_in(side, cell);
    holds_any = !numbers.empty();
    if (!numbers.empty()) start = message_of(side, numbers.front()).offset;
    for (const int number : numbers) {
      const Message& message = message_of(side, number);
      const std::int64_t offset = message.offset - start;
      const auto peer =
          static_cast<std::size_t>(group.rank_in_group[static_cast<std::size_t>(message.peer)]);
      if (large) {
        const Datatype run = run_type(carrier(element_bytes), message.count);
        owned.push_back(
            struct_type({static_cast<MPI_Aint>(offset * element_bytes)}, {run.handle()}));
        types[peer] = owned.back().handle();
        counts[peer] = 1;
      } else {
        counts[peer] = narrow(message.count);
        displacements[peer] = narrow(offset);
      }
    }
  }

 private:
  static const Message& message_of(const Messages& side, int number) {
    return side.messages[static_cast<std::size_t>(number)];
  }
};

struct Cell {
  bool is_large;
  Lists sends, receives;
};

std::vector<std::int64_t> elements_by_cell(const Messages& side, int cells) {
  std::vector<std::int64_t> elements(static_cast<std::size_t>(cells), 0);
  for (const Message& message : side.messages)
    elements[static_cast<std::size_t>(message.cell)] += message.count;
  return elements;
}

class Alltoallv : public CollectiveExchange {
 public:
  explicit Alltoallv(const ExchangeSpec& spec)
      : group_(*spec.comm, spec.moves),
        element_bytes_(spec.element_bytes),
        send_buffer_(spec.send_buffer),
        receive_buffer_(spec.receive_buffer) {
    ensure(!spec.source_array && !spec.target_array);
    const MessageSides sides(spec.moves, spec.comm->rank(), send_buffer_, receive_buffer_);
    lay_out(sides, element_bytes_);
    add_kept(sides);
    const Cutting& cutting = spec.moves.cutting();
    auto elements = elements_by_cell(sides.sent, cutting.cells());
    const auto received = elements_by_cell(sides.received, cutting.cells());
    for (std::size_t cell = 0; cell < elements.size(); ++cell)
      elements[cell] = std::max(elements[cell], received[cell]);
    elements = largest_by_cell(group_.comm, elements);
    for (const int cell : cells_as_computed(cutting)) {
      const std::int64_t most = elements[static_cast<std::size_t>(cell)];
      if (most == 0) continue;
      const bool large = most > spec.count_limit;
      cells_.push_back({large,
                        {sides.sent, cell, group_, element_bytes_, large},
                        {sides.received, cell, group_, element_bytes_, large}});
      add_collective(messages_in(sides.sent, cell), messages_in(sides.received, cell));
    }
  }

 private:
  void begin(std::size_t i, MPI_Request* request) override {
    const auto& [large, sends, receives] = cells_[i];
    const auto [from, to] =
        apart(address(send_buffer_) + sends.start * element_bytes_, sends.holds_any,
              address(receive_buffer_) + receives.start * element_bytes_);
    if (large)
      check_mpi(
          MPI_Ialltoallw(from, sends.counts.data(), sends.displacements.data(), sends.types.data(),
                         to, receives.counts.data(), receives.displacements.data(),
                         receives.types.data(), group_.comm.handle(), request),
          "MPI_Ialltoallw");
    else
      check_mpi(MPI_Ialltoallv(from, sends.counts.data(), sends.displacements.data(),
                               carrier(element_bytes_), to, receives.counts.data(),
                               receives.displacements.data(), carrier(element_bytes_),
                               group_.comm.handle(), request),
                "MPI_Ialltoallv");
  }

  Group group_;
  std::int64_t element_bytes_;
  int send_buffer_, receive_buffer_;
  std::vector<Cell> cells_;  // in the order of the collectives
};

}  // namespace

ExchangeRow alltoallv_row() {
  return {"alltoallv", "MPI_Ialltoallv of messages stored by the passes",
          false,       false,
          true,        Preferred::never,
          everywhere,  make_exchange<Alltoallv>};
}

}  // namespace weft
