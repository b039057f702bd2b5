// base/ahead: memory that will be read soon, on its way to the cache while something else is
// computed. Keeps: reads nothing, so any address will do.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace weft {

/// Rows that a thread will load next. Whoever computes asks for some of them now and then: so loads
/// run beside transforms. The processor does not see for itself what comes after a tile, nor rows
/// that lie apart; and to ask for everything at once would be to load it.
class alignas(128) Ahead {
 public:
  /// `count` rows of `bytes`, `stride` bytes apart.
  struct Rows {
    const std::byte* first = nullptr;
    std::int64_t count = 0, stride = 0, bytes = 0;
  };

  void clear() {
    rows_ = at_ = 0;
    offset_ = 0;
  }
  bool has_room() const { return rows_ < capacity; }
  /// What there is no room for is not asked for.
  void add(const Rows& rows) {
    if (has_room()) all_[rows_++] = rows;
  }

  bool is_asked_for() const { return at_ == rows_; }
  /// Asks for the next two cache lines: what a transform of eight points wants asked for, so that a
  /// tile of columns in two or three stages asks for the next one meanwhile.
  void ask() {
    if (is_asked_for()) return;
    Rows& rows = all_[at_];
    const std::byte* const next = rows.first + offset_;
#if defined(__GNUC__)
    constexpr int reads = 0, second_level = 2;
    __builtin_prefetch(next, reads, second_level);
    __builtin_prefetch(next + line, reads, second_level);
#endif
    offset_ += 2 * line;
    if (offset_ < rows.bytes) return;
    offset_ = 0;
    rows.first += rows.stride;
    if (--rows.count == 0) ++at_;
  }

 private:
  static constexpr std::size_t capacity = 32;
  static constexpr std::int64_t line = 64;
  std::array<Rows, capacity> all_{};
  std::size_t rows_ = 0, at_ = 0;
  std::int64_t offset_ = 0;
};

}  // namespace weft
