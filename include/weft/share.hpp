// weft/share: which part of a field a rank has, and where it lies in memory.
// Floor: grid.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/box.hpp"
#include "weft/cutoff.hpp"
#include "weft/layout.hpp"
#include "weft/scalar.hpp"
#include "weft/storage.hpp"

namespace weft {

/// Where the boxes of a field lie in a rank's array, box by box.
struct UserArray {
  std::vector<Layout> layouts;        ///< the layout of every box
  std::vector<std::int64_t> offsets;  ///< the element of every box's first point
  std::int64_t field_stride = 0;      ///< elements from one field of a batch to the next
  std::int64_t elements = 0;          ///< those of all fields; -1: more than 64 bits can count

  /// The boxes of `batch` fields, laid out as `storage` says. Rows take at least `room_of_row`
  /// elements: r2c in place needs a little room at the end of its real rows. Error::invalid for a
  /// storage with another number of axes, for no fields, or for more elements than 64 bits count.
  static UserArray of(const std::vector<Box>& boxes, const Storage& storage, std::int64_t batch,
                      std::int64_t room_of_row = 0);

  /// One box whose neighbours along axis a are strides[a] elements apart, from element 0 on. Fields
  /// of a batch are `field_stride` apart; 0: they follow each other. Throws nothing, as one rank
  /// may make it: what is wrong with it, a plan says on all ranks.
  static UserArray strided(const Box& box, const Dims& strides, std::int64_t batch = 1,
                           std::int64_t field_stride = 0);

  friend bool operator==(const UserArray&, const UserArray&) = default;
};

/// One side of a plan on this rank: which boxes of the global grid, and where they lie in memory.
/// Fields of a batch follow each other, array.field_stride elements apart; a field's boxes follow
/// each other, the last axis contiguous, unless the problem's Storage says otherwise.
struct Share {
  std::vector<Box> boxes;     ///< 0-based, half-open; on the grid of this side's extents
  UserArray array;            ///< where they lie
  Scalar scalar;              ///< the type of the elements
  Extents extents;            ///< points per axis of the whole grid
  std::int64_t elements = 0;  ///< elements of an array for it; in place, for either side
  std::int64_t fields = 1;    ///< the number of fields in the batch
  Waves waves;                ///< with a cut-off, instead of boxes: the wave of each element

  friend bool operator==(const Share&, const Share&) = default;
};

/// Error::invalid, with both names, unless the elements of the share are of this type.
void require_type(const Share& share, Scalar type);

/// Error::invalid unless all points of `batch` fields lie in the array, no two on one element.
void require_apart(const std::vector<Box>& boxes, const UserArray& array, std::int64_t batch);

/// Error::unsupported for waves, and unless the points along the last axis are contiguous in all
/// boxes.
void require_rows(const Share& share);

}  // namespace weft
