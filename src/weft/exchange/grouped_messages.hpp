// exchange/grouped_messages: the messages of a run, in groups from device to device.
// Keeps: nothing waits; quiet execution - a run allocates nothing.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "weft/device/device_marks.hpp"
#include "weft/exchange/nccl_channel.hpp"
#include "weft/memory/addresses.hpp"
#include "weft/program/message_groups.hpp"

namespace weft {

/// Starts the groups of a program (program/message_groups), in their order, when all of their tasks
/// have been submitted and it is the turn of the run. What is sent must have been stored when its
/// task is submitted; the tasks of a group complete when the device has done with it.
class GroupedMessages {
 public:
  /// All arguments must outlive it.
  GroupedMessages(const Program& program, NcclChannel& channel, GroupTurns::Turn& turn);

  /// Whether the messages of an exchange go in groups.
  bool carries(int exchange) const { return carries_[static_cast<std::size_t>(exchange)]; }
  /// The ranks to which this one sends, and those from which it receives.
  const std::vector<int>& receivers() const { return receivers_; }
  const std::vector<int>& senders() const { return senders_; }

  /// Begins a run on the buffers at these addresses, which must outlive it.
  void begin(const Addresses& addresses);
  /// A task of an exchange that goes in groups.
  struct Member {
    int exchange;
    MessageGroup::Member task;
  };
  void submit(const Member& member);
  /// Starts the groups that can start, and adds what has completed to completions(). Error::system
  /// if NCCL has failed.
  void progress();
  std::span<const Member> completions() const { return completions_; }
  void clear() { completions_.clear(); }
  /// Whether nothing that was submitted is left.
  bool is_idle() const { return open_ == 0; }

 private:
  struct Part {
    int buffer;
    std::int64_t offset_bytes, bytes;
    int peer;
  };
  struct Group {
    std::vector<Member> members;
    std::vector<Part> sends, receives;
  };
  void add(const ExchangeProgram& exchange, const MessageGroup& group);
  void start(const Group& group);
  std::span<const NcclChannel::Part> located(const std::vector<Part>& parts,
                                             std::vector<NcclChannel::Part>& at) const;

  NcclChannel* channel_;
  GroupTurns::Turn* turn_;
  std::vector<bool> carries_;
  std::vector<Group> groups_;
  // By exchange and kind of task, and by its index: the number of its group.
  struct Numbers {
    std::vector<int> receives, sends, collectives;
    std::vector<int>& of(Task::Kind kind) {
      return kind == Task::receive ? receives : kind == Task::send ? sends : collectives;
    }
  };
  std::vector<Numbers> numbers_;
  std::vector<int> receivers_, senders_;
  DeviceMarks marks_;  // by group

  const Addresses* addresses_ = nullptr;
  std::vector<std::size_t> left_;  // by group: tasks that have not been submitted
  std::size_t next_ = 0;           // the group to start next
  int starting_ = -1;              // a group that NCCL has not put into its queue yet
  std::size_t open_ = 0;           // tasks that have been submitted and not completed
  std::vector<NcclChannel::Part> sends_at_, receives_at_;
  std::vector<Member> completions_;
};

}  // namespace weft
