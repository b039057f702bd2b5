// run/execution_slots: how the slots of a plan end.

#include "weft/run/execution_slots.hpp"

#include <sched.h>

#include <utility>

#include "weft/base/trace.hpp"
#include "weft/comm/forked.hpp"
#include "weft/run/scheduler.hpp"

namespace weft {

namespace {

// How long a rank waits for the others to destroy a plan, in seconds.
constexpr double patience = 1;

}  // namespace

void ExecutionSlots::add(std::shared_ptr<ExecutionSlot> slot) {
  if (ending_ == nullptr) {
    ending_ = std::make_shared<Ending>();
    ending_->notice = slot->notice();
  }
  slot->scheduler().make_room_for(1);
  all_.push_back(std::move(slot));
}

// After a failed run, messages and collectives may still be under way and cannot be cancelled: MPI
// may use their buffers and communicators at any later time. Other ranks may even have started
// another run, which this one will never start. So no slot of a plan that has failed is freed while
// MPI runs.
void ExecutionSlots::keep_for_ever() {
  static KeptList<ExecutionSlot> kept;
  const auto keep = [&] {
    for (auto& slot : all_) kept.add(std::move(slot), &ExecutionSlot::next_kept_);
  };
  if (is_forked_child())
    keep();  // it has no other threads, and maybe a lock of one of its parent's
  else
    Scheduler::of_process()->with_lock(keep);
  all_.clear();
}

void ExecutionSlots::close(std::vector<std::shared_ptr<ExecutionSlot>>& slots) {
  for (auto& slot : slots) {
    slot->close();
    slot->scheduler().make_room_for(-1);
  }
  slots.clear();
}

// Waits a moment for the other ranks to destroy the plan, too. If they take longer, or this thread
// may not call MPI, the slots are closed later: other ranks may have started a run that this one
// will never start, and MPI libraries do not cope with messages of communicators that are gone. So
// they are while another plan has groups of messages: a device frees memory when these have ended,
// of which other ranks may have yet to start their part. Returns false if a rank has failed.
bool ExecutionSlots::end_everywhere() {
  FailureNotice& notice = *ending_->notice;
  Scheduler& scheduler = *Scheduler::of_process();
  const bool may_call_mpi = is_mpi_thread();
  bool has_ended = false;
  for (const double begin = now(); may_call_mpi && !has_ended && now() < begin + patience;) {
    scheduler.with_lock(
        [&] { has_ended = notice.has_ended_everywhere() && !GroupTurns::are_held(); });
    if (!has_ended && notice.ask()) return false;
    if (!has_ended && !scheduler.take_further()) sched_yield();
  }
  if (has_ended) close(all_);
  scheduler.with_lock([&] {
    if (may_call_mpi) close_ended();
    if (has_ended) return;
    std::swap(ending_->slots, all_);
    endings().add(std::move(ending_), &Ending::next);
  });
  return true;
}

// The plans that this rank has destroyed, and other ranks had not.
KeptList<ExecutionSlots::Ending>& ExecutionSlots::endings() {
  static KeptList<Ending> all;
  return all;
}

// Closes those that all ranks have destroyed by now. Returns whether there are others. Throws
// nothing: MPI_Finalize calls it, and MPI may report that a rank has gone.
bool ExecutionSlots::close_ended() noexcept {
  const auto has_ended = [](FailureNotice& notice) {
    try {
      return notice.has_ended_everywhere() && !GroupTurns::are_held();
    } catch (const Error&) {
      return false;
    }
  };
  for (auto* at = &endings().first; *at != nullptr;) {
    if (!has_ended(*(*at)->notice)) {
      at = &(*at)->next;
      continue;
    }
    close((*at)->slots);
    *at = std::exchange((*at)->next, nullptr);
  }
  return endings().first != nullptr;
}

void ExecutionSlots::end_late() {
  bool is_left = true;
  for (const double begin = now(); is_left && now() < begin + patience;) {
    Scheduler::of_process()->with_lock([&] { is_left = close_ended(); });
    if (is_left) sched_yield();
  }
  Scheduler::of_process()->with_lock([&] {
    for (auto left = endings().first; left != nullptr; left = left->next) left->notice->give_up();
  });
}

// A forked child has none of its parent's threads, and maybe a lock that one of them holds: that of
// a library's planner, which frees plans, or of the scheduler.
ExecutionSlots::~ExecutionSlots() {
  if (all_.empty()) return;
  if (is_forked_child()) {
    keep_for_ever();
    return;
  }
  for (auto& slot : all_) slot->scheduler().drop_callbacks(slot.get());
  for (auto& slot : all_) slot->scheduler().require_thread(*slot, slot->run());
  for (auto& slot : all_) slot->scheduler().wait(slot.get(), slot->run());
  // If a rank has failed to make slots, it does not wait for the others.
  if (all_.front()->programs().comm().is_alone() || !mpi_is_running() || !may_run_) {
    close(all_);
    return;
  }
  bool is_sound = !ending_->notice->is_known();
  const ErrorRecord error = record_of([&] { is_sound = is_sound && end_everywhere(); });
  if (!is_sound || error.has_error()) keep_for_ever();
}

}  // namespace weft
