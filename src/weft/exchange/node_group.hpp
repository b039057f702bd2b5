// exchange/node_group: the ranks of one node, and the memory that they share.
// Keeps: waiting makes no MPI call, takes no core that another rank needs, and ends with an error
// if a member fails or dies; what members make together holds no file descriptor.
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

#include "weft/base/ensure.hpp"
#include "weft/base/error_record.hpp"
#include "weft/comm/communicator.hpp"
#include "weft/device/region_memory.hpp"
#include "weft/exchange/process_watch.hpp"
#include "weft/exchange/signal.hpp"
#include "weft/memory/buffer.hpp"
#include "weft/memory/shared_region.hpp"

namespace weft {

/// The ranks of one node, called its members. A single member needs no memory that others can map,
/// so it works where the system has none. All members call the functions that are collective
/// over the node in the same order, each from one thread. The destructor only unmaps memory, so it
/// may run after MPI_Finalize.
class NodeGroup {
 public:
  /// Of rank `rank`; node_of_rank[r] is the node of rank r; nodes may be pretended ones. Makes this
  /// member's memory, and is not collective. Then all ranks call exchange_handles() and map(), and,
  /// when they have agreed that none has failed, begin(). Windows and arrays are in memory of this
  /// rank's `device`, if it has one, and members map them there; all members have devices of one
  /// driver then, which must outlive the group. Else they are in memory of the processor, which is
  /// registered with the device that it streams `through`, if there is one. Error::system if there
  /// is not enough memory.
  NodeGroup(int rank, const std::vector<int>& node_of_rank, const Device& device = {},
            const Device& through = {});
  /// Collective over `whole`, whose ranks these are.
  void exchange_handles(const Communicator& whole);
  /// Maps memory of the other members. Error::system if this is not possible. Not collective.
  void map();
  /// From now on members may wait for each other. Not collective.
  void begin();
  NodeGroup(const NodeGroup&) = delete;
  NodeGroup& operator=(const NodeGroup&) = delete;
  ~NodeGroup();

  /// The number of members.
  int size() const { return static_cast<int>(ranks_.size()); }
  /// The index of this rank among the members, which are in the order of their ranks.
  int me() const { return me_; }
  /// The members' ranks in `whole`, ascending.
  const std::vector<int>& ranks() const { return ranks_; }
  /// The index of a rank of `whole`; -1 if it is on another node.
  int member(int rank) const;

  /// Makes zeroed memory of the processor that all members map; null for 0 bytes. Collective over
  /// the node. Error::system on all members if there is not enough memory.
  std::shared_ptr<std::byte> common(std::int64_t bytes);

  /// One range of memory per member, all of them mapped by all members.
  struct Window {
    std::vector<RegionMemory> regions;  ///< by member; the one at me() was made by this rank
    Buffer alone;                       ///< instead, if there is one member, and no device
    std::byte* of(int member) const {
      return regions.empty() ? alone.data() : regions[static_cast<std::size_t>(member)].data();
    }
  };
  /// Makes `bytes` of memory of this rank, which all members map; each member chooses its own size.
  /// It is zeroed, but for that of a device. Collective over the node. Error::system on all members
  /// if there is not enough memory.
  Window window(std::int64_t bytes);

  /// Adds 1 to `signal`. If that makes it `all`, the value that waiters wait for, wakes them. They
  /// then see all writes that members made before their counts.
  void count(Signal& signal, std::uint32_t all);

  /// Returns whether `signal` has reached `value`; values wrap around. If it has not, throws
  /// Error::system if a member has called fail() or has died (noticed within a second). Allocates
  /// nothing.
  bool check_reached(const Signal& signal, std::uint32_t value);
  /// Throws Error::system if a member has called fail(). Allocates nothing.
  void check_failure() const;
  /// An extra condition that ends a wait.
  using Condition = std::function<bool()>;
  /// Waits until `signal` (if given) has reached `value` or the condition `other` (if given) holds,
  /// or some milliseconds have passed. Stays awake for about 30 microseconds: spins if every member
  /// has a core of its own, else yields to the others. Then sleeps, with `other` for at most 200
  /// microseconds between two tests of the condition. Errors as in check_reached(). Allocates
  /// nothing.
  void wait_briefly(Signal* signal, std::uint32_t value, const Condition* other = nullptr);
  /// Waits until all members have called it; then every member sees all that the others stored
  /// before. Error::system if a member has called fail() or has died, even after it came here.
  void barrier();

  /// Makes every present and later wait of all members throw `why`, so that a member that fails
  /// during a run does not leave the others waiting. The first of several errors stays. Returns
  /// whether this member, now or in an earlier call, was the first that can tell the ranks of other
  /// nodes, and has to. Allocates nothing.
  bool fail(const ErrorRecord& why, bool can_tell = true) noexcept;
  /// The first error, after a call of fail(); none while another member is still writing it.
  ErrorRecord failure() const noexcept;
  /// Whether the error is that the process of a member has ended.
  bool has_lost_member() const noexcept;

  /// Begins a run in which members publish where their arrays are. Returns the number under which
  /// this rank publishes its source; the target has the next number. Members begin these runs in
  /// the same order. A member begins a run only after all members have begun the run before, so two
  /// pairs of numbers used in turn are enough.
  int begin_array_exchange() { return array_exchanges_++ % 2 == 0 ? 0 : 2; }
  /// Publishes the place of array `array` of this rank (0 to 3, see begin_array_exchange()), or
  /// that the array is in no region. The writes become visible by a later barrier or signal. Also
  /// unmaps regions of other members that their makers have freed.
  void publish(int array, const std::optional<RegionPlace>& where);
  /// The address, in this process, of the array that member `i` published last under number
  /// `array`. Maps the member's region when it is first needed, and keeps the mapping.
  /// Error::invalid if the member's array is in no region.
  std::byte* resolve(int i, int array);
  /// The same if another member's region is mapped already, else null.
  std::byte* mapped(int i, int array) const;

 private:
  struct Slot;
  struct Control;

  Slot& slot(int i) const;
  template <class Ask>
  bool stay_awake(const Signal& signal, std::uint32_t value, const Ask& ask) const;
  void check_processes(const Signal& signal, std::uint32_t value);
  void find_members(int rank, const std::vector<int>& node_of_rank);
  void throw_in_node(const ErrorRecord& mine);
  template <class Body>
  void agree_in_node(Body&& body);
  template <class Open>
  auto open_of(int i, const Open& open) const;
  bool is_alive(int i, const RegionMemory& memory) const;
  void note_alive(const Region& region);
  void drop_dead();

  std::vector<int> ranks_;
  int me_ = 0;
  Device device_, through_;
  bool has_cores_ = false, tells_of_failure_ = false;
  SharedRegion mine_;                        // that others map, until begin()
  SharedRegion region_;                      // holds the control block if there are several members
  std::vector<SharedRegionHandle> handles_;  // by rank: what others map, until it is mapped
  Buffer alone_;                             // holds the control block if there is one member
  Control* control_ = nullptr;
  std::uint32_t barriers_ = 0, array_exchanges_ = 0;
  Signal nothing_;  // nobody raises it
  ProcessWatch watch_;
  std::chrono::steady_clock::time_point next_process_check_;
  std::vector<std::int64_t> processes_;
  std::vector<std::vector<RegionMemory>> opened_;  // by member: what resolve() mapped
};

}  // namespace weft
