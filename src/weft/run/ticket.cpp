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

void rethrow(ExecutionSlot& slot, std::int64_t run) {
  if (slot.run() != run) return;
  if (slot.failure()) std::rethrow_exception(slot.failure());
  if (const auto failure = slot.take_callback_failure()) std::rethrow_exception(failure);
}

}  // namespace

bool progress() { return Scheduler::of_process()->progress(); }

Ticket::Ticket(std::shared_ptr<ExecutionSlot> slot) : slot_(std::move(slot)), run_(slot_->run()) {}

Ticket& Ticket::operator=(Ticket&& other) noexcept {
  if (this != &other) {
    Ticket dropped(std::move(*this));
    slot_ = std::move(other.slot_);
    run_ = other.run_;
    callback_failure_ = std::move(other.callback_failure_);
  }
  return *this;
}

// A forked child has none of its parent's threads, and maybe a lock that one of them holds.
Ticket::~Ticket() {
  if (slot_ && !is_forked_child()) slot_->scheduler().wait(*slot_, run_);
}

void Ticket::rethrow_of_callback() {
  if (callback_failure_ && *callback_failure_)
    std::rethrow_exception(std::exchange(*callback_failure_, nullptr));
}

// The callback, called on the way, may drop this ticket and its plan: nothing of it is used later.
bool Ticket::test() {
  rethrow_of_callback();
  if (!slot_) return true;
  require_no_fork();
  const auto slot = slot_;
  const std::int64_t run = run_;
  if (!has_ended(*slot, run)) slot->scheduler().progress();
  if (!has_ended(*slot, run)) return false;
  rethrow(*slot, run);
  return true;
}

void Ticket::wait() {
  rethrow_of_callback();
  if (!slot_) return;
  require_no_fork();
  const auto slot = slot_;
  const std::int64_t run = run_;
  slot->scheduler().wait(*slot, run);
  rethrow(*slot, run);
}

Ticket& Ticket::then(std::function<void()> callback) {
  bool is_due = true;
  require_no_fork();
  if (slot_)
    slot_->scheduler().with_lock([&] {
      if (slot_->run() != run_) return;
      is_due = !slot_->is_under_way() && !slot_->failure();
      if (slot_->is_under_way()) slot_->set_callback(std::move(callback));
    });
  if (!is_due || !callback) return *this;
  // Whether a run ends before or after this call may depend on another thread, so a failure is told
  // in the same way. The callback may drop this ticket.
  if (!callback_failure_) callback_failure_ = std::make_shared<std::exception_ptr>();
  const auto failure = callback_failure_;
  try {
    callback();
  } catch (...) {
    if (!*failure) *failure = std::current_exception();
  }
  return *this;
}

}  // namespace weft
