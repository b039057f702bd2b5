// comm/datatype: MPI datatypes for contiguous runs and strided boxes of any size.
// Keeps: counts - a run may have more than 2^31 elements.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "weft/base/dims_text.hpp"

namespace weft {

/// Owner of a committed MPI datatype.
class Datatype {
 public:
  Datatype() = default;
  explicit Datatype(MPI_Datatype uncommitted);
  Datatype(Datatype&& other) noexcept;
  Datatype& operator=(Datatype&& other) noexcept;
  ~Datatype();

  MPI_Datatype handle() const { return type_; }

 private:
  void free();
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// The predefined type of an element of `bytes` bytes: 1, 4, 8 or 16. It must not be freed.
MPI_Datatype carrier(std::int64_t bytes);

/// `count` contiguous elements.
Datatype run_type(MPI_Datatype element, std::int64_t count);

/// A box of `extents` elements with `strides`, in elements of `element_bytes`.
Datatype box_type(std::int64_t element_bytes, const Dims& extents, const Dims& strides);

/// One element of each of `types`, at displacements in bytes.
Datatype struct_type(const std::vector<MPI_Aint>& displacements,
                     const std::vector<MPI_Datatype>& types);

}  // namespace weft
