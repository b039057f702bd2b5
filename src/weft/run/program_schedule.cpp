// run/program_schedule: what each item of a program waits for.
//
// One after the other, a pass begins when the one before has run and the exchange before that has
// finished, so that steps can use the same memory in turn. Where exchanges are cut into chunks
// every step has memory of its own, all begin at once, and items wait for nothing but their
// messages.

#include "weft/run/program.hpp"

namespace weft {

void Program::need_what_comes_before(std::size_t i, int item) {
  const Step& step = steps_[i];
  schedule_.needs(item, step.begins);
  if (i + 1 < steps_.size() && steps_[i + 1].exchange) schedule_.needs(item, steps_[i + 1].opens);
  if (i == 0) return;
  const Step& before = steps_[i - 1];
  if (before.sweep) {
    schedule_.needs(item, before.passes);
    return;
  }
  const Work& work = work_[static_cast<std::size_t>(item)];
  for (int message : step.sweep->items()[work.item].messages)
    schedule_.needs(item, before.first_arrival + message);
}

void Program::make_schedule(bool overlaps, bool in_place, std::size_t source_last_step) {
  for (Step& step : steps_) {
    step.begins = schedule_.add_event();
    if (step.sweep) {
      step.passes = schedule_.add_event();
      continue;
    }
    step.opens = schedule_.add_event(1);
    step.finishes = schedule_.add_event(1);
    for (int m = 0; m < step.exchange->incoming_messages(); ++m) {
      const int arrival = schedule_.add_event(1);
      if (m == 0) step.first_arrival = arrival;
    }
  }
  const bool meets = shares_source_ || shares_target_;
  if (meets) meets_ = schedule_.add_event(1);
  const Step* last_sweep = nullptr;     // before step i
  const Step* last_exchange = nullptr;  // before that sweep
  const Step* exchange = nullptr;       // before step i
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    Step& step = steps_[i];
    if (step.exchange) {
      // It starts with the pass that stores to it.
      if (i > 0) schedule_.causes_event(steps_[i - 1].begins, step.begins);
      exchange = &step;
      continue;
    }
    // What the pass is to store, and the exchange behind it to receive, may lie where the node's
    // others still load from, until they have stored what this one waits for.
    if (!overlaps && i > 0 && steps_[i - 1].shares_memory)
      for (int m = 0; m < steps_[i - 1].exchange->incoming_messages(); ++m)
        schedule_.causes_event(steps_[i - 1].first_arrival + m, step.begins);
    if (!overlaps && last_sweep != nullptr) {
      schedule_.causes_event(last_sweep->passes, step.begins);
      if (last_exchange != nullptr) schedule_.causes_event(last_exchange->finishes, step.begins);
    }
    if (overlaps && in_place && i + 1 == steps_.size() && source_last_step < i)
      schedule_.causes_event(steps_[source_last_step].passes, step.begins);
    last_sweep = &step;
    last_exchange = exchange;
    for (std::size_t item = 0; item < step.sweep->items().size(); ++item) {
      // What feeds another node comes first: the wire works meanwhile.
      const int number = schedule_.add_item(static_cast<int>(step.sweep->items()[item].feeds));
      work_.push_back({i, item});
      need_what_comes_before(i, number);
      if (meets && i >= first_shared_step_) schedule_.needs(number, meets_);
      schedule_.causes(number, step.passes);
    }
    // Where nothing is to be computed, what comes after still waits for what came before.
    if (step.sweep->items().empty()) schedule_.causes_event(step.begins, step.passes);
  }
}

}  // namespace weft
