// run/scheduler: chooses what to do next.

#include "weft/run/scheduler.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>

#include "weft/base/trace.hpp"
#include "weft/comm/at_finalize.hpp"
#include "weft/comm/communicator.hpp"

namespace weft {

namespace {

// Between tiles, MPI calls take at most this part of the time. The intervals between them, in
// seconds, are within these limits.
constexpr double part_for_mpi = 0.01;
constexpr double least_interval = 20e-6, largest_interval = 1e-3;
// One call of MPI moves a part of a message (Open MPI over TCP: 64 KiB). If the application calls
// progress() seldom, many parts are waiting. So one call of progress() continues to call MPI for
// this part of the time since the previous call, up to a limit in seconds.
constexpr double part_for_catching_up = 0.1, longest_catching_up = 300e-6;
// Limit for simulated clocks, which stand still while no request is open.
constexpr int most_rounds_of_catching_up = 1000;
// How long the helper thread sleeps when there is nothing to do: 6 kB arrive meanwhile at 1 Gbit/s.
constexpr std::chrono::microseconds nap(50);
// A thread that cannot sleep in wait() yields its core after this number of rounds without work.
constexpr int rounds_before_yield = 16;
// How often a waiting thread yields its core so that another thread of the application gets the
// lock.
constexpr int most_yields_for_others = 100;

}  // namespace

Scheduler& Scheduler::of_process() {
  static Scheduler scheduler;
  return scheduler;
}

Scheduler::Scheduler() : between_([this] { advance_between_tiles(); }) {
  constexpr std::size_t many = 256;  // so that starting this many transforms allocates nothing
  slots_.reserve(many);
  calling_.reserve(many);
}

Scheduler::~Scheduler() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  work_for_helper_.notify_all();
  if (helper_.joinable()) helper_.join();
}

void Scheduler::add(ExecutionSlot* slot) {
  if (!slot->is_under_way()) return;
  // MPI_Finalize first waits for the runs under way, while MPI can still move their messages.
  before_finalize([] { of_process().wait_for_all(); });
  slots_.push_back(slot);
  if (slot->progress() != Progress::by_thread) return;
  ++helped_slots_;
  if (!helper_.joinable()) helper_ = std::thread([this] { help(); });
  work_for_helper_.notify_all();
}

bool Scheduler::advance_all() {
  bool moved = false;
  for (ExecutionSlot* slot : slots_) moved = slot->advance() || moved;
  drop_ended();
  return moved;
}

void Scheduler::drop_ended() {
  std::erase_if(slots_, [this](ExecutionSlot* slot) {
    if (slot->is_under_way()) return false;
    if (slot->progress() == Progress::by_thread) --helped_slots_;
    if (slot->has_due_callback()) calling_.push_back(slot);
    return true;
  });
}

// Collects what has completed, then computes one item. Returns whether there was anything to do.
bool Scheduler::run_round() {
  const bool moved = advance_all();
  ExecutionSlot* next = nullptr;
  for (ExecutionSlot* slot : slots_)
    if (next == nullptr || slot->urgency() < next->urgency()) next = slot;
  if (next == nullptr || next->urgency() == Schedule::none) return moved;
  next->run_item(between_);
  // The other slots advance in the next round, as every advance asks MPI about all messages.
  next->advance();
  drop_ended();
  return true;
}

// Called by the thread that runs an item. Calls MPI only as often as this costs little.
void Scheduler::advance_between_tiles() {
  const double begin = now();
  if (begin < next_mpi_call_) return;
  bool called_mpi = false;
  for (ExecutionSlot* slot : slots_)
    if (slot->progress() != Progress::by_calls) {
      slot->advance_between_tiles();
      called_mpi = true;
    }
  if (!called_mpi) {
    next_mpi_call_ = begin + largest_interval;
    return;
  }
  const double end = now();
  next_mpi_call_ = end + std::clamp((end - begin) / part_for_mpi, least_interval, largest_interval);
}

bool Scheduler::progress() {
  bool moved = false;
  with_lock([&] {
    moved = run_round();
    catch_up();
  });
  run_callbacks();
  return moved;
}

void Scheduler::catch_up() {
  const double begin = now();
  const double part = part_for_catching_up * (begin - last_call_);
  const double end = begin + std::min(part, longest_catching_up);
  for (int rounds = 0; rounds < most_rounds_of_catching_up && !slots_.empty() && now() < end;
       ++rounds)
    advance_all();
  last_call_ = now();
}

// Called only on threads of the application, and without the lock: a callback may start transforms
// and wait for them.
void Scheduler::run_callbacks() {
  while (true) {
    ExecutionSlot* slot = nullptr;
    std::function<void()> callback;
    with_lock([&] {
      if (calling_.empty()) return;
      slot = calling_.front();
      calling_.erase(calling_.begin());
      callback = slot->take_callback();
    });
    if (slot == nullptr) return;
    try {
      if (callback && !slot->failure()) callback();
    } catch (...) {
      slot->keep_callback_failure(std::current_exception());
    }
  }
}

void Scheduler::drop_callback(ExecutionSlot* slot) {
  with_lock([&] {
    drop_ended();
    std::erase(calling_, slot);
  });
}

void Scheduler::wait(const ExecutionSlot& slot, std::int64_t run) {
  double idle_since = 0;
  for (int rounds = 0;;) {
    bool has_ended = false, is_idle = false;
    with_lock([&] {
      has_ended = slot.run() != run || !slot.is_under_way();
      if (has_ended) return;
      const double began = now();
      if (run_round()) {
        idle_since = 0;
        return;
      }
      if (idle_since == 0) idle_since = began;
      // Other threads of the application cannot start anything while this one sleeps in wait().
      is_idle =
          slots_.size() > 1 || helped_slots_ > 0 || mpi_allows_threads() || !slots_.front()->wait();
      const double ended = now();
      for (ExecutionSlot* each : slots_) each->count_wait(idle_since, ended - idle_since);
      idle_since = ended;
    });
    run_callbacks();
    if (has_ended) return;
    rounds = is_idle ? rounds + 1 : 0;
    if (rounds > rounds_before_yield) sched_yield();
    let_others_in();
  }
}

// A mutex may go to the thread that has just released it, again and again.
void Scheduler::let_others_in() const {
  for (int i = 0; i < most_yields_for_others && callers_ > 0; ++i) sched_yield();
}

void Scheduler::wait_for_all() {
  while (true) {
    ExecutionSlot* first = nullptr;
    with_lock([&] { first = slots_.empty() ? nullptr : slots_.front(); });
    if (first == nullptr) return;
    wait(*first, first->run());
  }
}

bool Scheduler::is_in_use(const void* data, std::int64_t bytes, bool writes) const {
  return std::any_of(slots_.begin(), slots_.end(), [&](const ExecutionSlot* slot) {
    return writes ? slot->uses(data, bytes) : slot->writes(data, bytes);
  });
}

// The helper's thread.
void Scheduler::help() {
  std::unique_lock lock(mutex_);
  while (!ends_) {
    if (helped_slots_ == 0) {
      work_for_helper_.wait(lock);
      continue;
    }
    const bool moved = run_round();
    lock.unlock();
    if (moved)
      sched_yield();
    else
      std::this_thread::sleep_for(nap);
    lock.lock();
  }
}

}  // namespace weft
