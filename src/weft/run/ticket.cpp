// run/ticket: a ticket asks the scheduler about its run.

#include "weft/ticket.hpp"

#include "weft/run/scheduler.hpp"

namespace weft {

bool progress() { return Scheduler::of_process()->progress(); }

Ticket::Ticket(std::shared_ptr<ExecutionSlot> slot) : slot_(std::move(slot)), run_(slot_->run()) {}

Ticket& Ticket::operator=(Ticket&& other) noexcept {
  if (this != &other) {
    Ticket dropped(std::move(*this));
    slot_ = std::move(other.slot_);
    run_ = other.run_;
  }
  return *this;
}

Ticket::~Ticket() {
  if (slot_) slot_->scheduler().wait(*slot_, run_);
}

bool Ticket::has_ended() const {
  bool ended = true;
  if (slot_)
    slot_->scheduler().with_lock([&] { ended = slot_->run() != run_ || !slot_->is_under_way(); });
  return ended;
}

void Ticket::rethrow() {
  if (!slot_ || slot_->run() != run_) return;
  if (slot_->failure()) std::rethrow_exception(slot_->failure());
  if (const auto failure = slot_->take_callback_failure()) std::rethrow_exception(failure);
}

bool Ticket::test() {
  if (!slot_) return true;
  if (!has_ended()) slot_->scheduler().progress();
  if (!has_ended()) return false;
  rethrow();
  return true;
}

void Ticket::wait() {
  if (!slot_) return;
  slot_->scheduler().wait(*slot_, run_);
  rethrow();
}

Ticket& Ticket::then(std::function<void()> callback) {
  bool is_due = true;
  if (slot_)
    slot_->scheduler().with_lock([&] {
      if (slot_->run() != run_) return;
      is_due = !slot_->is_under_way() && !slot_->failure();
      if (slot_->is_under_way()) slot_->set_callback(std::move(callback));
    });
  if (is_due && callback) callback();
  return *this;
}

}  // namespace weft
