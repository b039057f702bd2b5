// exchange/nccl_channel: starts NCCL, its groups, and ends it. Communicators are such that no call
// waits: https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/usage/communicators.html.

#include "weft/exchange/nccl_channel.hpp"

#include <sched.h>

#include <functional>
#include <system_error>
#include <thread>
#include <utility>

#include "weft/base/ensure.hpp"
#include "weft/base/trace.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/failure_notice.hpp"
#include "weft/device/device_buffer.hpp"

namespace weft {

namespace {

// Ranks that do something together, and hear of the failures of others meanwhile.
struct Meeting {
  Communicator comm;
  FailureNotice notice{1};
  explicit Meeting(const Communicator& with) : comm(with.duplicate()) { notice.use(comm); }
};

// News of failures may still be under way: MPI must find their communicator.
void keep_for_ever(std::unique_ptr<Meeting> meeting) {
  static auto& kept = *new std::vector<std::unique_ptr<Meeting>>;
  kept.push_back(std::move(meeting));
}

// Ends a communicator, and what it is doing, in a thread of its own: the call may wait until all
// ranks of the node have made it, as their devices use each other's memory, and a rank makes it
// when its application next comes to weft. ncclCommFinalize and ncclCommDestroy wait in the same
// way.
void end(const NcclFunctions& nccl, void* comm) noexcept {
  try {
    std::thread(nccl.give_up, comm).detach();
  } catch (const std::system_error&) {
    nccl.give_up(comm);
  }
}

// Byte i of what rank `from` sends to rank `to`.
std::byte byte_between(int from, int to, std::int64_t i) {
  return static_cast<std::byte>(31 * from + 17 * to + 7 * i + i / 251);
}

void copy_and_wait(DeviceQueue& queue, void* to, const void* from, std::int64_t bytes) {
  if (bytes == 0) return;
  queue.driver().copy(queue.stream(), to, from, bytes);
  queue.mark();
  queue.await_mark();
}

// Messages of as many bytes each, one after the other in memory of a device.
std::vector<NcclChannel::Part> parts_at(void* memory, const std::vector<int>& peers,
                                        std::int64_t bytes) {
  std::vector<NcclChannel::Part> parts;
  auto* next = static_cast<std::byte*>(memory);
  for (const int peer : peers) {
    parts.push_back({next, bytes, peer});
    next += bytes;
  }
  return parts;
}

}  // namespace

void NcclChannel::require(int result, const char* call) const {
  if (result == NcclFunctions::success || result == NcclFunctions::in_progress) return;
  throw Error(Error::system,
              fmt::format("{}: {} fails: {}", library_->name, call, nccl_->text_of(result)),
              "NCCL_DEBUG=WARN in the environment tells more; WEFT_DEVICE_MESSAGES=staged does "
              "without it");
}

// Calls start(), asks is_done() until it is, and calls finish(). A rank on which one of these
// throws lets the others know, which may be waiting for it. Counting ranks ends what NCCL has
// begun: before version 2.22, that is in memory of this thread, which may end before the next call.
template <class Start, class IsDone, class Finish>
void NcclChannel::together(const Communicator& comm, const char* what, const Start& start,
                           const IsDone& is_done, const Finish& finish) {
  auto meeting = std::make_unique<Meeting>(comm);
  FailureNotice& notice = meeting->notice;
  const ErrorRecord mine = record_of([&] {
    start();
    const double limit = now() + patience_;
    while (!is_done()) {
      if (notice.ask()) return;
      if (now() > limit)
        throw Error(
            Error::system,
            fmt::format("{} does not {} within {} s", library_->name, what, patience_),
            "NCCL_DEBUG=INFO in the environment tells more; WEFT_DEVICE_MESSAGES=staged does "
            "without it");
      sched_yield();
    }
    int ranks = 0;
    require(nccl_->count_ranks(comm_, &ranks), "ncclCommCount");
    finish();
  });
  if (mine.has_error()) notice.tell(mine);
  const ErrorRecord all = record_of([&] { throw_together(comm, mine); });
  if (!all.has_error()) return;
  keep_for_ever(std::move(meeting));
  give_up(all);
  throw all.error();
}

NcclChannel::NcclChannel(const Communicator& comm, const NcclLibrary& library, const Device& device,
                         double patience)
    : library_(&library), nccl_(library.functions), patience_(patience) {
  NcclId id{};
  agree(comm, [&] {
    queue_ = std::make_unique<DeviceQueue>(device, nullptr, true);
    if (comm.rank() == 0) require(nccl_->make_id(&id), "ncclGetUniqueId");
  });
  comm.broadcast(&id, sizeof id, 0);
  together(
      comm, "start",
      [&] {
        NcclConfig config;
        queue_->driver().within([&] {
          require(nccl_->initialize(&comm_, comm.size(), id, comm.rank(), &config),
                  "ncclCommInitRankConfig");
        });
      },
      [&] { return has_started(); }, [] {});
}

NcclChannel::~NcclChannel() {
  if (comm_ != nullptr) end(*nccl_, comm_);
}

void NcclChannel::try_messages(const Communicator& comm, const std::vector<int>& to,
                               const std::vector<int>& from, std::int64_t bytes) {
  std::vector<std::byte> contents;
  DeviceBuffer sent, received;
  bool is_enqueued = false;
  together(
      comm, "move a message",
      [&] {
        for (const int peer : to)
          for (std::int64_t i = 0; i < bytes; ++i)
            contents.push_back(byte_between(comm.rank(), peer, i));
        sent = DeviceBuffer(queue_->driver(), std::ssize(to) * bytes);
        received = DeviceBuffer(queue_->driver(), std::ssize(from) * bytes);
        copy_and_wait(*queue_, sent.data(), contents.data(), sent.bytes());
        start(parts_at(sent.data(), to, bytes), parts_at(received.data(), from, bytes));
      },
      [&] {
        if (!has_started()) return false;
        if (!is_enqueued) queue_->mark();
        is_enqueued = true;
        return queue_->has_reached_mark();
      },
      [&] {
        contents.resize(static_cast<std::size_t>(received.bytes()));
        copy_and_wait(*queue_, contents.data(), received.data(), received.bytes());
        std::size_t at = 0;
        for (const int peer : from)
          for (std::int64_t i = 0; i < bytes; ++i)
            if (contents[at++] != byte_between(peer, comm.rank(), i))
              throw Error(Error::system,
                          fmt::format("{} does not deliver what was in memory of the device",
                                      library_->name));
      });
}

void NcclChannel::start(std::span<const Part> sends, std::span<const Part> receives) {
  if (failure_.has_error()) throw failure_.error();
  const auto group = [&] {
    void* const stream = queue_->stream().handle;
    require(nccl_->begin_group(), "ncclGroupStart");
    const ErrorRecord failure = record_of([&] {
      for (const Part& part : receives)
        require(nccl_->receive(part.address, static_cast<std::size_t>(part.bytes),
                               NcclFunctions::bytes, part.peer, comm_, stream),
                "ncclRecv");
      for (const Part& part : sends)
        require(nccl_->send(part.address, static_cast<std::size_t>(part.bytes),
                            NcclFunctions::bytes, part.peer, comm_, stream),
                "ncclSend");
    });
    const int ended = nccl_->end_group();
    if (failure.has_error()) throw failure.error();
    require(ended, "ncclGroupEnd");
  };
  queue_->driver().within(std::ref(group));  // which allocates nothing
}

bool NcclChannel::has_started() {
  if (failure_.has_error()) throw failure_.error();
  int state = NcclFunctions::success;
  require(nccl_->find_state(comm_, &state), "ncclCommGetAsyncError");
  require(state, "the communicator");
  return state == NcclFunctions::success;
}

void NcclChannel::give_up(const ErrorRecord& why) noexcept {
  if (failure_.has_error()) return;
  failure_ = why;
  if (comm_ != nullptr) end(*nccl_, std::exchange(comm_, nullptr));
  if (queue_) queue_->settle();
}

}  // namespace weft
