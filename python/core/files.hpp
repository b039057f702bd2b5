// python/core/files: arrays in files, as weft._files reads and writes them.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <string>

namespace weft::python {

/// Which array of which file; `inner`, if given, is the name of the array in it.
struct AskedFile {
  std::string path;
  std::optional<std::string> inner;
  std::uintptr_t comm;  ///< the address of a communicator, or 0
};

/// What the array is: shape, dtype, chunks, and whether it is in Fortran order. Collective, without
/// the GIL.
nanobind::dict header_of(const AskedFile& file);

/// Reads this rank's boxes: tuples of the first indices, those past the last, the address of the
/// first point, and steps in elements. Collective, without the GIL. Error::io if the array has no
/// longer the shape and the type of `header`, which header_of has made.
void read_file(const AskedFile& file, const nanobind::dict& header, const nanobind::list& boxes);

/// Writes an array of the shape and the type that `header` names, as header_of makes one.
/// Collective, without the GIL.
void write_file(const AskedFile& file, const nanobind::dict& header, const nanobind::list& boxes);

}  // namespace weft::python
