// device/late_nccl: channels in shared memory, from each rank to each other one.

#include "weft/device/late_nccl.hpp"

#include <atomic>
#include <cstring>
#include <memory>
#include <vector>

#include "weft/base/ensure.hpp"

namespace weft {

namespace {

constexpr int most_ranks = 12, piece_bytes = 1 << 14;
enum Result : int { system_error = 2, invalid_argument = 4, invalid_usage = 5, remote_error = 6 };

// One piece of a message at a time.
struct Channel {
  std::atomic<int> is_full;
  std::int64_t message_bytes, bytes;
  std::byte piece[piece_bytes];
};

// What the ranks of a communicator share.
struct Meeting {
  std::atomic<int> arrived;
  Channel channels[most_ranks][most_ranks];
};

struct Comm {
  SharedRegion region;
  Meeting* meeting = nullptr;
  LateDriver* driver = nullptr;
  int rank = 0, ranks = 0, groups = 0;
  int state = NcclFunctions::success;
  bool is_aborted = false;
};

struct Part {
  bool receives;
  std::byte* address;
  std::int64_t bytes, moved = 0;
  int peer;
};

// What the group that is open has, of one communicator and stream.
struct OpenGroup {
  int depth = 0;
  Comm* comm = nullptr;
  void* stream = nullptr;
  std::vector<Part> parts;
};

OpenGroup open_group;
LateDriver* driver_of_comms = nullptr;
int groups_of_process = 0;
// Streams may refer to them as long as they live.
std::vector<std::unique_ptr<Comm>>& comms() {
  static std::vector<std::unique_ptr<Comm>> all;
  return all;
}
// Those of identifiers that rank 0 has made.
std::vector<SharedRegion>& regions() {
  static std::vector<SharedRegion> all;
  return all;
}

// Returns whether all of the part has been sent, and received.
bool send_piece(Comm& comm, Part& part) {
  Channel& channel = comm.meeting->channels[comm.rank][part.peer];
  if (channel.is_full.load(std::memory_order_acquire) != 0) return false;
  if (part.moved == part.bytes) return true;
  channel.message_bytes = part.bytes;
  channel.bytes = std::min<std::int64_t>(piece_bytes, part.bytes - part.moved);
  std::memcpy(channel.piece, part.address + part.moved, static_cast<std::size_t>(channel.bytes));
  part.moved += channel.bytes;
  channel.is_full.store(1, std::memory_order_release);
  return false;
}

bool receive_piece(Comm& comm, Part& part) {
  Channel& channel = comm.meeting->channels[part.peer][comm.rank];
  if (part.moved == part.bytes) return true;
  if (channel.is_full.load(std::memory_order_acquire) == 0) return false;
  if (channel.message_bytes != part.bytes) comm.state = invalid_usage;
  if (comm.state != NcclFunctions::success) return false;
  std::memcpy(part.address + part.moved, channel.piece, static_cast<std::size_t>(channel.bytes));
  part.moved += channel.bytes;
  channel.is_full.store(0, std::memory_order_release);
  return part.moved == part.bytes;
}

// Messages between two ranks go one after the other, in the order of the calls.
bool attempt(Comm& comm, std::vector<Part>& parts) {
  if (comm.is_aborted) return true;
  bool is_over = true;
  for (const bool receives : {true, false})
    for (int peer = 0; peer < comm.ranks; ++peer)
      for (Part& part : parts) {
        if (part.peer != peer || part.receives != receives) continue;
        if (receives ? receive_piece(comm, part) : send_piece(comm, part)) continue;
        is_over = false;
        break;
      }
  return is_over;
}

int make_id(NcclId* id) {
  SharedRegion& made = regions().emplace_back(static_cast<std::int64_t>(sizeof(Meeting)));
  const SharedRegionHandle handle = made.handle();
  static_assert(sizeof handle <= sizeof id->bytes);
  std::memcpy(id->bytes, &handle, sizeof handle);
  return NcclFunctions::success;
}

int initialize(void** made, int ranks, NcclId id, int rank, NcclConfig* config) {
  if (config->magic != 0xcafebeef || config->size != sizeof(NcclConfig) || config->blocking != 0)
    return invalid_argument;
  if (ranks > most_ranks || rank == late_nccl_faults().fails_to_begin) return system_error;
  auto comm = std::make_unique<Comm>();
  SharedRegionHandle handle;
  std::memcpy(&handle, id.bytes, sizeof handle);
  comm->region = SharedRegion::open(handle);
  comm->meeting = reinterpret_cast<Meeting*>(comm->region.data());
  comm->driver = driver_of_comms;
  comm->rank = rank;
  comm->ranks = ranks;
  *made = comm.get();
  comms().push_back(std::move(comm));
  if (rank != late_nccl_faults().never_starts)
    static_cast<Comm*>(*made)->meeting->arrived.fetch_add(1);
  return NcclFunctions::in_progress;
}

int find_state(void* handle, int* state) {
  auto& comm = *static_cast<Comm*>(handle);
  const bool have_all_come = comm.meeting->arrived.load() >= comm.ranks;
  if (comm.rank == late_nccl_faults().fails_to_start) comm.state = system_error;
  *state = comm.state == NcclFunctions::success && !have_all_come ? NcclFunctions::in_progress
                                                                  : comm.state;
  // All have opened the region, which takes a descriptor.
  if (have_all_come && comm.rank == 0)
    for (SharedRegion& made : regions())
      if (made.handle() == comm.region.handle()) made.close_descriptor();
  return NcclFunctions::success;
}

int end(void* handle) {
  auto& comm = *static_cast<Comm*>(handle);
  if (comm.is_aborted) return NcclFunctions::success;
  comm.is_aborted = true;
  // Who has not come yet has to find the region.
  if (comm.meeting->arrived.load() >= comm.ranks)
    std::erase_if(regions(),
                  [&](const SharedRegion& made) { return made.handle() == comm.region.handle(); });
  comm.region = {};
  return NcclFunctions::success;
}

int finalize(void* /*handle*/) { return NcclFunctions::success; }

const char* text_of(int result) {
  switch (result) {
    case system_error:
      return "unhandled system error";
    case invalid_argument:
      return "invalid argument";
    case invalid_usage:
      return "invalid usage";
    case remote_error:
      return "remote process exited or there was a network error";
    default:
      return "no error";
  }
}

int begin_group() {
  ++open_group.depth;
  return NcclFunctions::success;
}

int end_group() {
  ensure(open_group.depth > 0, "a group ends that has not begun");
  if (--open_group.depth > 0) return NcclFunctions::success;
  const OpenGroup group = std::exchange(open_group, {});
  if (group.parts.empty()) return NcclFunctions::success;
  Comm& comm = *group.comm;
  const LateNcclFaults& faults = late_nccl_faults();
  const int number = comm.groups++;
  ++groups_of_process;
  if (number >= faults.group && comm.rank == faults.fails_in_group) return remote_error;
  if (number >= faults.group && comm.rank == faults.breaks_in_group) comm.state = remote_error;
  if (number == faults.group_that_is_lost) return NcclFunctions::success;
  comm.driver->enqueue_until(
      {group.stream}, [&comm, parts = group.parts]() mutable { return attempt(comm, parts); });
  return NcclFunctions::success;
}

int add_part(bool receives, void* address, std::size_t count, int peer, void* handle,
             void* stream) {
  auto& comm = *static_cast<Comm*>(handle);
  ensure(open_group.depth > 0, "a message outside of a group");
  ensure(open_group.comm == nullptr || (open_group.comm == &comm && open_group.stream == stream));
  const bool is_there =
      comm.driver->place_of(address).kind != Memory::host && peer >= 0 && peer < comm.ranks;
  if (!is_there || count == 0) return invalid_argument;
  open_group.comm = &comm;
  open_group.stream = stream;
  open_group.parts.push_back(
      {receives, static_cast<std::byte*>(address), static_cast<std::int64_t>(count), 0, peer});
  return NcclFunctions::success;
}

int send(const void* from, std::size_t count, int /*type*/, int peer, void* comm, void* stream) {
  return add_part(false, const_cast<void*>(from), count, peer, comm, stream);
}
int receive(void* to, std::size_t count, int /*type*/, int peer, void* comm, void* stream) {
  return add_part(true, to, count, peer, comm, stream);
}
int find_version(int* version) {
  *version = late_nccl_faults().version;
  return NcclFunctions::success;
}

}  // namespace

LateNcclFaults& late_nccl_faults() {
  static LateNcclFaults faults;
  return faults;
}

const NcclFunctions* late_nccl(LateDriver& driver) {
  static const NcclFunctions functions{find_version, make_id,   initialize, finalize,
                                       end,          end,       find_state, text_of,
                                       begin_group,  end_group, send,       receive};
  driver_of_comms = &driver;
  return &functions;
}

int late_nccl_groups() { return groups_of_process; }

}  // namespace weft
