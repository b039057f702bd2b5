// weft/field: this rank's share of a field, and walking over it by global index.
// Floor: plan.
#pragma once

#include <mpi.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "weft/any_plan.hpp"
#include "weft/share.hpp"

namespace weft {

class Communicator;

/// A point of a field: its global index and its value.
template <class T>
struct Point {
  Dims at;   ///< 0-based, one index per axis
  T& value;  ///< in the field's memory
};

/// The points of one field of a batch that this rank owns, box by box, the last axis fastest.
///
///     for (auto [at, x] : u.points()) x = f(at[0], at[1], at[2]);
template <class T>
class Points {
 public:
  /// Walks over them; enough for a range-based for loop.
  class Iterator {
   public:
    /// At the first point of box number `box`.
    Iterator(T* data, const Share* share, std::size_t box) : data_(data), share_(share), box_(box) {
      enter_box();
    }

    /// The point it stands at.
    Point<T> operator*() const { return {at_, data_[element_]}; }
    /// Goes on to the next.
    Iterator& operator++() {
      const Box& box = share_->boxes[box_];
      const Dims& strides = share_->array.layouts[box_].strides;
      for (int a = box.axes() - 1; a >= 0; --a) {
        element_ += strides[a];
        if (++at_[a] < box.hi[a]) return *this;
        element_ -= strides[a] * box.extent(a);
        at_[a] = box.lo[a];
      }
      ++box_;
      enter_box();
      return *this;
    }
    bool operator!=(const Iterator& other) const { return box_ != other.box_ || at_ != other.at_; }

   private:
    void enter_box() {
      const bool past_the_end = box_ == share_->boxes.size();
      at_ = past_the_end ? Dims() : share_->boxes[box_].lo;
      if (!past_the_end) element_ = share_->array.offsets[box_];
    }

    T* data_;
    const Share* share_;
    std::size_t box_;
    Dims at_;
    std::int64_t element_ = 0;
  };

  /// Of the array at `data`, laid out as `share` says; both must outlive the points.
  Points(T* data, const Share& share) : data_(data), share_(&share) {}
  /// The first point, and one past the last.
  Iterator begin() const { return {data_, share_, 0}; }
  Iterator end() const { return {data_, share_, share_->boxes.size()}; }

 private:
  T* data_;
  const Share* share_;
};

/// What fields of all element types have in common: a share of the global grid, and its memory.
class FieldMemory {
 public:
  /// A field of no points, of no plan.
  FieldMemory() = default;
  /// `memory`, laid out as `share`, which is a side of `plan`. The plan may go before the field.
  FieldMemory(const AnyPlan& plan, const Share& share, std::shared_ptr<std::byte> memory);

  /// Elements in the array, room between rows included.
  std::int64_t size() const { return share_.elements; }
  /// Which boxes of the global grid these are, and their layout in memory.
  const Share& share() const { return share_; }
  const std::vector<Box>& boxes() const { return share_.boxes; }
  /// The memory; it lives as long as anybody holds it.
  const std::shared_ptr<std::byte>& memory() const { return memory_; }

  /// The largest `mine` of all ranks of the plan. Collective. Error::invalid for a field of no
  /// plan.
  double largest_of_ranks(double mine) const;

 private:
  std::shared_ptr<const Communicator> comm_;
  Share share_;
  std::shared_ptr<std::byte> memory_;
};

/// This rank's share of a field (or of a batch of them), zeroed when made. Made by a Plan. Copies
/// are handles to the same memory, as are the two sides of a plan in place.
template <class T>
class Field : public FieldMemory {
 public:
  using FieldMemory::FieldMemory;

  /// Elements in memory order; size() of them, room between boxes and rows included.
  T* data() { return reinterpret_cast<T*>(memory().get()); }
  const T* data() const { return reinterpret_cast<const T*>(memory().get()); }

  /// The points of field `number` of the batch, with their global indices.
  Points<T> points(std::int64_t number = 0) {
    return {data() + number * share().array.field_stride, share()};
  }
  Points<const T> points(std::int64_t number = 0) const {
    return {data() + number * share().array.field_stride, share()};
  }
};

/// A zeroed field for `share`, which is a side of `plan`. Not collective.
template <class T>
Field<T> make_field(const AnyPlan& plan, const Share& share) {
  // An empty share has an address of its own, too: it is how in place is told from out of place.
  const std::int64_t elements = share.elements > 0 ? share.elements : 1;
  return {plan, share, plan.allocate(elements * static_cast<std::int64_t>(sizeof(T)))};
}

/// Largest |a - b| over all points of field `number` of all ranks. Both lie alike. Collective.
template <class T>
double max_abs_difference(const Field<T>& a, const Field<T>& b, std::int64_t number = 0) {
  double most = 0;
  auto other = b.points(number).begin();
  for (auto [at, value] : a.points(number)) {
    const auto difference = static_cast<double>(std::abs(value - (*other).value));
    if (difference > most) most = difference;
    ++other;
  }
  return a.largest_of_ranks(most);
}

/// Largest |a| over all points of field `number` of all ranks. Collective.
template <class T>
double max_abs(const Field<T>& a, std::int64_t number = 0) {
  double most = 0;
  for (auto [at, value] : a.points(number)) {
    const auto magnitude = static_cast<double>(std::abs(value));
    if (magnitude > most) most = magnitude;
  }
  return a.largest_of_ranks(most);
}

}  // namespace weft
