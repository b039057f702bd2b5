// python/core/files: what Python says of boxes and files, as files/array_file takes it.

#include "files.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <complex>
#include <tuple>
#include <vector>

#include "report.hpp"
#include "request.hpp"
#include "weft/base/ensure.hpp"
#include "weft/files/array_file.hpp"

namespace nb = nanobind;

namespace weft::python {

namespace {

using Numbers = std::vector<std::int64_t>;
using Boxes = std::vector<std::tuple<Numbers, Numbers, std::uintptr_t, Numbers>>;

ArrayPath path_of(const AskedFile& file) {
  ArrayPath path = ArrayPath::of(file.path);
  if (!file.inner) return path;
  if (path.format == FileFormat::npy)
    throw Error(Error::invalid,
                fmt::format("'{}' is the name of an .npy file, which has no array called '{}'",
                            file.path, *file.inner),
                std::string("give one of: ") + array_path_forms);
  if (!path.inner.empty())
    throw Error(
        Error::invalid,
        fmt::format("'{}' names an array, and so does dataset '{}'", file.path, *file.inner),
        "give the name once");
  return ArrayPath::of(file.path + ":/" + *file.inner);
}

// Calls body(communicator) without the GIL.
template <class Body>
void on_ranks(const AskedFile& file, const Body& body) {
  const nb::gil_scoped_release without_gil;
  if (file.comm == 0) return body(Communicator::alone());
  body(*shared_duplicate(comm_at(file.comm)));
}

Scalar scalar_of_name(const std::string& name) {
  for (const Scalar scalar :
       {scalar_of<float>::value, scalar_of<double>::value, scalar_of<std::complex<float>>::value,
        scalar_of<std::complex<double>>::value})
    if (scalar.name() == name) return scalar;
  throw Error(Error::invalid, fmt::format("weft writes no arrays of {}", name),
              "one of: float32, float64, complex64, complex128");
}

ArrayHeader header_in(const nb::dict& header) {
  ArrayHeader of;
  of.scalar = scalar_of_name(nb::cast<std::string>(header["dtype"]));
  of.shape = dims_of(nb::cast<Numbers>(header["shape"]));
  of.chunks = dims_of(nb::cast<Numbers>(header["chunks"]));
  of.is_fortran = nb::cast<bool>(header["is_fortran"]);
  return of;
}

BoxMemory boxes_in_memory(const Boxes& boxes, std::int64_t element_bytes) {
  std::uintptr_t first = 0;
  for (const auto& box : boxes)
    first = first == 0 ? std::get<2>(box) : std::min(first, std::get<2>(box));
  BoxMemory memory{{}, reinterpret_cast<std::byte*>(first)};
  for (const auto& [lo, hi, address, steps] : boxes) {
    const Box box{dims_of(lo), dims_of(hi)};
    memory.parts.push_back({box,
                            {box.extents(), dims_of(steps)},
                            static_cast<std::int64_t>(address - first) / element_bytes});
  }
  return memory;
}

}  // namespace

nb::dict header_of(const AskedFile& file) {
  ArrayHeader header;
  on_ranks(file, [&](const Communicator& comm) { header = agreed_header(comm, path_of(file)); });
  nb::dict of;
  of["shape"] = tuple_of(header.shape);
  of["dtype"] = header.scalar.name();
  of["chunks"] = tuple_of(header.chunks);
  of["is_fortran"] = header.is_fortran;
  return of;
}

void read_file(const AskedFile& file, const nb::dict& header, const nb::list& boxes) {
  const auto given = nb::cast<Boxes>(boxes);
  const ArrayHeader seen = header_in(header);
  on_ranks(file, [&](const Communicator& comm) {
    const ArrayPath path = path_of(file);
    const ArrayHeader header = agreed_header(comm, path);
    if (header.shape != seen.shape || header.scalar != seen.scalar)  // on all ranks
      throw Error(Error::io, fmt::format("'{}' changed after weft looked at it", path.text()),
                  "start again when no other program writes the file");
    read_array(comm, path, header, boxes_in_memory(given, header.scalar.bytes()));
  });
}

void write_file(const AskedFile& file, const nb::dict& header, const nb::list& boxes) {
  const auto given = nb::cast<Boxes>(boxes);
  const ArrayHeader of = header_in(header);
  on_ranks(file, [&](const Communicator& comm) {
    write_array(comm, path_of(file), of, boxes_in_memory(given, of.scalar.bytes()));
  });
}

}  // namespace weft::python
