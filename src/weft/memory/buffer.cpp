// memory/buffer: allocation.

#include "weft/memory/buffer.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <utility>

#include "weft/base/error.hpp"

namespace weft {

namespace {
constexpr std::int64_t cache_line = 64;
constexpr std::int64_t huge_page = std::int64_t{1} << 21;
}  // namespace

Buffer::Buffer(std::int64_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  const std::int64_t alignment = bytes >= 2 * huge_page ? huge_page : cache_line;
  const auto rounded = static_cast<std::size_t>((bytes + alignment - 1) / alignment * alignment);
  data_ = static_cast<std::byte*>(std::aligned_alloc(static_cast<std::size_t>(alignment), rounded));
  if (data_ == nullptr)
    throw Error(Error::system, fmt::format("there is no memory for {} bytes", bytes),
                "use more ranks, or nodes with more memory");
  if (alignment == huge_page) madvise(data_, rounded, MADV_HUGEPAGE);  // a hint: may be refused
  std::memset(data_, 0, rounded);
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
