// exchange/p2p: one isend and one irecv per pair. A message leaves when its last point is stored,
// and a tile is loaded as soon as the messages it needs are in.

#include <mpi.h>

#include <algorithm>

#include "weft/comm/datatype.hpp"
#include "weft/exchange/array_types.hpp"
#include "weft/exchange/exchange.hpp"
#include "weft/exchange/messages.hpp"
#include "weft/memory/box_copy.hpp"

namespace weft {

namespace {

constexpr int tag = 0;  // the communicator is the plan's own, and pairs exchange in order

// One side of a message: `count` elements of `type` at `offset_bytes` of `buffer`.
struct Part {
  int peer;
  int buffer;
  std::int64_t offset_bytes;
  int count;
  MPI_Datatype type;
  Datatype owned;
};

class P2p : public Exchange {
 public:
  explicit P2p(ExchangeSpec spec) : spec_(std::move(spec)) {
    const int rank = spec_.comm->rank();
    MessageSides sides(spec_.moves, rank, spec_.send_buffer, spec_.receive_buffer);
    for (const Message& message : sides.sent.messages)
      sent_.push_back({message.peer, message.count * spec_.element_bytes});
    add_sends(sides);
    add_receives(sides);
    add_kept(sides);
    requests_.assign(sends_.size() + receives_.size(), MPI_REQUEST_NULL);
    has_left_.assign(sends_.size(), 0);
  }

  void start(const Addresses& addresses) override {
    addresses_ = &addresses;
    std::fill(has_left_.begin(), has_left_.end(), 0);
    for (std::size_t i = 0; i < receives_.size(); ++i) {
      const Part& part = receives_[i];
      check_mpi(MPI_Irecv(address(part), part.count, part.type, part.peer, tag,
                          spec_.comm->handle(), &requests_[i]),
                "MPI_Irecv");
    }
  }

  void ready(int message) override {
    const auto i = static_cast<std::size_t>(message);
    const Part& part = sends_[i];
    check_mpi(MPI_Isend(address(part), part.count, part.type, part.peer, tag,
                        spec_.comm->handle(), &requests_[receives_.size() + i]),
              "MPI_Isend");
    has_left_[i] = 1;
  }

  void flush() override {
    for (int message = 0; message < outgoing_messages_; ++message)
      if (has_left_[static_cast<std::size_t>(message)] == 0) ready(message);
    for (const auto& [from, to] : kept_) copy_kept(from, to);
  }

  void await(int message) override {
    check_mpi(MPI_Wait(&requests_[static_cast<std::size_t>(message)], MPI_STATUS_IGNORE),
              "MPI_Wait");
  }

  void finish_sends() override {
    const auto sends = static_cast<std::int64_t>(sends_.size());
    check_mpi(MPI_Waitall(narrow(sends), requests_.data() + receives_.size(), MPI_STATUSES_IGNORE),
              "MPI_Waitall");
  }

  void finish() override {
    check_mpi(MPI_Waitall(narrow(static_cast<std::int64_t>(requests_.size())), requests_.data(),
                          MPI_STATUSES_IGNORE),
              "MPI_Waitall");
  }

 private:
  std::byte* address(const Part& part) const {
    return (*addresses_)[static_cast<std::size_t>(part.buffer)] + part.offset_bytes;
  }

  Part run_part(const Message& message, int buffer) const {
    const std::int64_t offset = message.offset * spec_.element_bytes;
    if (message.count <= spec_.count_limit)
      return {message.peer, buffer, offset, narrow(message.count), carrier(spec_.element_bytes),
              Datatype()};
    Part part{message.peer, buffer, offset, 1, MPI_DATATYPE_NULL,
              run_type(carrier(spec_.element_bytes), message.count)};
    part.type = part.owned.handle();
    return part;
  }

  Part array_part(ArrayMessage&& message) const {
    Part part{message.peer, message.buffer, 0, 1, message.type.handle(), std::move(message.type)};
    return part;
  }

  void add_sends(const MessageSides& sides) {
    const int rank = spec_.comm->rank();
    if (spec_.source_array) {
      for (auto& message : array_messages(part(spec_.moves.sends(rank), rank).away,
                                          *spec_.source_array, Side::source, spec_.element_bytes))
        sends_.push_back(array_part(std::move(message)));
    } else {
      outgoing_ = sides.sent.patches;
      send_elements_ = sides.sent.elements;
      outgoing_.insert(outgoing_.end(), sides.kept.begin(), sides.kept.end());
      for (const Message& message : sides.sent.messages)
        sends_.push_back(run_part(message, spec_.send_buffer));
    }
    outgoing_messages_ = static_cast<int>(sends_.size());
  }

  void add_receives(const MessageSides& sides) {
    const int rank = spec_.comm->rank();
    if (spec_.target_array) {
      incoming_ = *spec_.target_array;
      for (auto& message : array_messages(part(spec_.moves.receives(rank), rank).away,
                                          *spec_.target_array, Side::target, spec_.element_bytes))
        receives_.push_back(array_part(std::move(message)));
      receive_elements_ = spec_.source_array ? 0 : sides.receive_elements;
    } else {
      incoming_ = sides.received.patches;
      incoming_.insert(incoming_.end(), sides.kept.begin(), sides.kept.end());
      for (const Message& message : sides.received.messages)
        receives_.push_back(run_part(message, spec_.receive_buffer));
      receive_elements_ = sides.receive_elements;
    }
    incoming_messages_ = static_cast<int>(receives_.size());
  }

  // What stays is stored in place by a pass. Only where an array is an end must it be copied.
  void add_kept(const MessageSides& sides) {
    if (!spec_.source_array && !spec_.target_array) return;
    const int rank = spec_.comm->rank();
    const auto kept = part(spec_.moves.sends(rank), rank).kept;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const auto resting = [&](const std::optional<Patches>& array, int box) {
        return array ? clipped((*array)[static_cast<std::size_t>(box)], kept[i].box)
                     : sides.kept[i];
      };
      kept_.emplace_back(resting(spec_.source_array, kept[i].source_box),
                         resting(spec_.target_array, kept[i].target_box));
    }
  }

  void copy_kept(const Patch& from, const Patch& to) const {
    const auto place = [&](const Patch& patch) {
      return (*addresses_)[static_cast<std::size_t>(patch.buffer)] +
             patch.offset * spec_.element_bytes;
    };
    load({from.box.extents(), place(to), to.strides, place(from), from.strides},
         spec_.element_bytes);
  }

  ExchangeSpec spec_;
  const Addresses* addresses_ = nullptr;
  std::vector<Part> sends_, receives_;
  std::vector<char> has_left_;
  std::vector<std::pair<Patch, Patch>> kept_;
  std::vector<MPI_Request> requests_;  // receives, then sends
};

}  // namespace

ExchangeRow p2p_row() {
  return {"p2p", "isend and irecv; tiles are taken further as their messages arrive", true,
          [](const Problem&, const Machine&) -> std::optional<std::string> { return std::nullopt; },
          [](ExchangeSpec spec) -> std::unique_ptr<Exchange> {
            return std::make_unique<P2p>(std::move(spec));
          }};
}

}  // namespace weft
