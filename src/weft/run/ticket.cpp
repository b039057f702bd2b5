// run/ticket: a ticket asks the scheduler about its run.

#include "weft/ticket.hpp"

#include <utility>

#include "weft/comm/forked.hpp"
#include "weft/run/scheduler.hpp"

namespace weft {

namespace {

bool has_ended(const ExecutionSlot& slot, std::int64_t run) {
  bool ended = true;
  slot.scheduler().with_lock([&] { ended = slot.run() != run || !slot.is_under_way(); });
  return ended;
}

// Throws the error of a ticket's run, or else that of its callbacks.
void rethrow(const ExecutionSlot& slot, std::int64_t run, RunCallback* callback) {
  std::exception_ptr failure;
  slot.scheduler().with_lock([&] {
    if (slot.run() == run) failure = slot.failure();
    if (!failure && callback != nullptr) failure = std::exchange(callback->failure, nullptr);
  });
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

bool progress() {
  require_no_fork();
  if (mpi_is_running()) require_mpi_thread();
  return Scheduler::of_process()->progress();
}

Ticket::Ticket(std::shared_ptr<ExecutionSlot> slot) : slot_(std::move(slot)), run_(slot_->run()) {}

Ticket& Ticket::operator=(Ticket&& other) noexcept {
  if (this != &other) {
    Ticket dropped(std::move(*this));
    slot_ = std::move(other.slot_);
    run_ = other.run_;
    callback_ = std::move(other.callback_);
  }
  return *this;
}

// A forked child has none of its parent's threads, and maybe a lock that one of them holds.
Ticket::~Ticket() {
  if (!slot_ || is_forked_child()) return;
  slot_->scheduler().require_thread(*slot_, run_);
  slot_->scheduler().wait(slot_.get(), run_);
  if (callback_) slot_->scheduler().wait_for(*callback_);
}

// The callback, called on the way, may drop this ticket and its plan: nothing of it is used later.
bool Ticket::test() {
  if (!slot_) {
    rethrow_of_none();
    return true;
  }
  require_no_fork();
  const auto slot = slot_;
  const auto callback = callback_;
  const std::int64_t run = run_;
  slot->scheduler().require_thread(*slot, run);
  if (!has_ended(*slot, run)) slot->scheduler().progress();
  if (!has_ended(*slot, run)) return false;
  if (callback) {
    slot->scheduler().run_callbacks();
    bool is_open = false;
    slot->scheduler().with_lock([&] { is_open = callback->is_open_elsewhere(); });
    if (is_open) return false;
  }
  rethrow(*slot, run, callback.get());
  return true;
}

void Ticket::wait() {
  if (!slot_) return rethrow_of_none();
  require_no_fork();
  const auto slot = slot_;
  const auto callback = callback_;
  const std::int64_t run = run_;
  slot->scheduler().require_thread(*slot, run);
  slot->scheduler().wait(slot.get(), run);
  if (callback) slot->scheduler().wait_for(*callback);
  rethrow(*slot, run, callback.get());
}

// Throws the error of the callbacks of a ticket without a run.
void Ticket::rethrow_of_none() {
  if (callback_ && callback_->failure)
    std::rethrow_exception(std::exchange(callback_->failure, nullptr));
}

Ticket& Ticket::then(std::function<void()> call) {
  require_no_fork();
  if (!call) return *this;
  if (!callback_) callback_ = std::make_shared<RunCallback>();
  // The callback may drop this ticket.
  const auto callback = callback_;
  const auto slot = slot_;
  bool is_now = true, is_due = false;
  if (slot)
    slot->scheduler().with_lock([&] {
      const bool is_under_way = slot->run() == run_ && slot->is_under_way();
      is_due = callback->state == RunCallback::State::due;
      const bool is_running = callback->state == RunCallback::State::running;
      is_now = !is_under_way && !is_due && !is_running && !(slot->run() == run_ && slot->failure());
      if (is_under_way || is_due || is_running) callback->calls.push_back(std::move(call));
      if (is_under_way) slot->set_callback(callback);
    });
  if (is_due) slot->scheduler().run_callbacks();
  if (!is_now) return *this;
  // Whether a run ends before or after this call may depend on another thread, so a failure is told
  // in the same way.
  try {
    const InCallback here;
    call();
  } catch (...) {
    const auto keep = [&] { callback->keep(std::current_exception()); };
    if (slot)
      slot->scheduler().with_lock(keep);
    else
      keep();
  }
  return *this;
}

}  // namespace weft
