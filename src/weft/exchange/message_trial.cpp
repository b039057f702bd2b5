// exchange/message_trial: three transfers, one after the other, of which each must succeed on all
// ranks before the next is tried.

#include "weft/exchange/message_trial.hpp"

#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "weft/base/trace.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/device/device_buffer.hpp"
#include "weft/exchange/touch_guard.hpp"

namespace weft {

namespace {

// Sent at once, and only when the receiver has asked for it.
constexpr std::int64_t small_bytes = 64, large_bytes = std::int64_t{1} << 20;
constexpr std::int64_t bytes_of_each_peer = 16;
constexpr double most_seconds = 10;
constexpr int tag = 1;

enum Outcome : std::int64_t { works, gives_other_contents, fails, never_ends, touches };

std::string reason_of(std::int64_t outcome) {
  switch (outcome) {
    case gives_other_contents:
      return "MPI does not deliver what was in memory of the device";
    case fails:
      return "MPI reports an error for memory of the device";
    case never_ends:
      return "MPI does not finish a message of memory of the device within 10 s";
    case touches:
      return "MPI touches memory of the device as if it were the processor's";
    default:
      return {};
  }
}

// What rank `rank` sends: byte i to whom it may concern.
std::byte sent_byte(int rank, std::int64_t i) {
  return static_cast<std::byte>(31 * rank + 7 * i + i / 251);
}

class Trial {
 public:
  Trial(const Communicator& comm, DeviceDriver& driver, int device, Memory kind)
      : comm_(comm.duplicate()), driver_(driver), device_(device) {
    agree(comm, [&] {
      bytes_ = std::max(large_bytes, bytes_of_each_peer * comm.size());
      contents_.resize(static_cast<std::size_t>(bytes_));
      driver.select(device);
      memory_ = DeviceBuffer(driver, 2 * bytes_, kind);
      stream_ = driver.make_stream(0);
    });
  }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;
  ~Trial() {
    if (stream_.handle != nullptr) driver_.destroy(stream_);
  }

  // What the memory is for one transfer, and what has become of it on this rank.
  Outcome messages(std::int64_t bytes) {
    return tried(
        [&] {
          const int next = (comm_.rank() + 1) % comm_.size(), before = before_me();
          const int count = narrow(bytes);
          check_mpi(
              MPI_Irecv(target(), count, MPI_BYTE, before, tag, comm_.handle(), requests_.data()),
              "MPI_Irecv");
          check_mpi(MPI_Isend(source(), count, MPI_BYTE, next, tag, comm_.handle(), &requests_[1]),
                    "MPI_Isend");
        },
        [&](std::int64_t i) { return i < bytes ? sent_byte(before_me(), i) : std::byte{0}; });
  }
  Outcome collective() {
    return tried(
        [&] {
          const int count = narrow(bytes_of_each_peer);
          check_mpi(MPI_Ialltoall(source(), count, MPI_BYTE, target(), count, MPI_BYTE,
                                  comm_.handle(), requests_.data()),
                    "MPI_Ialltoall");
        },
        [&](std::int64_t i) {
          const std::int64_t peer = i / bytes_of_each_peer, at = i % bytes_of_each_peer;
          if (peer >= comm_.size()) return std::byte{0};
          return sent_byte(static_cast<int>(peer), bytes_of_each_peer * comm_.rank() + at);
        });
  }
  // Whether MPI may still use the memory.
  bool is_abandoned() const { return is_abandoned_; }

 private:
  std::byte* source() const { return static_cast<std::byte*>(memory_.data()); }
  std::byte* target() const { return source() + bytes_; }
  int before_me() const { return (comm_.rank() + comm_.size() - 1) % comm_.size(); }

  void copy(void* to, const void* from) {
    driver_.select(device_);
    driver_.copy(stream_, to, from, bytes_);
    driver_.await(stream_);
  }
  template <class Byte>
  void fill(std::byte* memory, const Byte& byte) {
    for (std::int64_t i = 0; i < bytes_; ++i) contents_[static_cast<std::size_t>(i)] = byte(i);
    copy(memory, contents_.data());
  }
  bool has_ended() {
    const double limit = now() + most_seconds;
    for (int is = 0; is == 0;) {
      check_mpi(MPI_Testall(2, requests_.data(), &is, MPI_STATUSES_IGNORE), "MPI_Testall");
      if (is == 0 && now() > limit) return false;
    }
    return true;
  }

  // An error of MPI on one rank is a message that never ends on another one.
  template <class Start, class Byte>
  Outcome tried(const Start& start, const Byte& expected) {
    fill(source(), [&](std::int64_t i) { return sent_byte(comm_.rank(), i); });
    fill(target(), [](std::int64_t) { return std::byte{0}; });
    requests_.fill(MPI_REQUEST_NULL);
    bool was_touched = false;
    try {
      const TouchGuard guard(source(), 2 * bytes_);
      start();
      is_abandoned_ = !has_ended();
      was_touched = guard.was_touched();
    } catch (const Error&) {
      is_abandoned_ = true;
      return fails;
    }
    if (was_touched) return touches;
    if (is_abandoned_) return never_ends;
    copy(contents_.data(), target());
    for (std::int64_t i = 0; i < bytes_; ++i)
      if (contents_[static_cast<std::size_t>(i)] != expected(i)) return gives_other_contents;
    return works;
  }

  Communicator comm_;
  DeviceDriver& driver_;
  int device_;
  std::int64_t bytes_ = 0;
  std::vector<std::byte> contents_;
  DeviceBuffer memory_;  // what is sent, and then what is received
  DeviceStream stream_;
  std::array<MPI_Request, 2> requests_{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  bool is_abandoned_ = false;
};

}  // namespace

std::string why_not_direct(const Communicator& comm, DeviceDriver& driver, int device,
                           Memory kind) {
  if (comm.is_alone()) return "this process has no other ranks";
  auto trial = std::make_unique<Trial>(comm, driver, device, kind);
  std::int64_t outcome = works;
  for (int transfer = 0; transfer < 3 && outcome == works; ++transfer) {
    ErrorRecord failure = record_of([&] {
      outcome = transfer == 0   ? trial->messages(small_bytes)
                : transfer == 1 ? trial->messages(large_bytes)
                                : trial->collective();
    });
    outcome = largest_together<1>(comm, failure, {outcome})[0];
  }
  // MPI may still use this memory.
  if (comm.max(std::int64_t{trial->is_abandoned()}) != 0) static_cast<void>(trial.release());
  return agree(comm, [&] { return std::string(reason_of(outcome)); });
}

}  // namespace weft
