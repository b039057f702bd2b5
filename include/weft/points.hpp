// weft/points: walking over a rank's share of a field, by global index.
// Floor: grid.
// Keeps: an empty box has no points and no rows.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "weft/share.hpp"

namespace weft {

/// A point of a field: its global index and its value.
template <class T>
struct Point {
  Dims at;   ///< 0-based, one index per axis; with a cut-off, the numbers of the wave
  T& value;  ///< in the field's memory
};

/// A row of a field: points that differ in the index along the last axis only.
template <class T>
struct Row {
  Dims at;              ///< the global index of its first point
  std::span<T> values;  ///< in the field's memory; values[j] is that at at.back() + j
};

/// The rows of one field of a batch that this rank owns, in memory order: a random-access range, so
/// that threads can share them out.
///
///     const auto rows = u.points().rows();
///     #pragma omp parallel for
///     for (std::int64_t i = 0; i < rows.size(); ++i) {
///       auto [at, values] = rows[i];
///       for (double& x : values) x = f(at[0], at[1], at[2]++);
///     }
template <class T>
class Rows {
 public:
  /// Walks over them, by any distance.
  class Iterator {
   public:
    using iterator_concept = std::random_access_iterator_tag;  ///< for the algorithms of C++20
    using iterator_category = std::input_iterator_tag;         ///< a row is not a reference
    using value_type = Row<T>;                                 ///< a view of the values
    using difference_type = std::int64_t;                      ///< in rows
    using reference = Row<T>;                                  ///< made anew
    using pointer = void;                                      ///< there is none

    /// An iterator over no rows.
    Iterator() = default;
    /// An iterator at row `number`.
    Iterator(const Rows* rows, std::int64_t number) : rows_(rows), number_(number) {}

    /// The row it stands at, and the one `n` rows on.
    Row<T> operator*() const { return (*rows_)[number_]; }
    Row<T> operator[](std::int64_t n) const { return (*rows_)[number_ + n]; }
    /// Goes on, or back.
    Iterator& operator+=(std::int64_t n) {
      number_ += n;
      return *this;
    }
    Iterator& operator-=(std::int64_t n) { return *this += -n; }
    Iterator& operator++() { return *this += 1; }
    Iterator& operator--() { return *this -= 1; }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    Iterator operator--(int) {
      const Iterator before = *this;
      --*this;
      return before;
    }
    friend Iterator operator+(Iterator a, std::int64_t n) { return a += n; }
    friend Iterator operator+(std::int64_t n, Iterator a) { return a += n; }
    friend Iterator operator-(Iterator a, std::int64_t n) { return a -= n; }
    friend std::int64_t operator-(const Iterator& a, const Iterator& b) {
      return a.number_ - b.number_;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.number_ == b.number_; }
    friend auto operator<=>(const Iterator& a, const Iterator& b) {
      return a.number_ <=> b.number_;
    }

   private:
    const Rows* rows_ = nullptr;
    std::int64_t number_ = 0;
  };

  /// The rows of the array at `data`, which is laid out as `share` says; both must outlive this.
  /// Error::unsupported if the points along the last axis are not contiguous, and for waves.
  Rows(T* data, const Share& share) : data_(data), share_(&share) {
    require_rows(share);
    std::int64_t rows = 0;
    for (const Box& box : share.boxes) {
      first_.push_back(rows);
      if (!box.empty()) rows += box.volume() / box.extent(box.axes() - 1);
    }
    first_.push_back(rows);
  }

  /// Number of rows.
  std::int64_t size() const { return first_.back(); }
  bool empty() const { return size() == 0; }
  /// Row `number`, counted from 0, which is below size().
  Row<T> operator[](std::int64_t number) const {
    const auto box_number = static_cast<std::size_t>(
        std::upper_bound(first_.begin(), first_.end(), number) - first_.begin() - 1);
    const Box& box = share_->boxes[box_number];
    const Dims& strides = share_->array.layouts[box_number].strides;
    const int last = box.axes() - 1;
    Dims at = box.lo;
    std::int64_t element = share_->array.offsets[box_number];
    std::int64_t left = number - first_[box_number];
    for (int a = last - 1; a >= 0; --a) {
      const std::int64_t index = left % box.extent(a);
      at[a] += index;
      element += index * strides[a];
      left /= box.extent(a);
    }
    return {at, {data_ + element, static_cast<std::size_t>(box.extent(last))}};
  }
  /// The first row, and one past the last.
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size()}; }

 private:
  T* data_;
  const Share* share_;
  std::vector<std::int64_t> first_;  // of every box, and their number
};

/// The points of one field of a batch that this rank owns, box by box, the last axis fastest; with
/// a cut-off, the waves in their order. A forward range.
///
///     for (auto [at, x] : u.points()) x = f(at[0], at[1], at[2]);
template <class T>
class Points {
 public:
  /// Walks over them.
  class Iterator {
   public:
    using iterator_concept = std::forward_iterator_tag;  ///< for the algorithms of C++20
    using iterator_category = std::input_iterator_tag;   ///< a point is not a reference
    using value_type = Point<T>;                         ///< with a reference to the value
    using difference_type = std::int64_t;                ///< in points
    using reference = Point<T>;                          ///< made anew
    using pointer = void;                                ///< there is none

    /// An iterator over no points.
    Iterator() = default;
    /// An iterator at the first point of box number `box`, or of the next box that has points. For
    /// waves, `box` 0 is the first wave, and 1 is past the last.
    Iterator(T* data, const Share* share, std::size_t box) : data_(data), share_(share), box_(box) {
      if (!share->waves.are_given())
        enter_box();
      else if (box == 0)
        enter_wave();
    }

    /// The point it stands at.
    Point<T> operator*() const { return {at_, data_[element_]}; }
    /// Goes on to the next.
    Iterator& operator++() {
      if (share_->waves.are_given()) {
        ++element_;
        enter_wave();
        return *this;
      }
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
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) {
      return a.box_ == b.box_ && a.at_ == b.at_;
    }

   private:
    void enter_box() {
      while (box_ < share_->boxes.size() && share_->boxes[box_].empty()) ++box_;
      const bool past_the_end = box_ == share_->boxes.size();
      at_ = past_the_end ? Dims() : share_->boxes[box_].lo;
      if (!past_the_end) element_ = share_->array.offsets[box_];
    }

    void enter_wave() {
      if (element_ == share_->waves.size()) {
        box_ = 1;
        at_ = {};
        return;
      }
      const Wave& wave = share_->waves[element_];
      at_ = {wave[0], wave[1], wave[2]};
    }

    T* data_ = nullptr;
    const Share* share_ = nullptr;
    std::size_t box_ = 0;
    Dims at_;
    std::int64_t element_ = 0;
  };

  /// The points of the array at `data`, which is laid out as `share` says: a side of a plan, as in
  /// `weft::Points(u.data(), plan.input())`. Both must outlive this.
  Points(T* data, const Share& share) : data_(data), share_(&share) {}

  /// Number of points.
  std::int64_t size() const {
    std::int64_t points = share_->waves.size();
    for (const Box& box : share_->boxes) points += box.volume();
    return points;
  }
  bool empty() const { return size() == 0; }
  /// The first point, and one past the last.
  Iterator begin() const { return {data_, share_, 0}; }
  Iterator end() const {
    return {data_, share_, share_->waves.are_given() ? 1 : share_->boxes.size()};
  }
  /// The same points by rows. Error::unsupported for waves.
  Rows<T> rows() const { return {data_, *share_}; }

 private:
  T* data_;
  const Share* share_;
};

}  // namespace weft
