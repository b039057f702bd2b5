// python/core/arrays: the arrays that Python gives to a plan, and whether they are what it takes.
// Keeps: nothing is copied; an array stays where it is until nobody works on it.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/share.hpp"

namespace weft::python {

/// How the array of a side of a plan looks in NumPy's terms.
struct Side {
  /// Of the share of this rank, which lies as `storage` says; `name` is "input" or "output".
  /// Elements of `bytes` bytes that are only moved may have any type; 0: they are numbers.
  Side(Share share, Storage storage, std::string name, std::int64_t bytes = 0);

  Share share;                    ///< this rank's
  Storage storage;                ///< how its boxes lie
  std::string name;               ///< for errors
  bool has_numbers;               ///< of share.scalar; or elements that are only moved
  std::int64_t element_bytes;     ///< bytes of an element
  bool is_box = true;             ///< or several boxes, or waves: an array of one axis only
  std::vector<Py_ssize_t> shape;  ///< of a box with its ghost points, and of the fields of a batch
  std::vector<Py_ssize_t> steps;  ///< elements between neighbours along each axis
};

/// The memory of an array that a plan works on. Made and destroyed with the GIL.
class ArrayInUse {
 public:
  /// The memory of `array`, which has the buffer protocol or `__cuda_array_interface__`.
  /// Error::invalid, with what differs, unless it has the elements, shape and order of `side`, and
  /// may be written if `is_written`.
  ArrayInUse(nanobind::handle array, const Side& side, bool is_written);
  ~ArrayInUse() { PyBuffer_Release(&view_); }
  ArrayInUse(const ArrayInUse&) = delete;
  ArrayInUse& operator=(const ArrayInUse&) = delete;

  /// The first element.
  void* data() const { return view_.buf; }
  /// The stream in which others may still work on the array, as `__cuda_array_interface__` tells
  /// it; none for other arrays. 1: the default stream, 2: that of each thread.
  const std::optional<std::uintptr_t>& stream() const { return stream_; }

 private:
  void read_interface(nanobind::handle array, const Side& side);
  void require_like(const Side& side, nanobind::handle array, bool is_written) const;

  Py_buffer view_;
  // What view_ points to where the array has no buffer.
  nanobind::object owner_;
  std::vector<Py_ssize_t> shape_, strides_;
  std::string format_;
  std::optional<std::uintptr_t> stream_;
};

}  // namespace weft::python
