// device/stream_times: timed events, and what lies between them.

#include "weft/device/stream_times.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/ensure.hpp"
#include "weft/base/trace.hpp"

namespace weft {

namespace {

// Intervals of time that do not touch, ascending.
using Intervals = std::vector<std::pair<double, double>>;

Intervals joined(Intervals all) {
  std::ranges::sort(all);
  Intervals joined;
  for (const auto& [begin, end] : all)
    if (!joined.empty() && begin <= joined.back().second)
      joined.back().second = std::max(joined.back().second, end);
    else
      joined.emplace_back(begin, end);
  return joined;
}

double seconds_of(const Intervals& all) {
  double seconds = 0;
  for (const auto& [begin, end] : all) seconds += end - begin;
  return seconds;
}

Intervals common(const Intervals& a, const Intervals& b) {
  Intervals common;
  for (const auto& [begin, end] : a)
    for (const auto& [other_begin, other_end] : b)
      if (std::max(begin, other_begin) < std::min(end, other_end))
        common.emplace_back(std::max(begin, other_begin), std::min(end, other_end));
  return common;
}

}  // namespace

CopyTimes copy_times(const std::vector<StreamSpan>& spans) {
  Intervals copies, passes;
  for (const StreamSpan& span : spans)
    (span.work == StreamSpan::passes ? passes : copies)
        .emplace_back(span.start, span.start + span.seconds);
  const Intervals copying = joined(std::move(copies));
  return {seconds_of(copying), seconds_of(common(copying, joined(std::move(passes))))};
}

StreamTimes::StreamTimes(const Device& device, std::size_t most)
    : device_(device), events_(2 * most) {
  const SelectedDevice selected(device_);
  spans_.reserve(most);
  try {
    origin_ = device_.driver->make_timed_event();
    for (DeviceEvent& event : events_) event = device_.driver->make_timed_event();
  } catch (...) {
    destroy_events();
    throw;
  }
}

StreamTimes::~StreamTimes() { destroy_events(); }

void StreamTimes::destroy_events() noexcept {
  if (origin_.handle != nullptr) device_.driver->destroy(origin_);
  for (const DeviceEvent event : events_)
    if (event.handle != nullptr) device_.driver->destroy(event);
}

void StreamTimes::begin(DeviceStream stream) {
  spans_.clear();
  has_begun_ = is_complete_ = true;
  begun_ = now();
  device_.driver->record(stream, origin_);
}

bool StreamTimes::open(DeviceStream stream, const StreamSpan& span) {
  if (!has_begun_ || 2 * spans_.size() == events_.size()) {
    is_complete_ = false;
    return false;
  }
  device_.driver->record(stream, events_[2 * spans_.size()]);
  spans_.push_back(span);
  return true;
}

void StreamTimes::close(DeviceStream stream) {
  ensure(!spans_.empty());
  device_.driver->record(stream, events_[2 * spans_.size() - 1]);
}

std::vector<StreamSpan> StreamTimes::spans() const {
  if (!has_begun_ || !is_complete_) return {};
  const SelectedDevice selected(device_);
  DeviceDriver& driver = *device_.driver;
  std::vector<StreamSpan> all = spans_;
  if (!driver.has_happened(origin_)) return {};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const DeviceEvent first = events_[2 * i], last = events_[2 * i + 1];
    if (!driver.has_happened(last)) return {};
    all[i].start = begun_ + driver.seconds_between(origin_, first);
    all[i].seconds = driver.seconds_between(first, last);
  }
  return all;
}

}  // namespace weft
