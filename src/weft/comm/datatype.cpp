// comm/datatype: builds datatypes from parts whose counts fit an int.

#include "weft/comm/datatype.hpp"

#include <limits>
#include <utility>

#include "weft/comm/communicator.hpp"

namespace weft {

namespace {

constexpr std::int64_t most = std::numeric_limits<int>::max();

// An intermediate type, freed when the type that is built from it exists.
struct Building {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  bool owned = true;

  explicit Building(MPI_Datatype built, bool owns = true) : type(built), owned(owns) {}
  Building(const Building&) = delete;
  Building& operator=(const Building&) = delete;
  ~Building() {
    if (owned && type != MPI_DATATYPE_NULL) MPI_Type_free(&type);
  }
};

// `count` copies of `element`, `stride_bytes` apart; nested types where `count` exceeds an int.
MPI_Datatype repeated(MPI_Datatype element, std::int64_t count, MPI_Aint stride_bytes) {
  const auto copies = [&](MPI_Datatype of, std::int64_t n, MPI_Aint stride) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Aint lowest = 0, extent = 0;
    check_mpi(MPI_Type_get_extent(of, &lowest, &extent), "MPI_Type_get_extent");
    if (stride == extent)
      check_mpi(MPI_Type_contiguous(narrow(n), of, &type), "MPI_Type_contiguous");
    else
      check_mpi(MPI_Type_create_hvector(narrow(n), 1, stride, of, &type),
                "MPI_Type_create_hvector");
    return type;
  };
  if (count <= most) return copies(element, count, stride_bytes);
  const std::int64_t block = std::int64_t{1} << 30, blocks = count / block, rest = count % block;
  Building one{copies(element, block, stride_bytes)};
  Building many{copies(one.type, blocks, static_cast<MPI_Aint>(block) * stride_bytes)};
  Building tail{copies(element, rest, stride_bytes)};
  int lengths[] = {1, 1};
  MPI_Aint displacements[] = {0, static_cast<MPI_Aint>(blocks * block) * stride_bytes};
  MPI_Datatype types[] = {many.type, tail.type};
  MPI_Datatype type = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_create_struct(2, lengths, displacements, types, &type),
            "MPI_Type_create_struct");
  return type;
}

}  // namespace

Datatype::Datatype(MPI_Datatype uncommitted) : type_(uncommitted) {
  check_mpi(MPI_Type_commit(&type_), "MPI_Type_commit");
}
Datatype::Datatype(Datatype&& other) noexcept
    : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}
Datatype& Datatype::operator=(Datatype&& other) noexcept {
  if (this != &other) {
    free();
    type_ = std::exchange(other.type_, MPI_DATATYPE_NULL);
  }
  return *this;
}
Datatype::~Datatype() { free(); }

void Datatype::free() {
  if (type_ != MPI_DATATYPE_NULL && mpi_is_running()) MPI_Type_free(&type_);
  type_ = MPI_DATATYPE_NULL;
}

MPI_Datatype carrier(std::int64_t bytes) {
  switch (bytes) {
    case 1:
      return MPI_BYTE;
    case 4:
      return MPI_FLOAT;
    case 8:
      return MPI_DOUBLE;
    case 16:
      return MPI_C_DOUBLE_COMPLEX;
    default:
      ensure(false, bytes);
      return MPI_BYTE;
  }
}

Datatype run_type(MPI_Datatype element, std::int64_t count) {
  MPI_Aint lowest = 0, extent = 0;
  check_mpi(MPI_Type_get_extent(element, &lowest, &extent), "MPI_Type_get_extent");
  return Datatype(repeated(element, count, extent));
}

Datatype box_type(std::int64_t element_bytes, const Dims& extents, const Dims& strides) {
  Building type{carrier(element_bytes), false};
  for (int axis = extents.size() - 1; axis >= 0; --axis) {
    if (extents[axis] == 1) continue;
    Building longer{
        repeated(type.type, extents[axis], static_cast<MPI_Aint>(strides[axis] * element_bytes))};
    std::swap(type.type, longer.type);
    std::swap(type.owned, longer.owned);
  }
  if (!type.owned) return run_type(type.type, 1);
  return Datatype(std::exchange(type.type, MPI_DATATYPE_NULL));
}

Datatype struct_type(const std::vector<MPI_Aint>& displacements,
                     const std::vector<MPI_Datatype>& types) {
  const std::vector<int> lengths(types.size(), 1);
  MPI_Datatype type = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_create_struct(narrow(static_cast<std::int64_t>(types.size())), lengths.data(),
                                   displacements.data(), types.data(), &type),
            "MPI_Type_create_struct");
  return Datatype(type);
}

}  // namespace weft
