// capi/runs: starts what C asks for, with the arrays that it gives. Keeps: what one rank gives
// wrongly is an error on all ranks, as long as its handle is one.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "weft/base/error_record.hpp"
#include "weft/capi/converted.hpp"
#include "weft/capi/handles.hpp"
#include "weft/source.hpp"

namespace weft::capi {

/// An array of C's, of whose elements each has so many bytes.
template <class Given, class From>
Given array_of(const From& from, std::int64_t element_bytes) {
  Given given(from.data);
  if (from.elements == WEFT_UNCHECKED) return given;
  if (from.elements == WEFT_ANOTHER_TYPE || from.elements == WEFT_NOT_CONTIGUOUS)
    throw Error(Error::invalid,
                from.elements == WEFT_ANOTHER_TYPE
                    ? "an array has another type than its side of the plan"
                    : "an array is not contiguous in memory",
                "give a contiguous array of the plan's type and precision");
  if (from.elements < 0)
    throw Error(Error::invalid, fmt::format("an array of {} elements", from.elements),
                "give their number, or WEFT_UNCHECKED");
  given.elements = from.elements;
  given.element_bytes = element_bytes;
  return given;
}
inline AnySource source_of(const weft_source& from, std::int64_t element_bytes) {
  return array_of<AnySource>(from, element_bytes);
}
inline AnyTarget target_of(const weft_target& to, std::int64_t element_bytes) {
  return array_of<AnyTarget>(to, element_bytes);
}

/// What a start takes.
struct Arrays {
  bool is_forward;
  AnySource from;
  AnyTarget to;
};

/// What `prepare` returns, or else arrays that are refused with `why` it threw.
template <class Prepare>
Arrays prepared(Prepare&& prepare, std::optional<Error>& why) {
  Arrays arrays{true, nullptr, nullptr};
  const ErrorRecord wrong = record_of([&] { arrays = prepare(); });
  if (!wrong.has_error()) return arrays;
  why = wrong.error();
  arrays = {true, nullptr, nullptr};
  arrays.to.refusal = &*why;
  return arrays;
}

/// Starts a run of whatever starts in both directions - a plan, with its `scale`, or a reshape - of
/// the arrays that `prepare` returns. What that throws is an error of this start on all ranks.
template <class Runs, class Prepare, class... Scale>
Ticket started(Runs& runs, Prepare&& prepare, Scale... scale) {
  std::optional<Error> why;
  const Arrays arrays = prepared(prepare, why);
  return arrays.is_forward ? runs.start_forward(arrays.from, arrays.to, scale...)
                           : runs.start_backward(arrays.from, arrays.to, scale...);
}

inline bool is_forward(weft_direction direction) {
  return checked_value(direction, 2, "direction") == WEFT_FORWARD;
}

/// Where the application wants a ticket.
class TicketPlace {
 public:
  explicit TicketPlace(weft_ticket** place) : place_(place) {}
  /// Error::invalid if that is nowhere. Where there is no memory for a ticket, nothing is started.
  void prepare() {
    given(place_, "the place for the ticket") = nullptr;
    made_ = std::make_unique<weft_ticket>();
  }
  void take(Ticket ticket) {
    made_->ticket = std::move(ticket);
    *place_ = made_.release();
  }

 private:
  weft_ticket** place_;
  std::unique_ptr<weft_ticket> made_;
};

}  // namespace weft::capi
