// run/run_array: the user's array in a run, and where the ranks of the node work on it.
// Keeps: arrays that are already in shared memory are not copied, and what lies between the points
// of an array is neither read nor written, as it may belong to somebody else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "weft/memory/box_copy.hpp"
#include "weft/memory/shared_region.hpp"
#include "weft/share.hpp"

namespace weft {

/// Makes zeroed memory for a field: a SharedRegion if `shared`, else a Buffer.
std::shared_ptr<std::byte> field_memory(std::int64_t bytes, bool shared, int threads);

/// The points of one side of a plan in this rank's array.
class ArrayPoints {
 public:
  ArrayPoints() = default;
  explicit ArrayPoints(const Share& share);
  /// Copies the points, and nothing that lies between them, from one array to another one.
  void copy(const std::byte* from, std::byte* to) const;

 private:
  struct Part {
    BoxCopy box;
    std::int64_t offset;  // bytes
  };
  std::vector<Part> parts_;
  std::int64_t bytes_ = 0;  // of the whole array, if it has nothing between its points; else 0
  std::int64_t element_bytes_ = 1, fields_ = 0, field_bytes_ = 0;
};

/// Shared memory that replaces those arrays on one side of a plan that other ranks of the node
/// cannot map. It is made when it is first needed.
class StandIn {
 public:
  /// `bytes` is the size of the arrays, or 0 if no other rank works on them.
  explicit StandIn(std::int64_t bytes = 0) : planned_bytes_(bytes) {}
  /// Whether other ranks may work on the arrays.
  bool is_needed() const { return planned_bytes_ > 0; }
  /// The memory. Error::system if there is not enough of it.
  const SharedRegion& memory();
  /// Its bytes; 0 if it has not been made.
  std::int64_t bytes() const { return memory_.bytes(); }

 private:
  std::int64_t planned_bytes_;
  SharedRegion memory_;
};

/// The user's array in one run: what the run reads, or what it writes.
class RunArray {
 public:
  RunArray() = default;
  /// An array of so many bytes that has its data at these `points`, which must outlive the run. If
  /// other ranks of the node work on it, too, they do so in `stand_in`, unless a SharedRegion of
  /// this process holds the array.
  RunArray(std::byte* given, std::int64_t bytes, const ArrayPoints& points, StandIn* stand_in);

  /// What the user gave.
  std::byte* given() const { return given_; }
  std::int64_t bytes() const { return bytes_; }
  /// Whether any of these bytes belongs to it.
  bool overlaps(const void* data, std::int64_t bytes) const;

  /// Where this rank works on it.
  std::byte* data() const { return data_; }
  /// Where the other ranks of the node do, if they may.
  const std::optional<SharedRegion::Location>& shared() const { return shared_; }
  /// If the run works on a stand-in: copies the points of the array there, and back from there.
  void fill_stand_in() const;
  void take_from_stand_in() const;

 private:
  std::byte *given_ = nullptr, *data_ = nullptr;
  std::int64_t bytes_ = 0;
  const ArrayPoints* points_ = nullptr;
  std::optional<SharedRegion::Location> shared_;
};

}  // namespace weft
