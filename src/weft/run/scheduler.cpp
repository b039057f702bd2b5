// run/scheduler: chooses what to do next.

#include "weft/run/scheduler.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <system_error>

#include "weft/base/trace.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/at_finalize.hpp"
#include "weft/comm/forked.hpp"

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
// How long the helper thread sleeps when there is nothing to do, and a thread that lets another one
// take the lock: 6 kB arrive meanwhile at 1 Gbit/s.
constexpr std::chrono::microseconds nap(50);
// A thread that cannot sleep in wait() yields its core after this number of rounds without work.
constexpr int rounds_before_yield = 16;

}  // namespace

// Never destroyed, as MPI may outlive the other statics.
const std::shared_ptr<Scheduler>& Scheduler::of_process() {
  static const std::shared_ptr<Scheduler>& scheduler =
      *new std::shared_ptr<Scheduler>(new Scheduler(true), [](Scheduler*) {});
  return scheduler;
}

// Not destroyed in a forked child, where the destructors of the lock and of what the helper thread
// waits for would wait for threads that only the parent has.
std::shared_ptr<Scheduler> Scheduler::alone() {
  return {new Scheduler(false), [](Scheduler* one) {
            if (!is_forked_child()) delete one;
          }};
}

Scheduler::Scheduler(bool calls_mpi)
    : calls_mpi_(calls_mpi), between_([this] { advance_between_tiles(); }) {
  make_room_for(0);
}

void Scheduler::make_room_for(int slots) {
  constexpr std::size_t least = 256;
  with_lock([&] {
    room_ += static_cast<std::size_t>(slots);
    slots_.reserve(std::max(least, room_));
  });
}

void Scheduler::prepare_for(Progress progress) {
  // MPI_Finalize first waits for the runs under way, while MPI can still move their messages.
  if (calls_mpi_)
    before_finalize([] {
      FailureNotice::tell_late();
      of_process()->wait_for_all();
      ExecutionSlots::end_late();
    });
  if (progress != Progress::by_thread) return;
  with_lock([&] {
    if (helper_.joinable()) return;
    try {
      helper_ = std::thread([this] { help(); });
    } catch (const std::system_error& error) {
      throw Error(Error::system,
                  fmt::format("cannot start a thread that makes progress: {}", error.what()),
                  "raise the limit on processes (ulimit -u), or let calls or tiles make progress");
    }
  });
  if (!calls_mpi_) return;
  static const struct AtExit {
    ~AtExit() {
      if (!is_forked_child()) of_process()->end_helper();
    }
  } at_exit;
}

void Scheduler::end_helper() {
  with_lock([&] { ends_ = true; });
  work_for_helper_.notify_all();
  if (helper_.joinable()) helper_.join();
}

void Scheduler::add(ExecutionSlot* slot) {
  if (!slot->is_under_way()) return;
  slots_.push_back(slot);
  if (slot->progress() != Progress::by_thread) return;
  ++helped_slots_;
  work_for_helper_.notify_all();
}

// Called without the lock by a thread that will take it again. The lock prefers the thread that
// runs, so others would hardly ever get it.
void Scheduler::give_way() const {
  if (wanted_.load(std::memory_order_relaxed) > 0) std::this_thread::sleep_for(nap);
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
    if (auto callback = slot->take_callback()) add_due(std::move(callback), *slot);
    return true;
  });
}

void Scheduler::add_due(std::shared_ptr<RunCallback> callback, const ExecutionSlot& slot) {
  callback->state = RunCallback::State::due;
  callback->has_failed = slot.failure() != nullptr;
  callback->slot = &slot;
  std::shared_ptr<RunCallback>* end = &due_;
  while (*end) end = &(*end)->next;
  *end = std::move(callback);
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
    if (calls_mpi_) catch_up();
  });
  run_callbacks();
  return moved;
}

bool Scheduler::take_further() {
  bool moved = false;
  with_lock([&] { moved = run_round(); });
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
// and wait for them, and destroy its plan.
void Scheduler::run_callbacks() {
  while (true) {
    std::shared_ptr<RunCallback> callback;
    Running running;
    with_lock([&] {
      if (!due_) return;
      callback = std::exchange(due_, due_->next);
      callback->next = nullptr;
      callback->state = RunCallback::State::running;
      callback->runner = std::this_thread::get_id();
      running = {callback.get(), running_};
      running_ = &running;
    });
    if (!callback) return;
    while (true) {
      std::function<void()> call;
      with_lock([&] {
        if (!callback->calls.empty()) {
          call = std::move(callback->calls.front());
          callback->calls.erase(callback->calls.begin());
          return;
        }
        callback->state = RunCallback::State::done;
        Running** at = &running_;
        while (*at != &running) at = &(*at)->next;
        *at = running.next;
      });
      if (!call) break;
      try {
        const InCallback here;
        if (!callback->has_failed) call();
      } catch (...) {
        with_lock([&] { callback->keep(std::current_exception()); });
      }
    }
  }
}

void Scheduler::wait_for(const RunCallback& callback) {
  while (true) {
    bool is_open = false;
    with_lock([&] { is_open = callback.is_open_elsewhere(); });
    if (!is_open) return;
    run_callbacks();
    sched_yield();
  }
}

void Scheduler::drop_callbacks(ExecutionSlot* slot) {
  while (true) {
    bool is_running = false;
    std::shared_ptr<RunCallback> open, dropped;  // freed without the lock
    std::vector<std::function<void()>> calls;
    with_lock([&] {
      drop_ended();
      open = slot->take_callback();
      for (auto* at = &due_; *at;) {
        if ((*at)->slot != slot) {
          at = &(*at)->next;
          continue;
        }
        auto one = std::move(*at);
        *at = std::exchange(one->next, std::move(dropped));
        one->state = RunCallback::State::done;
        dropped = std::move(one);
      }
      for (const Running* one = running_; one != nullptr; one = one->next) {
        if (one->callback->slot != slot) continue;
        std::ranges::move(one->callback->calls, std::back_inserter(calls));
        one->callback->calls.clear();
        is_running = is_running || one->callback->is_open_elsewhere();
      }
    });
    if (open) open->calls.clear();
    for (auto one = dropped; one; one = one->next) one->calls.clear();
    if (!is_running) return;
    sched_yield();
  }
}

void Scheduler::wait(const ExecutionSlot* slot, std::int64_t run) {
  double idle_since = 0;
  for (int rounds = 0;;) {
    bool is_over = false, is_idle = false;
    with_lock([&] {
      if (slot == nullptr) drop_ended();
      is_over = slot != nullptr ? slot->run() != run || !slot->is_under_way() : slots_.empty();
      if (is_over) return;  // else a run is under way
      const double began = now();
      if (run_round()) {
        idle_since = 0;
        return;
      }
      if (idle_since == 0) idle_since = began;
      is_idle = slots_.size() > 1 || helped_slots_ > 0 || wanted_ > 0 || !slots_.front()->wait();
      drop_ended();  // an error that was heard while this thread slept
      const double ended = now();
      for (ExecutionSlot* each : slots_) each->count_wait(idle_since, ended - idle_since);
      idle_since = ended;
    });
    run_callbacks();
    if (is_over) return;
    give_way();
    rounds = is_idle ? rounds + 1 : 0;
    if (rounds > rounds_before_yield) sched_yield();
  }
}

// What a rank has said stays true until all have: meanwhile it takes nothing further, so that no
// groups begin that it has not told of.
void Scheduler::end_groups(const Communicator& comm) {
  const auto vote = agree(comm, [&] { return std::make_unique<Vote>(comm); });
  do {
    take_further();
    Ballot ballot;
    with_lock(
        [&] { ballot.may_group = std::ranges::none_of(slots_, &ExecutionSlot::is_in_groups); });
    vote->cast(ballot, {});
    while (!vote->test()) sched_yield();
  } while (!vote->outcome().all_may_group);
}

void Scheduler::require_thread(ExecutionSlot& slot, std::int64_t run) noexcept {
  if (!calls_mpi_ || !mpi_is_running()) return;
  const ErrorRecord why = record_of(require_mpi_thread);
  if (!why.has_error()) return;
  with_lock([&] {
    if (slot.run() == run && slot.is_under_way()) slot.fail_without_mpi(why);
  });
}

bool Scheduler::is_idle() const {
  const std::lock_guard lock(mutex_);
  return slots_.empty() && !due_;
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
    give_way();
    if (moved)
      sched_yield();
    else
      std::this_thread::sleep_for(nap);
    lock.lock();
  }
}

}  // namespace weft
