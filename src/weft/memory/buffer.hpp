// memory/buffer: owned, zeroed, aligned memory for fields and workspace.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft {

/// Owner of `bytes` zeroed bytes, aligned at least to a cache line. Large buffers are aligned to
/// huge pages and request them: fields are walked with large strides, where address translation in
/// small pages costs as much as moving the data.
class Buffer {
 public:
  Buffer() = default;
  /// `threads` threads zero the memory. Error::system, with the size, if the allocation fails.
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
