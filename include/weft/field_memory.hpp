// weft/field_memory: what fields of all element types have in common.
// Floor: plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "weft/memory.hpp"
#include "weft/share.hpp"

namespace weft {

class AnyPlan;
class Communicator;

/// What fields of all element types have in common: a share of the global grid, and its memory.
class FieldMemory {
 public:
  /// A field of no points, of no plan.
  FieldMemory() = default;
  /// `memory`, of this kind, laid out as `share`, which is a side of `plan`. The plan may be
  /// destroyed before the field.
  FieldMemory(const AnyPlan& plan, const Share& share, std::shared_ptr<std::byte> memory,
              Memory kind = Memory::host);

  /// Elements in the array, room between rows included.
  std::int64_t size() const { return share_.elements; }
  /// Which boxes of the global grid these are, and their layout in memory.
  const Share& share() const { return share_; }
  const std::vector<Box>& boxes() const { return share_.boxes; }
  /// The memory; it lives as long as anybody holds it.
  const std::shared_ptr<std::byte>& memory() const { return memory_; }

  /// The kind of its memory.
  Memory kind() const { return kind_; }

  /// The element of the array at which field `number` of the batch starts, for points(). For a
  /// field of no plan, which has no points, 0. Error::invalid, with the numbers, if there is no
  /// such field, or if it is in memory of a device, where the processor sees no points.
  std::int64_t start_of(std::int64_t number) const;

  /// The largest of what `mine` returns on the ranks of the plan; NaN if one of them is.
  /// Collective. What `mine` throws on a rank is thrown on all. Error::invalid for a field of no
  /// plan.
  double largest_of_ranks(const std::function<double()>& mine) const;
  /// Error::invalid, with the boxes, unless `other` has the same ones of the same grid, or the same
  /// waves.
  void require_same_boxes(const FieldMemory& other) const;

 private:
  std::shared_ptr<const Communicator> comm_;
  Share share_;
  std::shared_ptr<std::byte> memory_;
  Memory kind_ = Memory::host;
};

/// Copies all elements of a field, and what lies between them, to one that is laid out alike,
/// whatever kinds of memory they are in, and returns when they are there. Not collective.
/// Error::invalid, with the boxes, for another distribution or layout.
void copy(const FieldMemory& from, FieldMemory& to);

}  // namespace weft
