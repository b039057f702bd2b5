// exchange/nccl_channel: a communicator of NCCL, or RCCL, of the ranks of a plan, and the stream in
// which its groups of messages go from device to device.
// Keeps: agreement - what fails on one rank alone is an error on all, and nobody waits for ever;
// nothing waits but what is collective.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "weft/base/error_record.hpp"
#include "weft/comm/communicator.hpp"
#include "weft/device/device_queue.hpp"
#include "weft/device/nccl.hpp"
#include "weft/exchange/group_turns.hpp"

namespace weft {

/// Each rank has a device of its own. One thread at a time may call the members.
class NcclChannel {
 public:
  /// `library` and the driver of `device` must outlive it. Collective. Error::system if NCCL does
  /// not start on a rank, or takes longer than `patience` seconds.
  NcclChannel(const Communicator& comm, const NcclLibrary& library, const Device& device,
              double patience = 60);
  NcclChannel(const NcclChannel&) = delete;
  NcclChannel& operator=(const NcclChannel&) = delete;
  /// No group may be under way, but after give_up().
  ~NcclChannel();

  /// Sends so many bytes to each rank of `to`, and receives as many from each of `from`, which
  /// connects these ranks: NCCL does so in a call that waits for the other rank. Collective.
  /// Error::system if the contents that arrive are other ones, and errors of the constructor.
  void try_messages(const Communicator& comm, const std::vector<int>& to,
                    const std::vector<int>& from, std::int64_t bytes);

  /// A message: a run of bytes in memory of the device, to or from a rank.
  struct Part {
    std::byte* address = nullptr;
    std::int64_t bytes = 0;
    int peer = 0;
  };
  /// Enqueues a group of messages in queue(), which waits there until all have come and gone. All
  /// ranks start the groups that they have in common in the same order. The group before must have
  /// started. Does not wait. Error::system if NCCL reports an error.
  void start(std::span<const Part> sends, std::span<const Part> receives);
  /// Whether the last group is in the queue, so that what follows there comes after it.
  /// Error::system if NCCL has reported an error; after give_up(), its reason.
  bool has_started();
  /// Ends what is under way on this rank, for this reason; no group starts from now on.
  void give_up(const ErrorRecord& why) noexcept;

  DeviceQueue& queue() { return *queue_; }
  GroupTurns& turns() { return turns_; }
  /// "NCCL 2.28.3"
  std::string text() const { return library_->text(); }

 private:
  template <class Start, class IsDone, class Finish>
  void together(const Communicator& comm, const char* what, const Start& start,
                const IsDone& is_done, const Finish& finish);
  void require(int result, const char* call) const;

  const NcclLibrary* library_;
  const NcclFunctions* nccl_;
  double patience_;
  std::unique_ptr<DeviceQueue> queue_;
  GroupTurns turns_;
  void* comm_ = nullptr;
  ErrorRecord failure_;  // why it was aborted
};

}  // namespace weft
