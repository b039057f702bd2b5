// exchange/alltoallw: one MPI_Ialltoallw over sub-array types; nothing is packed by weft.
// The reference that all other exchanges are held against: cut or not, all is one message.
// Source: Dalcin, Mortensen, Keyes, "Fast parallel multidimensional FFT using advanced MPI",
// J. Parallel Distrib. Comput. 128 (2019).

#include <mpi.h>

#include "weft/exchange/array_types.hpp"
#include "weft/exchange/collectives.hpp"
#include "weft/exchange/exchange.hpp"
#include "weft/exchange/messages.hpp"

namespace weft {

namespace {

// The owner's boxes one after another, packed; all belong to the one collective "message".
Patches array_of(const std::vector<Box>& boxes, int buffer) {
  Patches array;
  std::int64_t offset = 0;
  for (const Box& box : boxes) {
    array.push_back(packed_patch(box, buffer, offset, 0));
    offset += box.volume();
  }
  return array;
}

struct TypeLists {
  std::vector<ArrayMessage> messages;
  std::vector<MPI_Datatype> types;
  std::vector<int> counts;

  TypeLists(std::vector<ArrayMessage> of, int ranks) : messages(std::move(of)) {
    types.assign(static_cast<std::size_t>(ranks), MPI_BYTE);
    counts.assign(static_cast<std::size_t>(ranks), 0);
    for (const ArrayMessage& message : messages) {
      types[static_cast<std::size_t>(message.peer)] = message.type.handle();
      counts[static_cast<std::size_t>(message.peer)] = 1;
    }
  }
};

// What MPI reads while the collective is under way.
struct Arguments {
  TypeLists sends, receives;
  std::vector<int> displacements;
};

class Alltoallw : public Exchange {
 public:
  explicit Alltoallw(const ExchangeSpec& spec) : comm_(spec.comm->handle()) {
    const int rank = comm_.rank();
    const auto sends = spec.moves.sends(rank), receives = spec.moves.receives(rank);
    const auto& moves = spec.moves;
    const Patches source = spec.source_array
                               ? *spec.source_array
                               : array_of(moves.source().boxes(rank), spec.send_buffer);
    const Patches target = spec.target_array
                               ? *spec.target_array
                               : array_of(moves.target().boxes(rank), spec.receive_buffer);
    send_from_ = source.empty() ? spec.send_buffer : source.front().buffer;
    receive_to_ = target.empty() ? spec.receive_buffer : target.front().buffer;
    const std::int64_t bytes = spec.element_bytes;
    arguments_ = std::make_shared<Arguments>(
        Arguments{{array_messages(sends, source, Side::source, bytes), comm_.size()},
                  {array_messages(receives, target, Side::target, bytes), comm_.size()},
                  std::vector<int>(static_cast<std::size_t>(comm_.size()), 0)});
    if (!spec.source_array) {
      outgoing_ = source;
      outgoing_messages_ = source.empty() ? 0 : 1;
      send_elements_ = span_of(source, spec.send_buffer);
    }
    incoming_ = target;
    if (!spec.target_array) {
      incoming_messages_ = target.empty() ? 0 : 1;
      receive_elements_ = span_of(target, spec.receive_buffer);
    }
    make_room();
    collectives_.add(numbers(outgoing_messages_), numbers(incoming_messages_));
    collectives_.keep(arguments_);
    for (const Message& message : Messages::packed(parted(sends, rank).away, 0).messages)
      sent_.push_back({message.peer, message.count * bytes});
  }

  void start(const Addresses& addresses) override {
    Exchange::start(addresses);
    collectives_.reset();
    start_due();
  }
  void ready(int message) override {
    collectives_.ready(message);
    start_due();
  }
  void progress() override { collectives_.complete(false, arrivals_); }
  void wait() override { collectives_.complete(true, arrivals_); }
  bool has_finished() const override { return collectives_.have_finished(); }

 private:
  static std::vector<int> numbers(int messages) {
    return messages == 0 ? std::vector<int>{} : std::vector<int>{0};
  }
  void start_due() {
    collectives_.start_due([this](std::size_t, MPI_Request* request) {
      const auto& [sends, receives, displacements] = *arguments_;
      const auto [from, to] =
          apart(address(send_from_), !sends.messages.empty(), address(receive_to_));
      check_mpi(MPI_Ialltoallw(from, sends.counts.data(), displacements.data(), sends.types.data(),
                               to, receives.counts.data(), displacements.data(),
                               receives.types.data(), comm_.handle(), request),
                "MPI_Ialltoallw");
    });
  }

  Communicator comm_;  // its own: other exchanges may start collectives in between
  int send_from_ = 0, receive_to_ = 0;
  std::shared_ptr<Arguments> arguments_;
  Collectives collectives_;
};

}  // namespace

ExchangeRow alltoallw_row() {
  return {"alltoallw",
          "MPI_Ialltoallw over sub-array types; the reference",
          true,
          false,
          false,
          Preferred::never,
          everywhere,
          [](const ExchangeSpec& spec) -> std::unique_ptr<Exchange> {
            return std::make_unique<Alltoallw>(spec);
          }};
}

}  // namespace weft
