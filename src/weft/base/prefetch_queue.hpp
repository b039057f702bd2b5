// base/prefetch_queue: memory that a thread will load next, requested while it computes.
// Keeps: nothing is read, only prefetched, so that any address is valid.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace weft {

/// Rows of memory that a thread will load next. The code that computes issues a few prefetches at a
/// time, so that loads overlap with transforms. The hardware prefetcher does not know which tile
/// follows, and misses rows that are far apart; issuing all prefetches at once would take as long
/// as loading the rows. Aligned so that the queues of two threads share no cache line.
class alignas(128) PrefetchQueue {
 public:
  /// `count` rows of `bytes` each; a row starts `stride` bytes after the one before it.
  struct Rows {
    const std::byte* first = nullptr;
    std::int64_t count = 0, stride = 0, bytes = 0;
  };

  void clear() {
    size_ = at_ = 0;
    offset_ = 0;
  }
  bool has_room() const { return size_ < capacity; }
  /// Ignores `rows` when the queue is full, or if there is nothing in them.
  void add(Rows rows) {
    if (!has_room() || rows.count <= 0 || rows.bytes <= 0) return;
    const auto first = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(rows.first));
    // A row that starts inside a cache line may end in one more line than its bytes fill.
    if ((first | rows.stride) % line_bytes != 0) rows.bytes += line_bytes - 1;
    rows_[size_++] = rows;
  }

  /// Whether every cache line of the rows has been prefetched.
  bool empty() const { return at_ == size_; }
  /// Prefetches the next `lines` cache lines into the level-2 cache.
  void prefetch(std::int64_t lines) {
    if (!empty()) [[unlikely]]  // so that the arithmetic keeps its registers
      prefetch_some(lines);
  }

 private:
  void prefetch_some(std::int64_t lines) {
    while (lines > 0 && !empty()) {
      Rows& rows = rows_[at_];
      const std::int64_t end = std::min(offset_ + lines * line_bytes, rows.bytes);
      std::int64_t offset = offset_;
      for (; offset < end; offset += line_bytes) prefetch_line(rows.first + offset);
      lines -= (offset - offset_) / line_bytes;
      offset_ = offset;
      if (offset < rows.bytes) return;
      offset_ = 0;
      rows.first += rows.stride;
      if (--rows.count == 0) ++at_;
    }
  }

  static constexpr std::size_t capacity = 32;  // entries; a choice: 768 bytes of the level-1 cache
  static constexpr std::int64_t line_bytes = 64;
  static void prefetch_line([[maybe_unused]] const std::byte* line) {
#if defined(__GNUC__)
    constexpr int for_reading = 0, into_level_2 = 2;
    __builtin_prefetch(line, for_reading, into_level_2);
#endif
  }
  std::array<Rows, capacity> rows_{};
  std::size_t size_ = 0, at_ = 0;
  std::int64_t offset_ = 0;
};

}  // namespace weft
