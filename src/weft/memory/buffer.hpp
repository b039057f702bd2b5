// memory/buffer: owned, zeroed, aligned memory for fields and workspace.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft {

/// Owner of `bytes` zeroed bytes, aligned to a cache line at least. Large buffers are aligned to
/// huge pages and ask for them: fields are walked with large strides, and translating addresses
/// then costs as much as moving data.
class Buffer {
 public:
  Buffer() = default;
  /// Zeroed by so many threads. Error::system, with the size, if there is not that much memory.
  explicit Buffer(std::int64_t bytes, int threads = 1);
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;
  ~Buffer();

  std::byte* data() const { return data_; }
  std::int64_t bytes() const { return bytes_; }

 private:
  std::byte* data_ = nullptr;
  std::int64_t bytes_ = 0;
};

}  // namespace weft
