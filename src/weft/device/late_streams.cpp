// device/late_streams: what is enqueued in streams, and when it happens; and graphs that are
// captured instead.
// Source: CUDA's programming guide, "Prohibited and Unhandled Operations" of stream capture.

#include <sched.h>

#include <algorithm>

#include "weft/base/ensure.hpp"
#include "weft/device/late.hpp"

namespace weft {

DeviceStream LateDriver::make_stream(int /*urgency*/) {
  const Call call(*this);
  streams_.push_back(std::make_unique<Stream>());
  streams_.back()->device = selected();
  return {streams_.back().get()};
}
void LateDriver::destroy(DeviceStream stream) noexcept {
  const Call call(*this);
  std::erase_if(streams_, [&](const auto& each) { return each.get() == stream.handle; });
}
std::string LateDriver::why_not_in(DeviceStream stream) const {
  const Call call(*this);
  for (const auto& each : streams_)
    if (each.get() == stream.handle)
      return each->device == selected() ? ""
                                        : fmt::format("it is a stream of device {}", each->device);
  return "late says that it is no stream";
}
DeviceEvent LateDriver::make_event() {
  const Call call(*this);
  auto event = std::make_shared<Event>();
  void* const handle = event.get();
  events_.emplace(handle, std::move(event));
  return {handle};
}
DeviceEvent LateDriver::make_timed_event() {
  const Call call(*this);
  const DeviceEvent event = make_event();
  event_of(event)->is_timed = true;
  return event;
}
// Streams may still wait for it, as with any driver.
void LateDriver::destroy(DeviceEvent event) noexcept {
  const Call call(*this);
  events_.erase(event.handle);
}

std::shared_ptr<LateDriver::Event> LateDriver::event_of(DeviceEvent event) const {
  const auto found = events_.find(event.handle);
  ensure(found != events_.end(), "there is no such event, or it is destroyed");
  return found->second;
}
LateDriver::Stream& LateDriver::stream_of(DeviceStream stream) const {
  const auto found = std::ranges::find(streams_, stream.handle, &std::unique_ptr<Stream>::get);
  ensure(found != streams_.end(), "there is no such stream, or it is destroyed");
  return **found;
}

// A device refuses kernels and events in the streams of another one.
LateDriver::Stream& LateDriver::entered(DeviceStream stream) const {
  Stream& entered = stream_of(stream);
  if (entered.device != selected())
    throw Error(Error::system,
                fmt::format("late: this is a stream of device {}, and device {} is selected",
                            entered.device, selected()));
  if (entered.captured && !entered.captured->is_valid)
    refuse_in(*entered.captured, "to use a stream whose capture is invalid");
  return entered;
}

void LateDriver::enqueue(DeviceStream stream, std::function<void()> action) {
  const Call call(*this);
  enqueue_until(stream, [action = std::move(action)] {
    action();
    return true;
  });
}

void LateDriver::enqueue_until(DeviceStream stream, std::function<bool()> attempt) {
  const Call call(*this);
  Stream& busy = entered(stream);
  if (busy.captured) {
    ++busy.captured_operations;
    busy.has_come_back = false;
    return busy.captured->graph.push_back(std::move(attempt));
  }
  busy.operations.push_back({std::move(attempt)});
  pass_time();
}

void LateDriver::record(DeviceStream stream, DeviceEvent event) {
  const Call call(*this);
  const auto brought = event_of(event);
  Stream& recorded = entered(stream);
  brought->captured = recorded.captured;
  brought->stream = &recorded;
  brought->after = recorded.captured_operations;
  if (recorded.captured) return;
  recorded.operations.push_back({{}, nullptr, brought, ++brought->recorded});
  pass_time();
}

// A stream that waits for a captured event is captured, too, from then on.
void LateDriver::wait(DeviceStream stream, DeviceEvent event) {
  const Call call(*this);
  const auto awaited = event_of(event);
  Stream& waiting = entered(stream);
  if (waiting.captured && waiting.captured != awaited->captured)
    refuse_in(*waiting.captured, "that what is captured waits for what is not, or elsewhere");
  if (!awaited->captured) {
    waiting.operations.push_back({{}, awaited, nullptr, awaited->recorded});
    return pass_time();
  }
  if (awaited->captured->has_ended) require_not_captured(*awaited);
  waiting.captured = awaited->captured;
  waiting.has_come_back = false;
  Stream& before = *awaited->stream;
  if (before.captured_operations == awaited->after) before.has_come_back = true;
}

bool LateDriver::is_ready(const Stream& stream) const {
  if (stream.operations.empty()) return false;
  const Operation& next = stream.operations.front();
  return next.awaited == nullptr || next.awaited->happened >= next.times;
}

// Returns whether something has happened: an action that is not over is tried again later.
bool LateDriver::step(Stream& stream) {
  Operation next = std::move(stream.operations.front());
  stream.operations.pop_front();
  if (next.action) {
    allow_access(true);
    const bool is_over = next.action();
    if (!is_over) {
      stream.operations.push_front(std::move(next));
      return false;
    }
    ++done_;
  }
  if (next.brought != nullptr) {
    next.brought->happened = std::max(next.brought->happened, next.times);
    next.brought->done = done_;
  }
  return true;
}

// Whether a stream waits for another process.
bool LateDriver::tries_again() const {
  return std::ranges::any_of(streams_, [](const auto& stream) {
    return !stream->operations.empty() && stream->operations.front().action;
  });
}

LateDriver::Stream* LateDriver::bringer_of(const Event& event, std::int64_t times) const {
  for (const auto& stream : streams_)
    for (const Operation& operation : stream->operations)
      if (operation.brought.get() == &event && operation.times >= times) return stream.get();
  return nullptr;
}

// Does what is next in a stream, or something that this waits for, and no more.
bool LateDriver::advance(Stream& stream, int depth) {
  if (stream.operations.empty() || depth > static_cast<int>(streams_.size())) return false;
  if (is_ready(stream)) return step(stream);
  const Operation& next = stream.operations.front();
  Stream* const bringer = bringer_of(*next.awaited, next.times);
  return bringer != nullptr && advance(*bringer, depth + 1);
}

bool LateDriver::step_any() {
  std::vector<Stream*> ready;
  for (const auto& stream : streams_)
    if (is_ready(*stream)) ready.push_back(stream.get());
  std::ranges::shuffle(ready, random_);
  return std::ranges::any_of(ready, [this](Stream* stream) { return step(*stream); });
}

void LateDriver::pass_time() {
  if (settings_.lateness == Lateness::random)
    while (random_() % 3 == 0 && step_any()) {
    }
}

bool LateDriver::has_happened(DeviceEvent event) {
  const Call call(*this);
  const auto asked = event_of(event);
  require_not_captured(*asked);
  // Who asks again and again gets an answer in the end.
  if (asked->happened < asked->recorded && random_() % 4 == 0)
    while (step_any() && random_() % 4 != 0) {
    }
  return asked->happened >= asked->recorded;
}

// A second for each thing that a stream has done.
double LateDriver::seconds_between(DeviceEvent first, DeviceEvent second) {
  const Call call(*this);
  const auto from = event_of(first), to = event_of(second);
  for (const auto& event : {from, to}) require_not_captured(*event);
  for (const auto& event : {from, to})
    ensure(event->is_timed && event->happened > 0 && event->happened == event->recorded,
           "an event that has no time");
  return static_cast<double>(to->done - from->done);
}

// Takes streams further until `is_over`, by steps that tell whether something has happened. Where
// other processes are waited for, other threads have their turn.
template <class IsOver, class Step>
void LateDriver::take_further_until(const IsOver& is_over, const Step& step) {
  while (true) {
    {
      const Call call(*this);
      bool moves = true;
      while (moves && !is_over()) moves = step();
      if (moves) return;
      ensure(tries_again(), "streams wait for each other");
    }
    sched_yield();
  }
}

void LateDriver::await(DeviceEvent event) {
  std::shared_ptr<Event> awaited;
  std::int64_t times = 0;
  {
    const Call call(*this);
    awaited = event_of(event);
    require_not_captured(*awaited);
    times = awaited->recorded;
  }
  take_further_until([&] { return awaited->happened >= times; },
                     [&] {
                       Stream* const bringer = bringer_of(*awaited, times);
                       ensure(bringer != nullptr, "nobody brings an event");
                       return settings_.lateness == Lateness::laziest ? advance(*bringer)
                                                                      : step_any();
                     });
}

void LateDriver::await(DeviceStream stream) {
  {
    const Call call(*this);
    if (const auto& captured = stream_of(stream).captured)
      refuse_in(*captured, "to wait for a stream that is captured");
  }
  take_further_until([&] { return stream_of(stream).operations.empty(); },
                     [&] {
                       return settings_.lateness == Lateness::laziest ? advance(stream_of(stream))
                                                                      : step_any();
                     });
}

void LateDriver::await_all() {
  take_further_until(
      [&] {
        return std::ranges::all_of(streams_,
                                   [](const auto& stream) { return stream->operations.empty(); });
      },
      [this] { return step_any(); });
}

// ---- graphs

void LateDriver::refuse_in(Captured& captured, const std::string& what) {
  captured.is_valid = false;
  throw Error(Error::system, fmt::format("late: it is not permitted {}", what));
}

void LateDriver::end_captures() noexcept {
  const Call call(*this);
  for (const auto& stream : streams_)
    if (stream->captured) stream->captured->is_valid = false;
}

void LateDriver::require_no_capture(const std::string& what) {
  end_captures();
  for (const auto& stream : streams_)
    if (stream->captured) refuse_in(*stream->captured, what + " while a stream is captured");
}

void LateDriver::require_not_captured(const Event& event) {
  if (event.captured) refuse_in(*event.captured, "to ask for an event that is captured");
}

Capture LateDriver::capture_of(DeviceStream stream) const {
  const Call call(*this);
  const auto& captured = stream_of(stream).captured;
  if (!captured) return Capture::none;
  return captured->is_valid ? Capture::under_way : Capture::invalid;
}

void LateDriver::begin_capture(DeviceStream stream) {
  const Call call(*this);
  Stream& origin = entered(stream);
  ensure(!origin.captured);
  origin.captured = std::make_shared<Captured>();
}

LateDriver::Graph LateDriver::end_capture(DeviceStream stream) {
  const Call call(*this);
  Stream& origin = stream_of(stream);
  const auto captured = origin.captured;
  ensure(captured != nullptr);
  for (const auto& one : streams_) {
    if (one->captured != captured) continue;
    if (one.get() != &origin && !one->has_come_back) captured->is_valid = false;
    one->captured = nullptr;
  }
  captured->has_ended = true;
  if (!captured->is_valid)
    throw Error(Error::system, "late: the capture is invalid, or a stream has not come back");
  return std::move(captured->graph);
}

void LateDriver::launch_graph(DeviceStream stream, const Graph& graph) {
  for (const auto& action : graph) enqueue_until(stream, action);
}

}  // namespace weft
