// memory/buffer: allocates and zeroes memory, of weft's own and for users.

#include "weft/memory/buffer.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <span>
#include <utility>

#include "weft/allocator.hpp"
#include "weft/base/ensure.hpp"
#include "weft/base/pages.hpp"

namespace weft {

namespace {
constexpr std::size_t cache_line = 64, huge_page = huge_page_bytes;

// At least `bytes` bytes, as many as what they are aligned to has; none if there is not so much.
std::span<std::byte> aligned_memory(std::size_t bytes) {
  const std::size_t alignment = bytes >= huge_page / 4 ? huge_page : cache_line;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  if (rounded < bytes) return {};
  auto* data = static_cast<std::byte*>(std::aligned_alloc(alignment, rounded));
  if (data == nullptr) return {};
  if (alignment == huge_page) madvise(data, rounded, MADV_HUGEPAGE);  // a hint; failure is harmless
  return {data, rounded};
}

// The threads touch huge pages in turn. They later walk through a field together, so the pages that
// are used at one time should be distributed over the memories of all of them.
void zero(std::span<std::byte> memory, int threads) {
  std::byte* const data = memory.data();
  const std::size_t bytes = memory.size();
  if (threads == 1 || bytes < 2 * huge_page) {
    std::memset(data, 0, bytes);
    return;
  }
#pragma omp parallel for schedule(static, 1) num_threads(threads)
  for (std::size_t at = 0; at < bytes; at += huge_page)
    std::memset(data + at, 0, std::min(huge_page, bytes - at));
}

}  // namespace

Buffer::Buffer(std::int64_t bytes, int threads) : bytes_(bytes) {
  if (bytes == 0) return;
  const std::span<std::byte> memory = aligned_memory(static_cast<std::size_t>(bytes));
  if (memory.empty())
    throw Error(Error::system, fmt::format("cannot allocate {} bytes", bytes),
                "use more ranks, or nodes with more memory");
  data_ = memory.data();
  zero(memory, threads);
}

Buffer::Buffer(Buffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  if (this != &other) {
    std::free(data_);
    data_ = std::exchange(other.data_, nullptr);
    bytes_ = std::exchange(other.bytes_, 0);
  }
  return *this;
}

Buffer::~Buffer() { std::free(data_); }

void* allocate_bytes(std::size_t bytes) {
  const std::span<std::byte> memory = aligned_memory(std::max<std::size_t>(bytes, 1));
  if (memory.empty()) throw std::bad_alloc();
  return memory.data();
}
void free_bytes(void* memory) noexcept { std::free(memory); }

}  // namespace weft
