// exchange/alltoallv: one MPI_Ialltoallv per cell of messages that passes have stored, over the
// ranks that exchange with each other. Counts beyond an int go through MPI_Ialltoallw and large
// types.

#include <mpi.h>

#include <algorithm>

#include "weft/comm/datatype.hpp"
#include "weft/exchange/collectives.hpp"
#include "weft/exchange/group.hpp"
#include "weft/exchange/message_exchange.hpp"

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

class Alltoallv : public MessageExchange {
 public:
  explicit Alltoallv(const ExchangeSpec& spec)
      : MessageExchange(spec),
        group_(*spec.comm, spec.moves),
        element_bytes_(spec.element_bytes),
        cells_(std::make_shared<std::vector<Cell>>()) {
    const Cutting& cutting = spec.moves.cutting();
    auto elements = elements_by_cell(sides_.sent, cutting.cells());
    const auto received = elements_by_cell(sides_.received, cutting.cells());
    for (std::size_t cell = 0; cell < elements.size(); ++cell)
      elements[cell] = std::max(elements[cell], received[cell]);
    elements = largest_by_cell(group_.comm, elements);
    for (const int cell : cells_as_computed(cutting)) {
      const std::int64_t most = elements[static_cast<std::size_t>(cell)];
      if (most == 0) continue;
      const bool large = most > spec.count_limit;
      cells_->push_back({large,
                         {sides_.sent, cell, group_, element_bytes_, large},
                         {sides_.received, cell, group_, element_bytes_, large}});
      collectives_.add(messages_in(sides_.sent, cell), messages_in(sides_.received, cell));
    }
    collectives_.keep(cells_);
  }

  void start(const Addresses& addresses) override {
    Exchange::start(addresses);
    collectives_.reset();
    start_due();
  }
  void progress() override { collectives_.complete(false, arrivals_); }
  void wait() override { collectives_.complete(true, arrivals_); }
  bool has_finished() const override { return collectives_.have_finished() && has_all(); }

 private:
  void ready_to_send(int message) override {
    collectives_.ready(message);
    start_due();
  }
  void start_due() {
    collectives_.start_due([this](std::size_t i, MPI_Request* request) {
      const auto& [large, sends, receives] = (*cells_)[i];
      const auto [from, to] =
          apart(address(send_buffer_) + sends.start * element_bytes_, sends.holds_any,
                address(receive_buffer_) + receives.start * element_bytes_);
      if (large)
        check_mpi(MPI_Ialltoallw(from, sends.counts.data(), sends.displacements.data(),
                                 sends.types.data(), to, receives.counts.data(),
                                 receives.displacements.data(), receives.types.data(),
                                 group_.comm.handle(), request),
                  "MPI_Ialltoallw");
      else
        check_mpi(MPI_Ialltoallv(from, sends.counts.data(), sends.displacements.data(),
                                 carrier(element_bytes_), to, receives.counts.data(),
                                 receives.displacements.data(), carrier(element_bytes_),
                                 group_.comm.handle(), request),
                  "MPI_Ialltoallv");
    });
  }

  Group group_;
  std::int64_t element_bytes_;
  std::shared_ptr<std::vector<Cell>> cells_;  // in the order of the collectives
  Collectives collectives_;
};

}  // namespace

ExchangeRow alltoallv_row() {
  return {"alltoallv",
          "MPI_Ialltoallv of messages stored by the passes",
          false,
          false,
          true,
          Preferred::never,
          everywhere,
          [](const ExchangeSpec& spec) -> std::unique_ptr<Exchange> {
            return std::make_unique<Alltoallv>(spec);
          }};
}

}  // namespace weft
