// python/core/arrays: reads buffers of Python, and says what is wrong with them.

#include "arrays.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <charconv>
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

// Whether the points of `view` lie `steps` elements apart; steps along a single point do not
// matter.
bool lies_as(const Py_buffer& view, const std::vector<Py_ssize_t>& steps) {
  for (int axis = 0; axis < view.ndim; ++axis)
    if (view.shape[axis] > 1 && view.strides[axis] != steps[std::size_t(axis)] * view.itemsize)
      return false;
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
                                         : fmt::format("({},)", side.share.elements);
  throw Error(
      Error::invalid,
      fmt::format("the {} has the shape {}, and this rank's {} of the plan has {}", side.name,
                  shape_text(view.shape, std::size_t(view.ndim)), side.name, wanted),
      fmt::format("take the array from plan.empty_{}(), or allocate one of this shape", side.name));
}

[[noreturn]] void refuse_order(const Py_buffer& view, const Side& side) {
  std::vector<Py_ssize_t> byte_steps;
  for (const auto step : side.steps) byte_steps.push_back(step * view.itemsize);
  throw Error(
      Error::invalid,
      fmt::format(
          "the {} has the right shape, but its axes are {} bytes apart, and those of the plan {}",
          side.name, shape_text(view.strides, std::size_t(view.ndim)),
          shape_text(byte_steps.data(), byte_steps.size())),
      fmt::format(
          "take the array from plan.empty_{}(); numpy.ascontiguousarray copies one into C order",
          side.name));
}

// A type of `__cuda_array_interface__`, as "<c16", in the words of the module struct; as it is if
// no plan has such numbers.
std::string format_of_type(const std::string& type) {
  const std::pair<const char*, const char*> known[] = {
      {"<f4", "f"}, {"<f8", "d"}, {"<c8", "Zf"}, {"<c16", "Zd"}};
  for (const auto& [name, format] : known)
    if (type == name) return format;
  return type;
}

// The bytes of an element of such a type; 0 if it does not tell.
Py_ssize_t bytes_of_type(const std::string& type) {
  Py_ssize_t bytes = 0;
  if (type.size() > 2) std::from_chars(type.data() + 2, type.data() + type.size(), bytes);
  return bytes;
}

// What stands between the beginning of an array and the first point of a box.
std::int64_t ghosts_before(const Storage& storage, const Dims& strides) {
  std::int64_t elements = 0;
  for (int axis = 0; axis < storage.before.size(); ++axis)
    elements += storage.before[axis] * strides[axis];
  return elements;
}

std::int64_t entry(const Dims& dims, int axis) { return axis < dims.size() ? dims[axis] : 0; }

}  // namespace

Side::Side(Share of, Storage lies, std::string called, std::int64_t bytes)
    : share(std::move(of)),
      storage(std::move(lies)),
      name(std::move(called)),
      has_numbers(bytes == 0),
      element_bytes(bytes == 0 ? share.scalar.bytes() : bytes) {
  const bool is_there = !share.boxes.empty();
  is_box = share.boxes.size() <= 1 && !share.waves.are_given() &&
           (!is_there ||
            share.array.offsets[0] == ghosts_before(storage, share.array.layouts[0].strides));
  if (!is_box) return;
  for (int axis = 0; axis < share.extents.size(); ++axis) {
    const std::int64_t ghosts = entry(storage.before, axis) + entry(storage.after, axis);
    shape.push_back(is_there ? Py_ssize_t(share.boxes[0].extents()[axis] + ghosts) : 0);
    steps.push_back(is_there ? Py_ssize_t(share.array.layouts[0].strides[axis]) : 1);
  }
  if (share.fields <= 1) return;
  const auto at = storage.interleaves_batch ? shape.size() : 0;
  shape.insert(shape.begin() + Py_ssize_t(at), Py_ssize_t(share.fields));
  steps.insert(steps.begin() + Py_ssize_t(at), Py_ssize_t(share.array.field_stride));
}

ArrayInUse::ArrayInUse(nb::handle array, const Side& side, bool is_written) : view_{} {
  if (PyObject_CheckBuffer(array.ptr()) == 0 &&
      nb::hasattr(array.type(), "__cuda_array_interface__")) {
    read_interface(array, side);
    require_like(side, array, is_written);
    return;
  }
  if (PyObject_GetBuffer(array.ptr(), &view_, PyBUF_RECORDS_RO) != 0) {
    PyErr_Clear();
    throw Error(Error::invalid, fmt::format("the {} is no array: {}", side.name, dtype_of(array)),
                fmt::format("take it from plan.empty_{}(), or give a NumPy array", side.name));
  }
  try {
    require_like(side, array, is_written);
  } catch (...) {
    PyBuffer_Release(&view_);
    throw;
  }
}

// Version 2 of the interface has no stream, and leaves to the user to wait; the default stream is
// waited for then, as that is what an application that knows of no streams uses.
void ArrayInUse::read_interface(nb::handle array, const Side& side) {
  try {
    const auto entries = nb::cast<nb::dict>(array.attr("__cuda_array_interface__"));
    const auto entry = [&](const char* name) {
      return entries.contains(name) ? nb::object(entries[name]) : nb::none();
    };
    const auto data = nb::cast<nb::tuple>(entries["data"]);
    const auto type = nb::cast<std::string>(entries["typestr"]);
    shape_ = nb::cast<std::vector<Py_ssize_t>>(entries["shape"]);
    format_ = format_of_type(type);
    view_.buf = reinterpret_cast<void*>(nb::cast<std::uintptr_t>(data[0]));
    view_.readonly = nb::cast<bool>(data[1]) ? 1 : 0;
    view_.itemsize = view_.len = bytes_of_type(type);
    for (const auto points : shape_) view_.len *= points;
    if (const nb::object strides = entry("strides"); !strides.is_none())
      strides_ = nb::cast<std::vector<Py_ssize_t>>(strides);
    if (strides_.empty()) {
      strides_.assign(shape_.size(), view_.itemsize);
      for (std::size_t axis = shape_.size(); axis-- > 1;)
        strides_[axis - 1] = strides_[axis] * shape_[axis];
    }
    if (const nb::object stream = entry("stream"); !stream.is_none())
      stream_ = nb::cast<std::uintptr_t>(stream);
    else if (!entries.contains("stream"))
      stream_ = 1;
    if (strides_.size() != shape_.size() || !entry("mask").is_none())
      throw std::invalid_argument("strides that do not go with the shape, or a mask");
  } catch (const std::exception& wrong) {
    throw Error(Error::invalid,
                fmt::format("the {} has a __cuda_array_interface__ that cannot be read: {}",
                            side.name, wrong.what()),
                fmt::format("give an array of CuPy, PyTorch or Numba, or take it from "
                            "plan.empty_{}(memory='device')",
                            side.name));
  }
  owner_ = nb::borrow(array);
  view_.ndim = int(shape_.size());
  view_.shape = shape_.data();
  view_.strides = strides_.data();
  view_.format = format_.data();
}

void ArrayInUse::require_like(const Side& side, nb::handle array, bool is_written) const {
  const bool is_of_type = side.has_numbers ? native(view_.format) == format_of(side.share.scalar)
                                           : view_.itemsize == side.element_bytes;
  if (!is_of_type)
    throw Error(Error::invalid,
                fmt::format("the {} has elements of {}, and the plan has {}", side.name,
                            dtype_of(array), side.share.scalar.name()),
                "convert them with astype, or make a plan for them with dtype=");
  if (is_written && view_.readonly != 0)
    throw Error(Error::invalid, fmt::format("the {} is to be written, but is read-only", side.name),
                "give a copy of it");
  if (is_line(view_, side.share.elements)) return;
  const bool is_empty = view_.len == 0 && side.share.elements == 0;
  if (!is_empty && (!side.is_box || !has_shape(view_, side.shape))) refuse_shape(view_, side);
  if (!is_empty && !lies_as(view_, side.steps)) refuse_order(view_, side);
}

}  // namespace weft::python
