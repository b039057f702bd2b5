// exchange/collective_call: MPI_Ialltoall, MPI_Ialltoallv, MPI_Ialltoallw.

#include "weft/exchange/collective_call.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/ensure.hpp"
#include "weft/base/simulation.hpp"
#include "weft/comm/mpi_comm.hpp"

namespace weft {

namespace {

// The addresses that a collective sends from and receives to: those of first elements, which differ
// unless one side is empty. That one gets another address then: Open MPI 4 treats equal addresses
// as MPI_IN_PLACE and sends nothing.
std::pair<const void*, void*> apart(const void* from, bool sends, void* to) {
  static std::max_align_t elsewhere;
  if (from != to) return {from, to};
  if (sends) return {from, &elsewhere};
  return {&elsewhere, to};
}

std::size_t place_of(int rank, const std::vector<int>& ranks) {
  return static_cast<std::size_t>(std::lower_bound(ranks.begin(), ranks.end(), rank) -
                                  ranks.begin());
}

}  // namespace

CollectiveCall::CollectiveCall(const ExchangeProgram& exchange, const Collective& collective,
                               std::int64_t count_limit)
    : method_(collective.method), element_bytes_(exchange.element_bytes) {
  const std::int64_t element_bytes = element_bytes_;
  const std::vector<int>& group = collective.group;
  if (method_ == Collective::alltoallw) {
    is_large_ = true;
    sends_ = boxes_of(collective.sends, collective.send_buffer, group);
    receives_ = boxes_of(collective.receives, collective.receive_buffer, group);
    return;
  }
  is_large_ = collective.largest_count > count_limit;
  if (method_ == Collective::alltoallv) {
    sends_ = runs_of(collective.sends, collective.send_buffer, group);
    receives_ = runs_of(collective.receives, collective.receive_buffer, group);
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

// Without peers, MPI still wants lists: Open MPI refuses null.
CollectiveCall::Side CollectiveCall::empty_side(int buffer, std::size_t peers) const {
  Side side;
  side.buffer = buffer;
  const std::size_t size = std::max<std::size_t>(1, peers);
  side.counts.assign(size, 0);
  side.displacements.assign(size, 0);
  side.types.assign(size, carrier(element_bytes_));
  return side;
}

// Displacements are relative to the first part, so that they fit an int.
CollectiveCall::Side CollectiveCall::runs_of(const std::vector<Collective::Part>& parts, int buffer,
                                             const std::vector<int>& peers) const {
  Side side = empty_side(buffer, peers.size());
  side.holds_any = !parts.empty();
  if (!side.holds_any) return side;
  const std::int64_t start = parts.front().offset;
  side.start_bytes = start * element_bytes_;
  for (const Collective::Part& part : parts) {
    const std::size_t peer = place_of(part.peer, peers);
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

// All boxes of a part as one sub-array type, relative to the first box.
CollectiveCall::Side CollectiveCall::boxes_of(const std::vector<Collective::Part>& parts,
                                              int buffer, const std::vector<int>& peers) const {
  Side side = empty_side(buffer, peers.size());
  side.holds_any = !parts.empty();
  if (!side.holds_any) return side;
  const std::int64_t start = parts.front().boxes.front().offset;
  side.start_bytes = start * element_bytes_;
  for (const Collective::Part& part : parts) {
    std::vector<Datatype> boxes;
    std::vector<MPI_Aint> displacements;
    std::vector<MPI_Datatype> handles;
    for (const Patch& patch : part.boxes) {
      boxes.push_back(box_type(element_bytes_, patch.box.extents(), patch.strides));
      displacements.push_back(static_cast<MPI_Aint>((patch.offset - start) * element_bytes_));
      handles.push_back(boxes.back().handle());
    }
    const std::size_t peer = place_of(part.peer, peers);
    side.owned.push_back(struct_type(displacements, handles));
    side.types[peer] = side.owned.back().handle();
    side.counts[peer] = 1;
  }
  return side;
}

void CollectiveCall::start(const Communicator& comm, const Addresses& addresses,
                           MPI_Request* request) const {
  if (method_ == Collective::alltoall) {
    check_mpi(MPI_Ialltoall(address(sends_, addresses), slot_count_, slot_type_,
                            address(receives_, addresses), slot_count_, slot_type_, comm.handle(),
                            request),
              "MPI_Ialltoall");
    return;
  }
  const auto [from, to] =
      apart(address(sends_, addresses), sends_.holds_any, address(receives_, addresses));
  if (blocks_in_collectives()) return call(from, to, comm.handle(), request);
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

// The request is that of a collective which completes at once.
void CollectiveCall::call(const void* from, void* to, MPI_Comm comm, MPI_Request* request) const {
  ensure(method_ == Collective::alltoallv && !is_large_);
  const MPI_Datatype element = carrier(element_bytes_);
  check_mpi(MPI_Alltoallv(from, sends_.counts.data(), sends_.displacements.data(), element, to,
                          receives_.counts.data(), receives_.displacements.data(), element, comm),
            "MPI_Alltoallv");
  check_mpi(MPI_Ibarrier(MPI_COMM_SELF, request), "MPI_Ibarrier");
}

}  // namespace weft
