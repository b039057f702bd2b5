// weft/allocator: memory for arrays of the application's, as weft's own arrays have it.
// Floor: memory.
#pragma once

#include <cstddef>
#include <limits>
#include <new>

namespace weft {

/// Memory of `bytes` bytes, whose contents are not defined: aligned to a cache line (64 bytes), and
/// from half a MiB on to huge pages (2 MiB), for which the system is asked. Not null, also for 0
/// bytes. Not collective, and without MPI. std::bad_alloc if there is not so much.
void* allocate_bytes(std::size_t bytes);
/// Frees memory of allocate_bytes; does nothing with null.
void free_bytes(void* memory) noexcept;

/// The same memory for containers of the standard library. A plan takes such arrays as it takes any
/// of the application's: see Options::arrays.
///
///     std::vector<double, weft::Allocator<double>> u(plan.input().elements);
///     plan.forward(u, v);
template <class T>
class Allocator {
 public:
  using value_type = T;  ///< as containers ask for it

  /// There is nothing to say about one.
  Allocator() = default;
  /// All allocators are equal, whatever their types: one frees what another has allocated.
  template <class U>
  constexpr Allocator(const Allocator<U>&) noexcept {}  // NOLINT: containers convert them

  /// Memory of `count` elements, which are not constructed. std::bad_array_new_length if their
  /// bytes are more than a number holds, and std::bad_alloc if there is not so much memory.
  [[nodiscard]] T* allocate(std::size_t count) {
    static_assert(alignof(T) <= 64, "the memory is aligned to 64 bytes");
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T))
      throw std::bad_array_new_length();
    return static_cast<T*>(allocate_bytes(count * sizeof(T)));
  }
  /// Frees memory of allocate.
  void deallocate(T* memory, std::size_t) noexcept { free_bytes(memory); }

  template <class U>
  friend bool operator==(const Allocator&, const Allocator<U>&) noexcept {
    return true;
  }
};

}  // namespace weft
