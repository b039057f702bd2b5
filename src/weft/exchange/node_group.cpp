// exchange/node_group: a control block in shared memory. MPI is used only to find it.

#include "weft/exchange/node_group.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

namespace weft {

namespace {

using Clock = std::chrono::steady_clock;

// How long a waiter stays awake before it sleeps: about as long as a sleep and a wake-up through
// the kernel take.
constexpr auto awake = std::chrono::microseconds(30);
// A waiter with an extra condition sleeps this long at first, and twice as long each time, up to
// the longest nap.
constexpr auto shortest_nap = std::chrono::microseconds(5);
constexpr auto longest_nap = std::chrono::microseconds(200);
// The longest time that wait_briefly() takes.
constexpr auto briefly = std::chrono::milliseconds(10);
// Time between two checks whether the processes of the node are alive.
constexpr auto between_process_checks = std::chrono::milliseconds(100);

// Spins for about half a microsecond, or until `signal` has reached `value`.
void spin(const Signal& signal, std::uint32_t value) {
  for (int i = 0; i < 16 && !has_reached(signal, value); ++i) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
  }
}

// Sets of cores, one bit per core, for at most 8192 cores.
constexpr std::size_t words_of_cores = 128;
using CoreSet = std::array<std::uint64_t, words_of_cores>;
using SharedCoreSet = std::array<std::atomic<std::uint64_t>, words_of_cores>;

// Adds the cores that this process may run on.
void add_my_cores(SharedCoreSet& all) {
  CoreSet mine{};
  if (sched_getaffinity(0, sizeof mine, reinterpret_cast<cpu_set_t*>(mine.data())) != 0) return;
  for (std::size_t i = 0; i < mine.size(); ++i) all.at(i).fetch_or(mine.at(i));
}

int count_of(const SharedCoreSet& cores) {
  int count = 0;
  for (const auto& word : cores) count += std::popcount(word.load());
  return count;
}

}  // namespace

// What one member publishes to the others.
struct alignas(64) NodeGroup::Slot {
  struct Published {
    bool is_there;
    RegionPlace where;
  };
  // An allocation of a device that the member has published.
  struct Allocation {
    std::atomic<std::int64_t> number;  // 0: none, or it is freed
    std::byte* address;                // for the member itself
  };
  std::array<Published, 4> arrays;
  std::array<Allocation, 16> allocations;
  std::uint32_t next_allocation;  // the entry that the next new one replaces
  Region offered;
  ErrorRecord error;
};

struct NodeGroup::Control {
  Signal arrivals;                                 // members that came to a barrier, in all
  alignas(64) std::atomic<std::uint32_t> failure;  // 1: `why` is being written, 2: it is written
  std::atomic<std::uint32_t> has_teller;           // 1: a member tells it to other nodes
  std::atomic<std::uint32_t> has_lost_member;      // 1: a process of the node has ended
  ErrorRecord why;
  SharedCoreSet cores;  // on which members may run
};

// Every member makes a region and another member maps it, so that memory that cannot be mapped is
// found out here. The region of member 0 is the control block.
NodeGroup::NodeGroup(int rank, const std::vector<int>& node_of_rank, const Device& device,
                     const Device& through)
    : device_(device), through_(through) {
  static_assert(std::is_trivially_destructible_v<Slot>, "lives in zeroed shared memory");
  find_members(rank, node_of_rank);
  handles_.resize(node_of_rank.size());
  const auto bytes = static_cast<std::int64_t>(sizeof(Control) + ranks_.size() * sizeof(Slot)) + 64;
  if (size() == 1)
    alone_ = Buffer(bytes);
  else
    mine_ = SharedRegion(me_ == 0 ? bytes : 1);
}

void NodeGroup::exchange_handles(const Communicator& whole) {
  ensure(std::cmp_equal(handles_.size(), whole.size()), handles_.size(), whole.size());
  const SharedRegionHandle mine = mine_.handle();
  whole.gather(&mine, static_cast<int>(sizeof mine), handles_.data());
}

void NodeGroup::find_members(int my_rank, const std::vector<int>& node_of_rank) {
  const int mine = node_of_rank[static_cast<std::size_t>(my_rank)];
  for (std::size_t rank = 0; rank < node_of_rank.size(); ++rank) {
    if (node_of_rank[rank] != mine) continue;
    if (std::cmp_equal(rank, my_rank)) me_ = size();
    ranks_.push_back(static_cast<int>(rank));
  }
  opened_.resize(ranks_.size());
}

template <class Open>
auto NodeGroup::open_of(int i, const Open& open) const {
  try {
    return open();
  } catch (const Error& error) {
    throw Error(Error::system,
                fmt::format("rank {} cannot use the memory of rank {} on its node: {}",
                            ranks_[static_cast<std::size_t>(me_)],
                            ranks_[static_cast<std::size_t>(i)], error.message()),
                error.hint());
  }
}

void NodeGroup::map() {
  const auto handle = [&](int i) {
    return handles_[static_cast<std::size_t>(ranks_[static_cast<std::size_t>(i)])];
  };
  if (size() > 1) {
    const int next = (me_ + 1) % size();
    open_of(next, [&] { return SharedRegion::open(handle(next)); });
    region_ =
        me_ == 0 ? std::move(mine_) : open_of(0, [&] { return SharedRegion::open(handle(0)); });
    for (int i = 0; i < size(); ++i) processes_.push_back(i == me_ ? 0 : handle(i).process);
    watch_ = ProcessWatch(processes_);
  }
  control_ = reinterpret_cast<Control*>(size() == 1 ? alone_.data() : region_.data());
  add_my_cores(control_->cores);
  handles_ = {};
}

void NodeGroup::begin() {
  mine_ = {};
  region_.close_descriptor();  // all members have mapped it
  has_cores_ = count_of(control_->cores) >= size();
}

NodeGroup::~NodeGroup() = default;

int NodeGroup::member(int rank) const {
  const auto found = std::lower_bound(ranks_.begin(), ranks_.end(), rank);
  return found != ranks_.end() && *found == rank ? static_cast<int>(found - ranks_.begin()) : -1;
}

NodeGroup::Slot& NodeGroup::slot(int i) const {
  const auto at = (sizeof(Control) + alignof(Slot) - 1) / alignof(Slot) * alignof(Slot);
  return reinterpret_cast<Slot*>(reinterpret_cast<std::byte*>(control_) + at)[i];
}

// ---- memory

void NodeGroup::throw_in_node(const ErrorRecord& mine) {
  slot(me_).error = mine;
  barrier();
  ErrorRecord first;
  for (int i = 0; i < size() && !first.has_error(); ++i) first = slot(i).error;
  barrier();
  if (first.has_error()) throw first.error();
}

template <class Body>
void NodeGroup::agree_in_node(Body&& body) {
  throw_in_node(record_of(body));
}

std::shared_ptr<std::byte> NodeGroup::common(std::int64_t bytes) {
  if (size() == 1) {
    std::shared_ptr<Buffer> memory;
    agree_in_node([&] { memory = std::make_shared<Buffer>(Buffer(bytes)); });
    return {memory, memory->data()};
  }
  std::shared_ptr<SharedRegion> region;
  agree_in_node([&] {
    region = std::make_shared<SharedRegion>();
    if (me_ != 0) return;
    *region = SharedRegion(bytes);
    slot(0).offered.memory = region->handle();
  });
  agree_in_node([&] {
    if (me_ != 0) *region = open_of(0, [&] { return SharedRegion::open(slot(0).offered.memory); });
  });
  region->close_descriptor();
  return {region, region->data()};
}

NodeGroup::Window NodeGroup::window(std::int64_t bytes) {
  Window window;
  if (size() == 1 && !device_ && !through_) {
    agree_in_node([&] { window.alone = Buffer(bytes); });
    return window;
  }
  agree_in_node([&] {
    window.regions.resize(ranks_.size());
    RegionMemory& mine = window.regions[static_cast<std::size_t>(me_)];
    mine = RegionMemory(bytes, device_);
    if (size() > 1) slot(me_).offered = mine.region();
  });
  agree_in_node([&] {
    for (int i = 0; i < size(); ++i)
      if (i != me_)
        window.regions[static_cast<std::size_t>(i)] =
            open_of(i, [&] { return RegionMemory::open(slot(i).offered, device_); });
  });
  if (through_)
    agree_in_node([&] {
      for (RegionMemory& region : window.regions) region.register_with(through_);
    });
  window.regions[static_cast<std::size_t>(me_)].close_descriptor();
  return window;
}

// ---- waiting

void NodeGroup::count(Signal& signal, std::uint32_t all) {
  // Waiters wait for `all`, so smaller numbers wake nobody.
  if (signal.value.fetch_add(1, std::memory_order_seq_cst) + 1 == all) wake_sleepers(signal);
}

// Waits without sleeping. Returns true if `signal` has reached `value` or `ask` has returned true
// in that time.
template <class Ask>
bool NodeGroup::stay_awake(const Signal& signal, std::uint32_t value, const Ask& ask) const {
  for (const Clock::time_point sleeps_at = Clock::now() + awake; Clock::now() < sleeps_at;) {
    if (has_cores_)
      spin(signal, value);
    else
      sched_yield();  // lets another member run: takes half the time of a sleep and a wake-up
    if (has_reached(signal, value) || ask()) return true;
  }
  return false;
}

bool NodeGroup::check_reached(const Signal& signal, std::uint32_t value) {
  if (has_reached(signal, value)) return true;
  check_failure();
  const Clock::time_point now = Clock::now();
  if (now < next_process_check_) return false;
  next_process_check_ = now + between_process_checks;
  check_processes(signal, value);
  return has_reached(signal, value);
}

void NodeGroup::wait_briefly(Signal* signal, std::uint32_t value, const Condition* other) {
  const auto ask = [other] { return other != nullptr && (*other)(); };
  // Without a signal this rank waits for no member, and has to notice only that one has failed.
  const auto has_come = [&] {
    if (signal != nullptr) return check_reached(*signal, value);
    check_failure();
    return false;
  };
  Signal& awaited = signal != nullptr ? *signal : nothing_;
  const std::uint32_t goal = signal != nullptr ? value : 1;
  if (has_come() || ask() || stay_awake(awaited, goal, ask)) return;
  std::chrono::nanoseconds nap =
      other != nullptr ? std::chrono::nanoseconds(shortest_nap) : std::chrono::nanoseconds(briefly);
  for (const Clock::time_point ends_at = Clock::now() + briefly; Clock::now() < ends_at;) {
    sleep_for(awaited, goal, nap);
    if (has_come() || ask()) return;
    nap = std::min<std::chrono::nanoseconds>(2 * nap, longest_nap);
  }
}

void NodeGroup::barrier() {
  check_failure();
  const std::uint32_t all = ++barriers_ * static_cast<std::uint32_t>(size());
  count(control_->arrivals, all);
  while (!check_reached(control_->arrivals, all)) wait_briefly(&control_->arrivals, all);
}

// ---- failing

bool NodeGroup::fail(const ErrorRecord& why, bool can_tell) noexcept {
  std::uint32_t none = 0;
  if (control_->failure.compare_exchange_strong(none, 1)) {
    control_->why = why;
    control_->failure.store(2, std::memory_order_release);
  }
  if (can_tell && control_->has_teller.exchange(1) == 0) tells_of_failure_ = true;
  return tells_of_failure_;
}

ErrorRecord NodeGroup::failure() const noexcept {
  return control_->failure.load(std::memory_order_acquire) == 2 ? control_->why : ErrorRecord();
}

bool NodeGroup::has_lost_member() const noexcept { return control_->has_lost_member.load() != 0; }

void NodeGroup::check_failure() const {
  if (control_->failure.load(std::memory_order_acquire) != 2) [[likely]]
    return;
  throw control_->why.error();
}

void NodeGroup::check_processes(const Signal& signal, std::uint32_t value) {
  const int i = watch_.ended();
  // The process may have raised the signal before it ended.
  if (i < 0 || has_reached(signal, value)) return;
  control_->has_lost_member.store(1);
  fail(ErrorRecord(Error(
      Error::system,
      fmt::format("rank {} (process {}) has ended while others of its node waited for it",
                  ranks_[static_cast<std::size_t>(i)], processes_[static_cast<std::size_t>(i)]))));
  check_failure();
}

// ---- arrays

// Of memory of a device, its maker tells whether it is alive. It tells of those that it has
// published last; what it has forgotten is mapped again when it is published again.
bool NodeGroup::is_alive(int i, const RegionMemory& memory) const {
  if (!device_) return memory.is_alive();
  const auto& known = slot(i).allocations;
  return std::ranges::any_of(known, [&](const Slot::Allocation& each) {
    return each.number.load(std::memory_order_acquire) == memory.number();
  });
}

// Tells the others that an allocation of this rank is alive, and which have been freed.
void NodeGroup::note_alive(const Region& region) {
  Slot& mine = slot(me_);
  bool is_known = false;
  for (Slot::Allocation& each : mine.allocations) {
    const std::int64_t number = each.number.load(std::memory_order_relaxed);
    if (number == 0) continue;
    const auto there = device_.driver->shareable(each.address);
    if (!there || there->number != number) each.number.store(0, std::memory_order_release);
    is_known = is_known || number == region.memory.number;
  }
  if (is_known) return;
  Slot::Allocation& entry = mine.allocations.at(mine.next_allocation++ % mine.allocations.size());
  entry.address = region.address_there;
  entry.number.store(region.memory.number, std::memory_order_release);
}

void NodeGroup::drop_dead() {
  for (int i = 0; i < size(); ++i)
    std::erase_if(opened_[static_cast<std::size_t>(i)],
                  [&](const RegionMemory& memory) { return !is_alive(i, memory); });
}

void NodeGroup::publish(int array, const std::optional<RegionPlace>& where) {
  Slot::Published& published = slot(me_).arrays[static_cast<std::size_t>(array)];
  published.is_there = where.has_value();
  if (where) published.where = *where;
  if (where && where->region.is_of_device()) note_alive(where->region);
  drop_dead();
}

std::byte* NodeGroup::resolve(int i, int array) {
  const Slot::Published& published = slot(i).arrays[static_cast<std::size_t>(array)];
  if (!published.is_there)
    throw Error(
        Error::invalid,
        fmt::format("rank {} has its {} in memory that others cannot map",
                    ranks_[static_cast<std::size_t>(i)], array % 2 == 0 ? "source" : "target"),
        "take arrays from weft, or let the plan copy");
  const auto& [region, offset] = published.where;
  if (i == me_) {
    std::byte* begin = made_here(region);
    ensure(begin != nullptr, region.memory.number);
    return begin + offset;
  }
  if (std::byte* const known = mapped(i, array)) return known;
  drop_dead();
  auto& regions = opened_[static_cast<std::size_t>(i)];
  regions.push_back(open_of(i, [&] {
    RegionMemory opened = RegionMemory::open(region, device_);
    if (through_) opened.register_with(through_);
    return opened;
  }));
  return regions.back().data() + offset;
}

std::byte* NodeGroup::mapped(int i, int array) const {
  const Slot::Published& published = slot(i).arrays[static_cast<std::size_t>(array)];
  if (!published.is_there) return nullptr;
  for (const RegionMemory& memory : opened_[static_cast<std::size_t>(i)])
    if (memory.maps(published.where.region)) return memory.data() + published.where.offset;
  return nullptr;
}

}  // namespace weft
