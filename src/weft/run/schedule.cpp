// run/schedule: counting down.

#include "weft/run/schedule.hpp"

#include <algorithm>

#include "weft/base/error.hpp"

namespace weft {

int Schedule::add_item(int urgency) {
  items_.push_back({urgency, 0, {}});
  missing_events_.push_back(0);
  ready_.reserve(items_.size());
  return static_cast<int>(items_.size()) - 1;
}

int Schedule::add_event(int causes) {
  events_.push_back({causes, {}, {}});
  missing_causes_.push_back(0);
  return static_cast<int>(events_.size()) - 1;
}

void Schedule::needs(int item, int event) {
  ++items_[at(item)].events;
  events_[at(event)].items.push_back(item);
}

void Schedule::causes(int item, int event) {
  items_[at(item)].causes.push_back(event);
  ++events_[at(event)].causes;
}

void Schedule::causes_event(int earlier, int later) {
  events_[at(earlier)].events.push_back(later);
  ++events_[at(later)].causes;
}

void Schedule::begin() {
  ready_.clear();
  items_left_ = items_.size();
  for (std::size_t i = 0; i < items_.size(); ++i) missing_events_[i] = items_[i].events;
  for (std::size_t e = 0; e < events_.size(); ++e) missing_causes_[e] = events_[e].causes;
  for (std::size_t i = 0; i < items_.size(); ++i)
    if (missing_events_[i] == 0) make_ready(static_cast<int>(i));
  // Those without causes have happened; what they bring about follows, and is not counted twice.
  for (std::size_t e = 0; e < events_.size(); ++e)
    if (events_[e].causes == 0) happened(static_cast<int>(e));
}

void Schedule::happens(int event) {
  ensure(missing_causes_[at(event)] > 0, event);
  if (--missing_causes_[at(event)] == 0) happened(event);
}

void Schedule::happened(int event) {
  for (int item : events_[at(event)].items)
    if (--missing_events_[at(item)] == 0) make_ready(item);
  for (int later : events_[at(event)].events) happens(later);
}

bool Schedule::is_later(int a, int b) const {
  const int x = items_[at(a)].urgency, y = items_[at(b)].urgency;
  return x != y ? x > y : a > b;
}

void Schedule::make_ready(int item) {
  ready_.push_back(item);
  std::push_heap(ready_.begin(), ready_.end(), [this](int a, int b) { return is_later(a, b); });
}

int Schedule::take() {
  if (ready_.empty()) return -1;
  std::pop_heap(ready_.begin(), ready_.end(), [this](int a, int b) { return is_later(a, b); });
  const int item = ready_.back();
  ready_.pop_back();
  return item;
}

int Schedule::urgency() const { return ready_.empty() ? none : items_[at(ready_.front())].urgency; }

void Schedule::done(int item) {
  ensure(items_left_ > 0, item);
  --items_left_;
  for (int event : items_[at(item)].causes) happens(event);
}

}  // namespace weft
