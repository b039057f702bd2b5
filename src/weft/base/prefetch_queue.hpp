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
  void add(Rows rows) {
    if (!has_room()) return;
    const auto first = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(rows.first));
    // Rows that begin within a cache line may end in one more.
    if ((first | rows.stride) % line != 0) rows.bytes += line - 1;
    all_[rows_++] = rows;
  }

  bool is_asked_for() const { return at_ == rows_; }
  /// Asks for the next `lines` cache lines.
  void ask(std::int64_t lines) {
    for (; lines > 0 && !is_asked_for(); --lines) {
      Rows& rows = all_[at_];
#if defined(__GNUC__)
      constexpr int reads = 0, second_level = 2;
      __builtin_prefetch(rows.first + offset_, reads, second_level);
#endif
      offset_ += line;
      if (offset_ < rows.bytes) continue;
      offset_ = 0;
      rows.first += rows.stride;
      if (--rows.count == 0) ++at_;
    }
  }

 private:
  static constexpr std::size_t capacity = 32;
  static constexpr std::int64_t line = 64;
  std::array<Rows, capacity> all_{};
  std::size_t rows_ = 0, at_ = 0;
  std::int64_t offset_ = 0;
};

}  // namespace weft
