// plan/field: this rank's share of a field, and walking over it by global index.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/plan/any_plan.hpp"

namespace weft {

/// A point of a field: its global index and its value.
template <class T>
struct Point {
  Dims at;
  T& value;
};

/// The points of one field of a batch that this rank owns, box by box, the last axis fastest.
///
///     for (auto [at, x] : u.points()) x = f(at[0], at[1], at[2]);
template <class T>
class Points {
 public:
  class Iterator {
   public:
    Iterator(T* data, const Share* share, std::size_t box) : data_(data), share_(share), box_(box) {
      enter_box();
    }

    Point<T> operator*() const { return {at_, data_[element_]}; }
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

  Points(T* data, const Share& share) : data_(data), share_(&share) {}
  Iterator begin() const { return {data_, share_, 0}; }
  Iterator end() const { return {data_, share_, share_->boxes.size()}; }

 private:
  T* data_;
  const Share* share_;
};

/// This rank's share of a field (or of a batch of them), zeroed when made. Made by a Plan. Copies
/// are handles to the same memory, as are the two sides of a plan in place.
template <class T>
class Field {
 public:
  Field(std::shared_ptr<const Communicator> comm, Share share, std::shared_ptr<std::byte> memory)
      : comm_(std::move(comm)), share_(std::move(share)), memory_(std::move(memory)) {}

  /// Elements in memory order; size() of them, room between boxes and rows included.
  T* data() { return reinterpret_cast<T*>(memory_.get()); }
  const T* data() const { return reinterpret_cast<const T*>(memory_.get()); }
  std::int64_t size() const { return share_.elements; }

  /// Which boxes of the global grid these are, and their layout in memory.
  const Share& share() const { return share_; }
  const std::vector<Box>& boxes() const { return share_.boxes; }

  /// The points of field `number` of the batch, with their global indices.
  Points<T> points(std::int64_t number = 0) {
    return {data() + number * share_.array.field_stride, share_};
  }
  Points<const T> points(std::int64_t number = 0) const {
    return {data() + number * share_.array.field_stride, share_};
  }

  const std::shared_ptr<const Communicator>& comm() const { return comm_; }
  const std::shared_ptr<std::byte>& memory() const { return memory_; }

 private:
  std::shared_ptr<const Communicator> comm_;
  Share share_;
  std::shared_ptr<std::byte> memory_;
};

/// Largest |a - b| over all points of field `number` of all ranks. Both lie alike. Collective.
template <class T>
double max_abs_difference(const Field<T>& a, const Field<T>& b, std::int64_t number = 0) {
  double most = 0;
  auto other = b.points(number).begin();
  for (auto [at, value] : a.points(number)) {
    most = std::max(most, static_cast<double>(std::abs(value - (*other).value)));
    ++other;
  }
  return a.comm()->max(most);
}

/// Largest |a| over all points of field `number` of all ranks. Collective.
template <class T>
double max_abs(const Field<T>& a, std::int64_t number = 0) {
  double most = 0;
  for (auto [at, value] : a.points(number))
    most = std::max(most, static_cast<double>(std::abs(value)));
  return a.comm()->max(most);
}

}  // namespace weft
