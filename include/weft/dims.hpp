// weft/dims: a short list of int64, one entry per axis, kept on the stack.
// Floor: base.
// Keeps: at most Dims::capacity entries; no allocation, so it may be copied where fields are moved.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace weft {

/// One int64 per axis: extents, indices, strides or process counts.
/// Users have 1 to 8 axes; the remaining room is for the batch axis and for an axis split in two.
class Dims {
 public:
  /// The most entries that there can be.
  static constexpr int capacity = 12;

  /// No entries.
  Dims() = default;
  /// These entries, in order: {256, 256, 128}. Error::invalid for more than `capacity`.
  Dims(std::initializer_list<std::int64_t> values) {
    for (auto value : values) push_back(value);
  }
  /// `count` entries, all equal to `value`.
  static Dims filled(int count, std::int64_t value) {
    Dims dims;
    for (int i = 0; i < count; ++i) dims.push_back(value);
    return dims;
  }

  /// Number of entries.
  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// The entry of an axis below size(), and the last one.
  std::int64_t operator[](int axis) const { return values_[static_cast<std::size_t>(axis)]; }
  std::int64_t& operator[](int axis) { return values_[static_cast<std::size_t>(axis)]; }
  std::int64_t back() const { return (*this)[size_ - 1]; }
  std::int64_t& back() { return (*this)[size_ - 1]; }
  /// The entries as a range, the first axis first.
  const std::int64_t* begin() const { return values_.data(); }
  const std::int64_t* end() const { return values_.data() + size_; }
  std::int64_t* begin() { return values_.data(); }
  std::int64_t* end() { return values_.data() + size_; }

  /// Adds an entry at the end. Error::invalid if there are `capacity` already.
  void push_back(std::int64_t value) {
    if (size_ == capacity) refuse();
    values_[static_cast<std::size_t>(size_++)] = value;
  }
  /// Adds an entry before `axis`; errors as with push_back.
  void insert(int axis, std::int64_t value) {
    push_back(0);
    for (int i = size_ - 1; i > axis; --i) (*this)[i] = (*this)[i - 1];
    (*this)[axis] = value;
  }
  /// Removes the entry of `axis`.
  void erase(int axis) {
    for (int i = axis; i + 1 < size_; ++i) (*this)[i] = (*this)[i + 1];
    values_[static_cast<std::size_t>(--size_)] = 0;
  }

  friend bool operator==(const Dims&, const Dims&) = default;
  friend auto operator<=>(const Dims&, const Dims&) = default;

 private:
  [[noreturn]] static void refuse();

  std::array<std::int64_t, capacity> values_{};
  int size_ = 0;
};

/// Global number of points per axis.
using Extents = Dims;

/// Product of the entries; the caller knows that it fits.
inline std::int64_t volume(const Dims& dims) {
  std::int64_t product = 1;
  for (auto n : dims) product *= n;
  return product;
}

/// "512x512x128"
std::string to_string(const Dims& dims);

}  // namespace weft
