// capi/runs: starts what C asks for, with the arrays that it gives.
#pragma once

#include "weft/capi/converted.hpp"
#include "weft/source.hpp"

namespace weft::capi {

/// An array of C's, of whose elements each has so many bytes.
template <class Given, class From>
Given array_of(const From& from, std::int64_t element_bytes) {
  Given given(from.data);
  if (from.elements == WEFT_UNCHECKED) return given;
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

/// Starts a run of whatever starts in both directions: a plan, with its `scale`, or a reshape.
template <class Runs, class... Scale>
Ticket started(Runs& runs, weft_direction direction, const AnySource& from, const AnyTarget& to,
               Scale... scale) {
  return checked_value(direction, 2, "direction") == WEFT_FORWARD
             ? runs.start_forward(from, to, scale...)
             : runs.start_backward(from, to, scale...);
}

}  // namespace weft::capi
