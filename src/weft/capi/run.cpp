// capi/run: runs of plans, and their tickets.

#include "weft/capi/handles.hpp"
#include "weft/capi/runs.hpp"

using namespace weft::capi;

namespace {

// `check` throws what else is wrong with the call.
template <class Check>
weft::Ticket start(weft_plan* plan, weft_direction direction, const weft_source& from,
                   const weft_target& to, double scale, Check&& check) {
  if (given(plan, "the plan").run == nullptr)
    throw weft::Error(weft::Error::invalid, "the plan belongs to a reshape or a halo",
                      "call weft_reshape_run or weft_halo_run");
  const auto prepare = [&] {
    check();
    const std::int64_t in = plan->run->input().scalar.bytes();
    const std::int64_t out = plan->run->output().scalar.bytes();
    const bool forward = is_forward(direction);
    return Arrays{forward, source_of(from, forward ? in : out), target_of(to, forward ? out : in)};
  };
  return started(*plan->run, prepare, scale);
}

}  // namespace

weft_status weft_run(weft_plan* plan, weft_direction direction, weft_source from, weft_target to,
                     double scale) {
  return status_of([&] { start(plan, direction, from, to, scale, [] {}).wait(); });
}
weft_status weft_start(weft_plan* plan, weft_direction direction, weft_source from, weft_target to,
                       double scale, weft_ticket** ticket) {
  return status_of([&] {
    TicketPlace place(ticket);
    place.take(start(plan, direction, from, to, scale, [&] { place.prepare(); }));
  });
}

weft_status weft_forward(weft_plan* plan, const void* from, void* to, double scale) {
  return weft_run(plan, WEFT_FORWARD, {from, WEFT_UNCHECKED}, {to, WEFT_UNCHECKED}, scale);
}
weft_status weft_backward(weft_plan* plan, const void* from, void* to, double scale) {
  return weft_run(plan, WEFT_BACKWARD, {from, WEFT_UNCHECKED}, {to, WEFT_UNCHECKED}, scale);
}
weft_status weft_start_forward(weft_plan* plan, const void* from, void* to, double scale,
                               weft_ticket** ticket) {
  return weft_start(plan, WEFT_FORWARD, {from, WEFT_UNCHECKED}, {to, WEFT_UNCHECKED}, scale,
                    ticket);
}
weft_status weft_start_backward(weft_plan* plan, const void* from, void* to, double scale,
                                weft_ticket** ticket) {
  return weft_start(plan, WEFT_BACKWARD, {from, WEFT_UNCHECKED}, {to, WEFT_UNCHECKED}, scale,
                    ticket);
}

// The handle is empty before the wait, so that a callback which waits for it waits for nothing.
weft_status weft_wait(weft_ticket** ticket) {
  return status_of([&] {
    const auto mine = taken(ticket, "the place of the ticket");
    if (mine != nullptr) mine->ticket.wait();
  });
}

weft_status weft_test(weft_ticket** ticket, int* has_ended) {
  return status_of([&] {
    int& answer = given(has_ended, "the place for the answer");
    auto mine = taken(ticket, "the place of the ticket");
    answer = 1;  // also with an error
    if (mine == nullptr || mine->ticket.test()) return;
    answer = 0;
    *ticket = mine.release();
  });
}

weft_status weft_progress(int* did) {
  return status_of([&] {
    const bool was_something = weft::progress();
    if (did != nullptr) *did = was_something ? 1 : 0;
  });
}

weft_status weft_then(weft_ticket* ticket, weft_callback callback, void* data) {
  return status_of([&] {
    given(ticket, "the ticket");
    given(callback, "the callback");
    ticket->ticket.then([callback, data] {
      const int failed = callback(data);
      if (failed != 0)
        throw CallbackFailed(fmt::format("weft: the callback of a transform returned {}", failed));
    });
  });
}
