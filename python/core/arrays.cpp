// python/core/arrays: reads buffers of Python, and says what is wrong with them.

#include "arrays.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "weft/error.hpp"

namespace nb = nanobind;

namespace weft::python {

namespace {

// The type of a buffer's elements, as the module struct writes it.
const char* format_of(Scalar scalar) {
  const bool is_single = scalar.precision == Precision::single_precision;
  if (scalar.is_complex) return is_single ? "Zf" : "Zd";
  return is_single ? "f" : "d";
}

// Without the sign of the byte order where that is the machine's.
std::string_view native(const char* format) {
  std::string_view text = format != nullptr ? format : "B";
  if (!text.empty() && (text[0] == '@' || text[0] == '=' || text[0] == '<')) text.remove_prefix(1);
  return text;
}

std::string shape_text(const Py_ssize_t* begin, std::size_t axes) {
  return fmt::format("({}{})", fmt::join(begin, begin + axes, ", "), axes == 1 ? "," : "");
}

std::string dtype_of(nb::handle array) {
  const nb::object type = nb::getattr(array, "dtype", nb::none());
  return nb::cast<std::string>(nb::str(type.is_none() ? array.type() : nb::handle(type)));
}

// Whether the points of `view` lie `byte_steps` apart; steps along a single point do not matter.
bool lies_as(const Py_buffer& view, const std::vector<Py_ssize_t>& byte_steps) {
  for (int axis = 0; axis < view.ndim; ++axis)
    if (view.shape[axis] > 1 && view.strides[axis] != byte_steps[std::size_t(axis)]) return false;
  return true;
}

bool has_shape(const Py_buffer& view, const std::vector<Py_ssize_t>& shape) {
  return std::equal(view.shape, view.shape + view.ndim, shape.begin(), shape.end());
}

bool is_line(const Py_buffer& view, std::int64_t elements) {
  return view.ndim == 1 && view.shape[0] == elements &&
         (elements <= 1 || view.strides[0] == view.itemsize);
}

[[noreturn]] void refuse_shape(const Py_buffer& view, const Side& side) {
  const std::string wanted = side.is_box ? shape_text(side.shape.data(), side.shape.size())
                                         : fmt::format("({},)", side.elements);
  throw Error(
      Error::invalid,
      fmt::format("the {} has the shape {}, and this rank's {} of the plan has {}", side.name,
                  shape_text(view.shape, std::size_t(view.ndim)), side.name, wanted),
      fmt::format("take the array from plan.empty_{}(), or allocate one of this shape", side.name));
}

[[noreturn]] void refuse_order(const Py_buffer& view, const Side& side) {
  throw Error(
      Error::invalid,
      fmt::format(
          "the {} has the right shape, but its axes are {} bytes apart, and those of the plan {}",
          side.name, shape_text(view.strides, std::size_t(view.ndim)),
          shape_text(side.byte_steps.data(), side.byte_steps.size())),
      fmt::format(
          "take the array from plan.empty_{}(); numpy.ascontiguousarray copies one into C order",
          side.name));
}

}  // namespace

Side::Side(const Share& share, std::string of)
    : name(std::move(of)), scalar(share.scalar), elements(share.elements) {
  const auto bytes = Py_ssize_t(scalar.bytes());
  is_box = share.boxes.size() <= 1 && !share.waves.are_given();
  if (!is_box) return;
  if (share.fields > 1) {
    shape.push_back(Py_ssize_t(share.fields));
    byte_steps.push_back(Py_ssize_t(share.array.field_stride) * bytes);
  }
  for (int axis = 0; axis < share.extents.size(); ++axis) {
    const bool is_there = !share.boxes.empty();
    shape.push_back(is_there ? Py_ssize_t(share.boxes[0].extents()[axis]) : 0);
    byte_steps.push_back(is_there ? Py_ssize_t(share.array.layouts[0].strides[axis]) * bytes
                                  : bytes);
  }
}

ArrayInUse::ArrayInUse(nb::handle array, const Side& side, bool is_written) : view_{} {
  if (PyObject_GetBuffer(array.ptr(), &view_, PyBUF_RECORDS_RO) != 0) {
    PyErr_Clear();
    throw Error(Error::invalid, fmt::format("the {} is no array: {}", side.name, dtype_of(array)),
                fmt::format("take it from plan.empty_{}(), or give a NumPy array", side.name));
  }
  try {
    if (native(view_.format) != format_of(side.scalar))
      throw Error(Error::invalid,
                  fmt::format("the {} has elements of {}, and the plan has {}", side.name,
                              dtype_of(array), side.scalar.name()),
                  "convert them with astype, or make a plan for them with dtype=");
    if (is_written && view_.readonly != 0)
      throw Error(Error::invalid,
                  fmt::format("the {} is to be written, but is read-only", side.name),
                  "give a copy of it");
    if (is_line(view_, side.elements)) return;
    const bool is_empty = view_.len == 0 && side.elements == 0;
    if (!is_empty && (!side.is_box || !has_shape(view_, side.shape))) refuse_shape(view_, side);
    if (!is_empty && !lies_as(view_, side.byte_steps)) refuse_order(view_, side);
  } catch (...) {
    PyBuffer_Release(&view_);
    throw;
  }
}

}  // namespace weft::python
