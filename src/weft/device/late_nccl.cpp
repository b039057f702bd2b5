// device/late_nccl: channels in shared memory, from each rank to each other one.

#include "weft/device/late_nccl.hpp"

#include <unistd.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "weft/base/ensure.hpp"

namespace weft {

namespace {

constexpr int most_ranks = 12, piece_bytes = 1 << 16;
// The first version in which every group is put into its stream by a thread of the library's.
constexpr int version_of_threads = 22200;
enum Result : int { system_error = 2, invalid_argument = 4, invalid_usage = 5, remote_error = 6 };

// One piece of a message at a time.
struct Channel {
  std::atomic<int> is_full;
  std::int64_t message_bytes, bytes;
  std::byte piece[piece_bytes];
};

// What the ranks of a communicator share: how many have come, and how many have given it up.
struct Meeting {
  std::atomic<int> arrived, ended;
  Channel channels[most_ranks][most_ranks];
};

struct Part {
  bool receives;
  std::byte* address;
  std::int64_t bytes, moved = 0;
  int peer;
};

// A group of one communicator and stream.
struct Group {
  struct Comm* comm = nullptr;
  void* stream = nullptr;
  std::vector<Part> parts;
};

struct Comm {
  SharedRegion region;
  Meeting* meeting = nullptr;
  LateDriver* driver = nullptr;
  int device = 0, rank = 0, ranks = 0, groups = 0;
  int state = NcclFunctions::success;
  std::set<std::pair<bool, int>> connected;  // with whom a message has gone, each way
  std::optional<Group> waiting;              // a group that is not in its stream yet
  bool is_told_late = false;                 // that the last one is
  // Memory of the thread that has begun something: who uses the communicator next ends that.
  std::optional<std::weak_ptr<int>> thread;
  std::atomic<bool> is_given_up = false, is_left = false;
};

// The group that is open in this thread.
struct OpenGroup {
  int depth = 0, error = NcclFunctions::success;
  Group group;
};
thread_local OpenGroup open_group;
thread_local const std::shared_ptr<int> this_thread = std::make_shared<int>();

LateDriver* driver_of_comms = nullptr;
int groups_of_process = 0;
// Streams may refer to them as long as they live, and threads that give them up until the process
// ends.
std::vector<std::unique_ptr<Comm>>& comms() {
  static auto& all = *new std::vector<std::unique_ptr<Comm>>;
  return all;
}
// Those of identifiers that rank 0 has made.
std::vector<SharedRegion>& regions() {
  static std::vector<SharedRegion> all;
  return all;
}

Comm& entered(void* handle) {
  auto& comm = *static_cast<Comm*>(handle);
  ensure(!comm.is_given_up, "a communicator is used after its end");
  return comm;
}

// Selects the device of a communicator while it lives.
class OnDevice {
 public:
  explicit OnDevice(const Comm& comm) : driver_(*comm.driver), before_(driver_.selected()) {
    driver_.select(comm.device);
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice() { driver_.select(before_); }

 private:
  LateDriver& driver_;
  int before_;
};

// ---- in streams

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
  if (comm.state != NcclFunctions::success && comm.state != NcclFunctions::in_progress)
    return false;
  std::memcpy(part.address + part.moved, channel.piece, static_cast<std::size_t>(channel.bytes));
  part.moved += channel.bytes;
  channel.is_full.store(0, std::memory_order_release);
  return part.moved == part.bytes;
}

// Messages between two ranks go one after the other, in the order of the calls.
bool attempt(Comm& comm, std::vector<Part>& parts) {
  if (comm.is_given_up) return true;
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

void put_into_stream(Group group) {
  Comm& comm = *group.comm;
  if (comm.groups++ == late_nccl_faults().group_that_is_lost) return;
  const OnDevice selected(comm);
  comm.driver->enqueue_until({group.stream}, [&comm, parts = std::move(group.parts)]() mutable {
    return attempt(comm, parts);
  });
}

// ---- communicators

// Memory of those that all ranks have left.
void free_ended() {
  for (auto& comm : comms()) {
    if (!comm->is_left || comm->region.data() == nullptr) continue;
    std::erase_if(regions(),
                  [&](const SharedRegion& made) { return made.handle() == comm->region.handle(); });
    comm->region = {};
  }
}

int make_id(NcclId* id) {
  free_ended();
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
  comm->device = driver_of_comms->current();
  comm->rank = rank;
  comm->ranks = ranks;
  comm->thread = this_thread;
  *made = comm.get();
  comms().push_back(std::move(comm));
  if (rank != late_nccl_faults().never_starts)
    static_cast<Comm*>(*made)->meeting->arrived.fetch_add(1);
  return NcclFunctions::in_progress;
}

// What the communicator is doing, and whether it has failed.
int state_of(Comm& comm) {
  if (comm.rank == late_nccl_faults().fails_to_start) comm.state = system_error;
  if (comm.state != NcclFunctions::success && comm.state != NcclFunctions::in_progress)
    return comm.state;
  const bool have_all_come = comm.meeting->arrived.load() >= comm.ranks;
  return have_all_come ? comm.state : NcclFunctions::in_progress;
}

// A group comes into its stream before this is told, or when it is.
int find_state(void* handle, int* state) {
  Comm& comm = entered(handle);
  *state = state_of(comm);
  // All have opened the region, which takes a descriptor.
  if (comm.rank == 0 && *state == NcclFunctions::success)
    for (SharedRegion& made : regions())
      if (made.handle() == comm.region.handle()) made.close_descriptor();
  if (comm.state != NcclFunctions::in_progress) return NcclFunctions::success;
  if (std::exchange(comm.is_told_late, false)) return NcclFunctions::success;
  if (comm.waiting) put_into_stream(*std::exchange(comm.waiting, std::nullopt));
  *state = comm.state = NcclFunctions::success;
  return NcclFunctions::success;
}

// Whether the communicator can be used; else the error. Ends what was begun before, which before
// version_of_threads is in memory of the thread that has begun it.
int ready(Comm& comm) {
  const int state = state_of(comm);
  if (state == NcclFunctions::in_progress) return invalid_argument;
  if (comm.thread && late_nccl_faults().version < version_of_threads)
    ensure(!comm.thread->expired(), "a thread has ended, in whose memory a communicator is");
  comm.thread.reset();
  return state;
}

int count_ranks(void* handle, int* ranks) {
  Comm& comm = entered(handle);
  *ranks = comm.ranks;
  return ready(comm);
}

// Ends it on this rank, and waits until all others have done so, as their devices use each other's
// memory.
int give_up(void* handle) {
  Comm& comm = entered(handle);
  comm.is_given_up = true;
  Meeting& meeting = *comm.meeting;
  for (meeting.ended.fetch_add(1); meeting.ended.load() < meeting.arrived.load();) usleep(100);
  comm.is_left = true;
  return NcclFunctions::success;
}

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

// ---- groups

int begin_group() {
  ++open_group.depth;
  return NcclFunctions::success;
}

// Of versions before version_of_threads, only groups with a first message to or from a rank are put
// into their stream later.
int start(Group group) {
  Comm& comm = *group.comm;
  const LateNcclFaults& faults = late_nccl_faults();
  bool is_later = faults.version >= version_of_threads;
  for (const Part& part : group.parts)
    is_later = comm.connected.emplace(part.receives, part.peer).second || is_later;
  const int number = comm.groups;
  ++groups_of_process;
  if (number >= faults.group && comm.rank == faults.fails_in_group) return remote_error;
  if (number >= faults.group && comm.rank == faults.breaks_in_group) {
    comm.state = remote_error;
    return NcclFunctions::success;
  }
  if (!is_later) {
    put_into_stream(std::move(group));
    return NcclFunctions::success;
  }
  comm.state = NcclFunctions::in_progress;
  comm.thread = this_thread;
  comm.is_told_late = true;
  if (number % 2 == 0)
    comm.waiting = std::move(group);
  else
    put_into_stream(std::move(group));
  return NcclFunctions::in_progress;
}

int end_group() {
  ensure(open_group.depth > 0, "a group ends that has not begun");
  if (--open_group.depth > 0) return NcclFunctions::success;
  OpenGroup ended = std::exchange(open_group, {});
  if (ended.group.comm == nullptr) return ended.error;
  ensure(ended.group.comm->driver->current() == ended.group.comm->device,
         "NCCL would go back to a device that is not the communicator's, and make a context there");
  if (ended.error != NcclFunctions::success) return ended.group.comm->state = ended.error;
  return ended.group.parts.empty() ? NcclFunctions::success : start(std::move(ended.group));
}

// Why a message is refused; success if it is not.
int refusal_of(Comm& comm, const Part& part, int type, void* stream) {
  if (const int state = ready(comm); state != NcclFunctions::success) return state;
  if (type != NcclFunctions::bytes || part.peer < 0 || part.peer >= comm.ranks || part.bytes <= 0)
    return invalid_argument;
  for (const std::byte* const end : {part.address, part.address + part.bytes - 1}) {
    const MemoryPlace place = comm.driver->place_of(end);
    const bool is_reached = place.kind == Memory::managed ||
                            (place.kind == Memory::device && place.device == comm.device);
    if (!is_reached) return invalid_argument;
  }
  const OnDevice selected(comm);
  return comm.driver->why_not_in({stream}).empty() ? NcclFunctions::success : invalid_argument;
}

int add_part(const Part& part, int type, void* handle, void* stream) {
  Comm& comm = entered(handle);
  ensure(open_group.depth > 0, "a message outside of a group");
  Group& group = open_group.group;
  ensure(group.comm == nullptr || (group.comm == &comm && group.stream == stream));
  group.comm = &comm;
  group.stream = stream;
  const int refused = refusal_of(comm, part, type, stream);
  if (refused != NcclFunctions::success) return open_group.error = refused;
  group.parts.push_back(part);
  return NcclFunctions::success;
}

int send(const void* from, std::size_t count, int type, int peer, void* comm, void* stream) {
  auto* const address = static_cast<std::byte*>(const_cast<void*>(from));
  return add_part({false, address, static_cast<std::int64_t>(count), 0, peer}, type, comm, stream);
}
int receive(void* to, std::size_t count, int type, int peer, void* comm, void* stream) {
  return add_part({true, static_cast<std::byte*>(to), static_cast<std::int64_t>(count), 0, peer},
                  type, comm, stream);
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
  static const NcclFunctions functions{find_version, make_id,    initialize, count_ranks,
                                       give_up,      find_state, text_of,    begin_group,
                                       end_group,    send,       receive};
  driver_of_comms = &driver;
  return &functions;
}

int late_nccl_groups() { return groups_of_process; }

}  // namespace weft
