// exchange/collective_call: MPI_Ialltoall, MPI_Ialltoallv, MPI_Ialltoallw and what persists.

#include "weft/exchange/collective_call.hpp"

#include <algorithm>
#include <utility>

namespace weft {

namespace {

// The addresses that a collective sends from and receives to. If both buffers are at one address,
// one of them is empty and gets another address: Open MPI 4 treats equal addresses as MPI_IN_PLACE
// and sends nothing.
std::pair<const void*, void*> apart(const void* from, bool sends, void* to) {
  static std::max_align_t elsewhere;
  if (from != to) return {from, to};
  if (sends) return {from, &elsewhere};
  return {&elsewhere, to};
}

}  // namespace

CollectiveCall::CollectiveCall(const Collective& collective, std::int64_t element_bytes,
                               std::int64_t count_limit)
    : method_(collective.method), group_(collective.group), element_bytes_(element_bytes) {
  if (method_ == Collective::alltoallw) {
    is_large_ = true;
    sends_ = boxes_of(collective.sends, collective.send_buffer);
    receives_ = boxes_of(collective.receives, collective.receive_buffer);
    return;
  }
  is_large_ = collective.largest_count > count_limit;
  if (method_ == Collective::alltoallv) {
    sends_ = runs_of(collective.sends, collective.send_buffer);
    receives_ = runs_of(collective.receives, collective.receive_buffer);
    return;
  }
  sends_.buffer = collective.send_buffer;
  receives_.buffer = collective.receive_buffer;
  sends_.start_bytes = receives_.start_bytes = collective.first_slot * element_bytes;
  slot_type_ = carrier(element_bytes);
  if (is_large_) {
    large_slot_ = run_type(slot_type_, collective.largest_count);
    slot_type_ = large_slot_.handle();
  }
  slot_count_ = is_large_ ? 1 : narrow(collective.largest_count);
}

std::size_t CollectiveCall::member(int rank) const {
  return static_cast<std::size_t>(std::lower_bound(group_.begin(), group_.end(), rank) -
                                  group_.begin());
}

CollectiveCall::Side CollectiveCall::empty_side(int buffer) const {
  Side side;
  side.buffer = buffer;
  side.counts.assign(group_.size(), 0);
  side.displacements.assign(group_.size(), 0);
  side.types.assign(group_.size(), carrier(element_bytes_));
  return side;
}

// Displacements are relative to the first part, so that they fit an int.
CollectiveCall::Side CollectiveCall::runs_of(const std::vector<Collective::Part>& parts,
                                             int buffer) const {
  Side side = empty_side(buffer);
  side.holds_any = !parts.empty();
  if (!side.holds_any) return side;
  const std::int64_t start = parts.front().offset;
  side.start_bytes = start * element_bytes_;
  for (const Collective::Part& part : parts) {
    const std::size_t peer = member(part.peer);
    const std::int64_t offset = part.offset - start;
    if (is_large_) {
      const Datatype run = run_type(carrier(element_bytes_), part.count);
      side.owned.push_back(
          struct_type({static_cast<MPI_Aint>(offset * element_bytes_)}, {run.handle()}));
      side.types[peer] = side.owned.back().handle();
      side.counts[peer] = 1;
    } else {
      side.counts[peer] = narrow(part.count);
      side.displacements[peer] = narrow(offset);
    }
  }
  return side;
}

// All boxes of a part as one sub-array type, relative to the start of the buffer.
CollectiveCall::Side CollectiveCall::boxes_of(const std::vector<Collective::Part>& parts,
                                              int buffer) const {
  Side side = empty_side(buffer);
  side.holds_any = !parts.empty();
  for (const Collective::Part& part : parts) {
    std::vector<Datatype> boxes;
    std::vector<MPI_Aint> displacements;
    std::vector<MPI_Datatype> handles;
    for (const Patch& patch : part.boxes) {
      boxes.push_back(box_type(element_bytes_, patch.box.extents(), patch.strides));
      displacements.push_back(static_cast<MPI_Aint>(patch.offset * element_bytes_));
      handles.push_back(boxes.back().handle());
    }
    const std::size_t peer = member(part.peer);
    side.owned.push_back(struct_type(displacements, handles));
    side.types[peer] = side.owned.back().handle();
    side.counts[peer] = 1;
  }
  return side;
}

void CollectiveCall::persist(const Communicator& comm, const Addresses& addresses) {
  ensure(method_ == Collective::alltoallv && !persistent_.is_made());
  const auto [from, to] =
      apart(address(sends_, addresses), sends_.holds_any, address(receives_, addresses));
  const AlltoallSide sends{const_cast<void*>(from), sends_.counts.data(),
                           sends_.displacements.data(), sends_.types.data()};
  const AlltoallSide receives{to, receives_.counts.data(), receives_.displacements.data(),
                              receives_.types.data()};
  persistent_ = is_large_ ? PersistentAlltoall::of_types(sends, receives, comm.handle())
                          : PersistentAlltoall::of_elements(sends, receives,
                                                            carrier(element_bytes_), comm.handle());
}

void CollectiveCall::start(const Communicator& comm, const Addresses& addresses,
                           MPI_Request* request) const {
  if (persistent_.is_made()) return persistent_.start(request);
  if (method_ == Collective::alltoall) {
    check_mpi(MPI_Ialltoall(address(sends_, addresses), slot_count_, slot_type_,
                            address(receives_, addresses), slot_count_, slot_type_, comm.handle(),
                            request),
              "MPI_Ialltoall");
    return;
  }
  const auto [from, to] =
      apart(address(sends_, addresses), sends_.holds_any, address(receives_, addresses));
  if (is_large_)
    check_mpi(
        MPI_Ialltoallw(from, sends_.counts.data(), sends_.displacements.data(), sends_.types.data(),
                       to, receives_.counts.data(), receives_.displacements.data(),
                       receives_.types.data(), comm.handle(), request),
        "MPI_Ialltoallw");
  else
    check_mpi(MPI_Ialltoallv(from, sends_.counts.data(), sends_.displacements.data(),
                             carrier(element_bytes_), to, receives_.counts.data(),
                             receives_.displacements.data(), carrier(element_bytes_), comm.handle(),
                             request),
              "MPI_Ialltoallv");
}

}  // namespace weft
