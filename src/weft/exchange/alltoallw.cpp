// exchange/alltoallw: one MPI_Alltoallw over sub-array types; nothing is packed by weft.
// The reference that all other exchanges are held against.
// Source: Dalcin, Mortensen, Keyes, "Fast parallel multidimensional FFT using advanced MPI",
// J. Parallel Distrib. Comput. 128 (2019).

#include <mpi.h>

#include "weft/exchange/array_types.hpp"
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

class Alltoallw : public Exchange {
 public:
  explicit Alltoallw(const ExchangeSpec& spec)
      : comm_(spec.comm),
        source_(spec.source_array
                    ? *spec.source_array
                    : array_of(spec.moves.source().boxes(comm_->rank()), spec.send_buffer)),
        target_(spec.target_array
                    ? *spec.target_array
                    : array_of(spec.moves.target().boxes(comm_->rank()), spec.receive_buffer)),
        sends_(array_messages(spec.moves.sends(comm_->rank()), source_, Side::source,
                              spec.element_bytes),
               comm_->size()),
        receives_(array_messages(spec.moves.receives(comm_->rank()), target_, Side::target,
                                 spec.element_bytes),
                  comm_->size()),
        send_from_(source_.empty() ? spec.send_buffer : source_.front().buffer),
        receive_to_(target_.empty() ? spec.receive_buffer : target_.front().buffer) {
    displacements_.assign(sends_.counts.size(), 0);
    if (!spec.source_array) {
      outgoing_ = source_;
      send_elements_ = span_of(source_, spec.send_buffer);
    }
    incoming_ = target_;
    for (Patch& patch : incoming_) patch.message = 0;
    outgoing_messages_ = incoming_messages_ = 1;
    receive_elements_ = spec.target_array ? 0 : span_of(target_, spec.receive_buffer);
    for (const Message& message :
         Messages::packed(parted(spec.moves.sends(comm_->rank()), comm_->rank()).away, 0).messages)
      sent_.push_back({message.peer, message.count * spec.element_bytes});
  }

  void flush() override {
    check_mpi(MPI_Alltoallw(address(send_from_), sends_.counts.data(), displacements_.data(),
                            sends_.types.data(), address(receive_to_), receives_.counts.data(),
                            displacements_.data(), receives_.types.data(), comm_->handle()),
              "MPI_Alltoallw");
  }

 private:
  const Communicator* comm_;
  Patches source_, target_;
  TypeLists sends_, receives_;
  int send_from_, receive_to_;
  std::vector<int> displacements_;
};

}  // namespace

ExchangeRow alltoallw_row() {
  return {"alltoallw",
          "MPI_Alltoallw over sub-array types; the reference",
          true,
          false,
          Preferred::never,
          everywhere,
          [](const ExchangeSpec& spec) -> std::unique_ptr<Exchange> {
            return std::make_unique<Alltoallw>(spec);
          }};
}

}  // namespace weft
