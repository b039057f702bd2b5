// memory/buffer: allocates and zeroes memory.

#include "weft/memory/buffer.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "weft/base/ensure.hpp"
#include "weft/base/pages.hpp"

namespace weft {

namespace {
constexpr std::int64_t cache_line = 64;

// The threads touch huge pages in turn. They later walk through a field together, so the pages that
// are used at one time should be distributed over the memories of all of them.
void zero(std::byte* data, std::size_t bytes, int threads) {
  const auto page = static_cast<std::size_t>(huge_page_bytes);
  if (threads == 1 || bytes < 2 * page) {
    std::memset(data, 0, bytes);
    return;
  }
#pragma omp parallel for schedule(static, 1) num_threads(threads)
  for (std::size_t at = 0; at < bytes; at += page)
    std::memset(data + at, 0, std::min(page, bytes - at));
}
}  // namespace

Buffer::Buffer(std::int64_t bytes, int threads) : bytes_(bytes) {
  if (bytes == 0) return;
  const std::int64_t alignment = bytes >= huge_page_bytes / 4 ? huge_page_bytes : cache_line;
  const auto rounded = static_cast<std::size_t>((bytes + alignment - 1) / alignment * alignment);
  data_ = static_cast<std::byte*>(std::aligned_alloc(static_cast<std::size_t>(alignment), rounded));
  if (data_ == nullptr)
    throw Error(Error::system, fmt::format("cannot allocate {} bytes", bytes),
                "use more ranks, or nodes with more memory");
  if (alignment == huge_page_bytes)
    madvise(data_, rounded, MADV_HUGEPAGE);  // a hint; failure is harmless
  zero(data_, rounded, threads);
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

}  // namespace weft
