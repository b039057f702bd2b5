// exchange/alltoallw: one MPI_Ialltoallw over sub-array types; nothing is packed by weft.
// The reference that all other exchanges are held against: cut or not, all is one message.
// Source: Dalcin, Mortensen, Keyes, "Fast parallel multidimensional FFT using advanced MPI",
// J. Parallel Distrib. Comput. 128 (2019).

#include <mpi.h>

#include "weft/exchange/array_types.hpp"
#include "weft/exchange/collective_exchange.hpp"

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

  TypeLists() = default;
  TypeLists(std::vector<ArrayMessage> of, int ranks) : messages(std::move(of)) {
    types.assign(static_cast<std::size_t>(ranks), MPI_BYTE);
    counts.assign(static_cast<std::size_t>(ranks), 0);
    for (const ArrayMessage& message : messages) {
      types[static_cast<std::size_t>(message.peer)] = message.type.handle();
      counts[static_cast<std::size_t>(message.peer)] = 1;
    }
  }
};

class Alltoallw : public CollectiveExchange {
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
    sends_ = {array_messages(sends, source, Side::source, bytes), comm_.size()};
    receives_ = {array_messages(receives, target, Side::target, bytes), comm_.size()};
    displacements_.assign(static_cast<std::size_t>(comm_.size()), 0);
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
    add_collective(numbers(outgoing_messages_), numbers(incoming_messages_));
    for (const Message& message : Messages::packed(parted(sends, rank).away, 0).messages)
      sent_.push_back({message.peer, message.count * bytes});
  }

 private:
  static std::vector<int> numbers(int messages) {
    return messages == 0 ? std::vector<int>{} : std::vector<int>{0};
  }
  void begin(std::size_t /*i*/, MPI_Request* request) override {
    const auto [from, to] =
        apart(address(send_from_), !sends_.messages.empty(), address(receive_to_));
    check_mpi(MPI_Ialltoallw(from, sends_.counts.data(), displacements_.data(), sends_.types.data(),
                             to, receives_.counts.data(), displacements_.data(),
                             receives_.types.data(), comm_.handle(), request),
              "MPI_Ialltoallw");
  }

  Communicator comm_;  // its own: other exchanges may start collectives in between
  int send_from_ = 0, receive_to_ = 0;
  TypeLists sends_, receives_;
  std::vector<int> displacements_;
};

}  // namespace

ExchangeRow alltoallw_row() {
  return {"alltoallw", "MPI_Ialltoallw over sub-array types; the reference",
          true,        false,
          false,       Preferred::never,
          everywhere,  make_exchange<Alltoallw>};
}

}  // namespace weft
