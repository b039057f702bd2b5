// weft/source: what a run reads, its source, and what it writes, its target: a field, a vector, a
// span or a pointer.
// Floor: plan.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <type_traits>

#include "weft/field_memory.hpp"
#include "weft/given_array.hpp"

namespace weft {

template <class T>
class Field;

/// What a run writes, of elements known at run time. weft::Target is the same with a type known at
/// compile time.
class AnyTarget : public GivenArray {
 public:
  /// An array of enough elements, laid out as the plan says.
  AnyTarget(void* array)  // NOLINT: a pointer is a target
      : GivenArray{static_cast<std::byte*>(array)} {}
  /// Elements laid out as the plan says; a run checks that there are enough of them.
  template <class T>
  requires(!std::is_const_v<T>) AnyTarget(std::span<T> all)  // NOLINT: a span is a target
      : AnyTarget(static_cast<void*>(all.data())) {
    set_elements(all);
  }
  /// A field that holds what the plan makes, or takes.
  AnyTarget(FieldMemory& field)  // NOLINT: a field is a target
      : AnyTarget(static_cast<void*>(field.memory().get())) {
    field_share = &field.share();
  }
};

/// What a run reads, of elements known at run time. weft::Source is the same with a type known at
/// compile time.
class AnySource : public GivenArray {
 public:
  /// An array of enough elements, laid out as the plan says.
  AnySource(const void* array)  // NOLINT: a pointer is a source
      : GivenArray{static_cast<std::byte*>(const_cast<void*>(array))} {}
  /// Elements laid out as the plan says; a run checks that there are enough of them.
  template <class T>
  AnySource(std::span<T> all)  // NOLINT: a span is a source
      : AnySource(static_cast<const void*>(all.data())) {
    set_elements(all);
  }
  /// A field that holds what the plan takes, or makes.
  AnySource(const FieldMemory& field)  // NOLINT: a field is a source
      : AnySource(static_cast<const void*>(field.memory().get())) {
    field_share = &field.share();
  }
  /// An array that the run also writes.
  AnySource(const AnyTarget& target) : GivenArray(target) {}  // NOLINT: a target can be read
};

/// A vector, a span or another range of which a std::span<T> can be made. The range must not be a
/// temporary that owns its elements, as these would be gone before the run has ended.
template <class Range, class T>
concept GivesElements =
    std::ranges::borrowed_range<Range> && std::convertible_to<Range, std::span<T>>;

/// What a run reads: a Field<T>, a std::vector<T>, a std::span<const T>, or a pointer to T. A run
/// checks that a vector or a span has enough elements, and that a field holds the boxes of the plan
/// in its layout; the errors are those of AnyPlan::start_forward.
template <class T>
class Source : public AnySource {
 public:
  /// A field that holds what the plan takes, or makes.
  Source(const Field<T>& field) : AnySource(field) {}  // NOLINT: a field is a source
  /// An array of enough elements, laid out as the plan says.
  Source(const T* array) : AnySource(array) {}  // NOLINT: a pointer is a source
  /// Elements laid out as the plan says.
  template <GivesElements<const T> Range>
  Source(Range&& all)  // NOLINT: a vector is a source
      : AnySource(std::span<const T>(all)) {}
};

/// What a run writes: a Field<T>, a std::vector<T>, a std::span<T>, or a pointer to T. A run checks
/// it as it checks a Source.
template <class T>
class Target : public AnyTarget {
 public:
  /// A field, an array, or elements, as of a Source.
  Target(Field<T>& field) : AnyTarget(field) {}  // NOLINT: a field is a target
  Target(T* array) : AnyTarget(array) {}         // NOLINT: a pointer is a target
  template <GivesElements<T> Range>
  Target(Range&& all)  // NOLINT: a vector is a target
      : AnyTarget(std::span<T>(all)) {}
};

}  // namespace weft
