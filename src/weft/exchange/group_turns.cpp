// exchange/group_turns: a list of turns, and which plan has groups in this process.

#include "weft/exchange/group_turns.hpp"

#include <mutex>

#include "weft/base/ensure.hpp"

namespace weft {

namespace {

// The plan that may have groups, and how many of its runs.
struct Holder {
  std::mutex lock;
  const GroupTurns* turns = nullptr;
  int runs = 0;
};

Holder& holder() {
  static Holder one;
  return one;
}

}  // namespace

bool GroupTurns::are_held() {
  const std::scoped_lock lock(holder().lock);
  return holder().runs > 0;
}

bool GroupTurns::hold() {
  const std::scoped_lock lock(holder().lock);
  if (holder().runs > 0 && holder().turns != this) return false;
  holder().turns = this;
  ++holder().runs;
  return true;
}

void GroupTurns::let_go() noexcept {
  const std::scoped_lock lock(holder().lock);
  --holder().runs;
}

bool GroupTurns::Turn::enter() {
  ensure(!is_entered_);
  if (turns_ == nullptr) return false;
  before_ = turns_->last_;
  after_ = nullptr;
  (before_ == nullptr ? turns_->first_ : before_->after_) = this;
  turns_->last_ = this;
  is_entered_ = true;
  has_passed_ = false;
  holds_ = turns_->hold();
  return holds_;
}

bool GroupTurns::Turn::is_next() const {
  for (const Turn* earlier = before_; earlier != nullptr; earlier = earlier->before_)
    if (!earlier->has_passed_) return false;
  return is_entered_;
}

void GroupTurns::Turn::leave() noexcept {
  if (!is_entered_) return;
  (before_ == nullptr ? turns_->first_ : before_->after_) = after_;
  (after_ == nullptr ? turns_->last_ : after_->before_) = before_;
  is_entered_ = false;
  if (holds_) turns_->let_go();
  holds_ = false;
}

}  // namespace weft
