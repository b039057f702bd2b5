// python/core/arrays: the arrays that Python gives to a plan, and whether they are what it takes.
// Keeps: nothing is copied; an array stays where it is until nobody works on it.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/share.hpp"

namespace weft::python {

/// How the array of a side of a plan looks in NumPy's terms.
struct Side {
  /// Of the share of this rank; `name` is "input" or "output".
  Side(const Share& share, std::string name);

  std::string name;                    ///< for errors
  Scalar scalar;                       ///< the type of the elements
  std::int64_t elements = 0;           ///< that an array of one axis has, rows' room included
  bool is_box = true;                  ///< or several boxes, or waves: an array of one axis only
  std::vector<Py_ssize_t> shape;       ///< of a box, with the fields of a batch first
  std::vector<Py_ssize_t> byte_steps;  ///< between neighbours along each axis
};

/// The memory of an array that a plan works on. Made and destroyed with the GIL.
class ArrayInUse {
 public:
  /// The memory of `array`, which has the buffer protocol. Error::invalid, with what differs,
  /// unless it has the elements, shape and order of `side`, and may be written if `is_written`.
  ArrayInUse(nanobind::handle array, const Side& side, bool is_written);
  ~ArrayInUse() { PyBuffer_Release(&view_); }
  ArrayInUse(const ArrayInUse&) = delete;
  ArrayInUse& operator=(const ArrayInUse&) = delete;

  /// The first element.
  void* data() const { return view_.buf; }

 private:
  Py_buffer view_;
};

}  // namespace weft::python
