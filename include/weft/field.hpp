// weft/field: this rank's share of a field in memory.
// Floor: plan.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

#include "weft/any_plan.hpp"
#include "weft/field_memory.hpp"
#include "weft/points.hpp"
#include "weft/share.hpp"

namespace weft {

/// This rank's share of a field, or of all fields of a batch, zeroed when made. Made by a Plan.
/// Copies are handles to the same memory, as are the two sides of a plan in place.
template <class T>
class Field : public FieldMemory {
 public:
  using FieldMemory::FieldMemory;

  /// Elements in memory order; size() of them, room between boxes and rows included.
  T* data() { return reinterpret_cast<T*>(memory().get()); }
  const T* data() const { return reinterpret_cast<const T*>(memory().get()); }

  /// The points of field `number` of the batch, with their global indices. Error::invalid if there
  /// is no such field.
  Points<T> points(std::int64_t number = 0) { return {data() + start_of(number), share()}; }
  Points<const T> points(std::int64_t number = 0) const {
    return {data() + start_of(number), share()};
  }
};

/// A zeroed field for `share`, which is a side of `plan`, in memory of this kind. Not collective.
/// Error::invalid if the elements of that side are not of type T; errors of AnyPlan::allocate.
template <class T>
Field<T> make_field(const AnyPlan& plan, const Share& share, Memory kind) {
  require_type(share, scalar_of<T>::value);
  // An empty share has an address of its own, too: it is how in place is told from out of place.
  const std::int64_t elements = share.elements > 0 ? share.elements : 1;
  return {plan, share, plan.allocate(elements * static_cast<std::int64_t>(sizeof(T)), kind), kind};
}
template <class T>
Field<T> make_field(const AnyPlan& plan, const Share& share) {
  return make_field<T>(plan, share, plan.usual_memory());
}

/// The memory of `input`, seen as the output of `plan`, which is in place. Not collective.
/// Error::invalid if it is not in place, or if the output's elements are not of type Out. A field
/// that is no input of the plan makes a field of no points: forward tells all ranks what is wrong
/// with it.
template <class Out>
Field<Out> make_output_in(const AnyPlan& plan, const FieldMemory& input) {
  plan.require_in_place();
  require_type(plan.output(), scalar_of<Out>::value);
  if (input.share() != plan.input()) return {};
  return {plan, plan.output(), input.memory(), input.kind()};
}

/// Largest |a - b| over the points of field `number` on this rank; NaN if a value is not a number.
/// Not collective. Error::invalid if their boxes differ, or there is no such field.
template <class T>
double max_abs_difference_here(const Field<T>& a, const Field<T>& b, std::int64_t number = 0) {
  a.require_same_boxes(b);
  double most = 0;
  auto other = b.points(number).begin();
  for (auto [at, value] : a.points(number)) {
    most = larger_or_nan(most, static_cast<double>(std::abs(value - (*other).value)));
    ++other;
  }
  return most;
}

/// Largest |a| over the points of field `number` on this rank; NaN if a value is not a number. Not
/// collective. Error::invalid if there is no such field.
template <class T>
double max_abs_here(const Field<T>& a, std::int64_t number = 0) {
  double most = 0;
  for (auto [at, value] : a.points(number))
    most = larger_or_nan(most, static_cast<double>(std::abs(value)));
  return most;
}

/// The largest of max_abs_difference_here on all ranks. Collective. Errors are those of all ranks.
template <class T>
double max_abs_difference(const Field<T>& a, const Field<T>& b, std::int64_t number = 0) {
  return a.largest_of_ranks([&] { return max_abs_difference_here(a, b, number); });
}

/// The largest of max_abs_here on all ranks. Collective. Errors are those of all ranks.
template <class T>
double max_abs(const Field<T>& a, std::int64_t number = 0) {
  return a.largest_of_ranks([&] { return max_abs_here(a, number); });
}

}  // namespace weft
