// exchange/node_group: the ranks of one node, and the memory they share.
// Keeps: waiting makes no MPI call, burns no core that another rank needs, and ends with an error
// if a member fails or dies.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/comm/communicator.hpp"
#include "weft/exchange/process_watch.hpp"
#include "weft/exchange/signal.hpp"
#include "weft/memory/buffer.hpp"
#include "weft/memory/segment.hpp"

namespace weft {

/// The ranks of one node. What is collective over the team is called by all its members in the same
/// order, by one thread of each. Its destructor only unmaps; it may come after MPI_Finalize.
class NodeGroup {
 public:
  /// Collective over `whole`. node_of_rank[r] is the node of rank r, pretended nodes included.
  /// Error::system, on every rank of `whole`, if members of a node cannot map each other's memory.
  NodeGroup(const Communicator& whole, const std::vector<int>& node_of_rank);
  NodeGroup(const NodeGroup&) = delete;
  NodeGroup& operator=(const NodeGroup&) = delete;
  ~NodeGroup();

  int size() const { return static_cast<int>(ranks_.size()); }
  /// My index among the members, who are in the order of their ranks.
  int me() const { return me_; }
  /// The members' ranks in `whole`, ascending.
  const std::vector<int>& ranks() const { return ranks_; }
  /// The index of a rank of `whole`; -1 if it is on another node.
  int member(int rank) const;

  /// One piece of zeroed memory common to all members. Collective over the team; Error::system on
  /// all members if there is not that much.
  std::shared_ptr<Segment> common(std::int64_t bytes);

  /// Memory of every member, seen by all.
  struct Window {
    std::vector<Segment> segments;  ///< by member; my own is the one I made
    std::byte* of(int member) const { return segments[static_cast<std::size_t>(member)].data(); }
  };
  /// `bytes` (each member its own number) of zeroed memory of mine that all members see. Collective
  /// over the team; Error::system on all members if there is not that much.
  Window window(std::int64_t bytes);

  /// Adds 1 to `signal`, and wakes who waits for it if that makes it `all`, which is what they wait
  /// for. What all who counted have stored before is seen by who finds all counted.
  void count(Signal& signal, std::uint32_t all);

  /// Whether `signal` has reached `value`; values wrap around. Error::system if a member called
  /// fail(), or has died (noticed within a second), before that. Allocates nothing.
  bool reached(const Signal& signal, std::uint32_t value);
  /// Of who waits for something else as well: whether that has come.
  using Something = std::function<bool()>;
  /// Error::system if a member called fail(). Allocates nothing.
  void check() { check_failure(); }
  /// Returns when `signal` (if there is one) has reached `value` or `other`, asked now and then,
  /// says that something has come; or after some milliseconds. Stays awake for some 30
  /// microseconds, spinning where every member has a core of its own and else making room for the
  /// others; then sleeps, with `other` for 200 microseconds at a time at most. Errors as of
  /// reached. Allocates nothing.
  void wait_briefly(Signal* signal, std::uint32_t value, const Something* other = nullptr);
  /// Returns when all members have come here; everything they stored before is seen by all.
  /// Error::system if a member called fail() or has died, be it after it came here.
  void barrier();

  /// Makes every present and later wait of all members throw Error::system with this text (its
  /// first kilobyte): a member that fails in the middle of a run must not leave the others waiting.
  /// The first text stays.
  void fail(const std::string& why);

  /// Begins a run in which members tell each other where their arrays are: the number that the
  /// source is published as; the target has the next one. Members begin the same such runs in the
  /// same order. One that begins a run knows that all have begun the one before, so two numbers in
  /// turn are enough.
  int begin_meeting() { return meetings_++ % 2 == 0 ? 0 : 2; }
  /// Tells where array `array` (0 to 3, see begin_meeting) of this rank is; nothing if it is in no
  /// segment of its own. Plain stores: a barrier or a signal makes them visible. Also lets go of
  /// others' segments that their makers have given up.
  void publish(int array, const std::optional<Segment::Location>& where);
  /// Where member `i`'s array, as published last, lies in this process: maps its segment at first
  /// sight and keeps the mapping. Error::invalid if that member published none.
  std::byte* resolve(int i, int array);

 private:
  struct Slot;
  struct Control;

  Slot& slot(int i) const;
  void check_failure() const;
  template <class Ask>
  bool stay_awake(const Signal& signal, std::uint32_t value, const Ask& ask) const;
  void check_processes(const Signal& signal, std::uint32_t value);
  void agree(const std::optional<Error>& mine);
  template <class Body>
  void together_in_team(Body&& body);
  Segment open_of(int i, const SegmentHandle& handle) const;
  void drop_dead();

  std::vector<int> ranks_;
  int me_ = 0;
  bool has_cores_ = false;
  Segment segment_;  // of the control block; a team of one has it in its own memory
  Buffer alone_;
  Control* control_ = nullptr;
  std::uint32_t barriers_ = 0, meetings_ = 0;
  Signal nothing_;  // that nobody raises
  ProcessWatch watch_;
  std::chrono::steady_clock::time_point looks_at_;  // after the next of them: at the processes
  std::vector<std::int64_t> processes_;
  std::vector<std::vector<Segment>> opened_;  // by member: what resolve() mapped
};

}  // namespace weft
