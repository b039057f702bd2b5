// AlignedAllocator.h: memory for containers that is aligned to N bytes.
#ifndef WEFT_SWFFT_ALIGNED_ALLOCATOR_H
#define WEFT_SWFFT_ALIGNED_ALLOCATOR_H

#include <stdlib.h>

#include <cstddef>
#include <new>

namespace hacc {

template <typename T, std::size_t N>
class AlignedAllocator {
 public:
  typedef T value_type;
  template <typename U>
  struct rebind {
    typedef AlignedAllocator<U, N> other;
  };
  AlignedAllocator() {}
  template <typename U>
  AlignedAllocator(const AlignedAllocator<U, N>&) {}
  T* allocate(std::size_t n) {
    void* memory = 0;
    if (posix_memalign(&memory, N < sizeof(void*) ? sizeof(void*) : N, n * sizeof(T)) != 0)
      throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { free(memory); }
};

template <typename T, typename U, std::size_t N>
bool operator==(const AlignedAllocator<T, N>&, const AlignedAllocator<U, N>&) {
  return true;
}
template <typename T, typename U, std::size_t N>
bool operator!=(const AlignedAllocator<T, N>&, const AlignedAllocator<U, N>&) {
  return false;
}

}  // namespace hacc

#endif
