// run/ticket: asking the scheduler.

#include "weft/ticket.hpp"

#include "weft/run/scheduler.hpp"

namespace weft {

bool progress() { return Scheduler::of_process().progress(); }

Ticket::Ticket(std::shared_ptr<Flight> flight) : flight_(std::move(flight)), run_(flight_->run()) {}

Ticket& Ticket::operator=(Ticket&& other) noexcept {
  if (this != &other) {
    Ticket dropped(std::move(*this));
    flight_ = std::move(other.flight_);
    run_ = other.run_;
  }
  return *this;
}

Ticket::~Ticket() {
  if (flight_) Scheduler::of_process().wait(*flight_, run_);
}

bool Ticket::has_ended() const {
  bool ended = true;
  if (flight_)
    Scheduler::of_process().alone(
        [&] { ended = flight_->run() != run_ || !flight_->is_under_way(); });
  return ended;
}

void Ticket::rethrow() {
  if (!flight_ || flight_->run() != run_) return;
  if (flight_->failure()) std::rethrow_exception(flight_->failure());
  if (const auto failure = flight_->take_callback_failure()) std::rethrow_exception(failure);
}

bool Ticket::test() {
  if (!flight_) return true;
  if (!has_ended()) Scheduler::of_process().progress();
  if (!has_ended()) return false;
  rethrow();
  return true;
}

void Ticket::wait() {
  if (!flight_) return;
  Scheduler::of_process().wait(*flight_, run_);
  rethrow();
}

Ticket& Ticket::then(std::function<void()> callback) {
  bool is_due = true;
  if (flight_)
    Scheduler::of_process().alone([&] {
      if (flight_->run() != run_) return;
      is_due = !flight_->is_under_way() && !flight_->failure();
      if (flight_->is_under_way()) flight_->set_callback(std::move(callback));
    });
  if (is_due && callback) callback();
  return *this;
}

}  // namespace weft
