// memory/huge_pages: asks for huge pages for large arrays of the application's.
// Keeps: only whole huge pages inside an array are touched, and no byte of it changes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace weft {

/// Remembers the arrays that runs were given. Large fields are walked over with large strides,
/// where address translation in small pages costs as much as moving the data.
class HugePages {
 public:
  /// Called for each array of a run. When an array is first seen, its pages may become huge when
  /// they are first touched; when it has been seen 32 times, those that exist are made huge, which
  /// moves them once. Arrays of less than 4 MiB stay as they are, and so does everything where the
  /// system never has huge pages. Allocates nothing.
  void ask(std::byte* data, std::int64_t bytes);

 private:
  struct Seen {
    const std::byte* data = nullptr;
    std::int64_t bytes = 0;
    int runs = 0;
  };
  Seen& seen(const std::byte* data, std::int64_t bytes);

  std::array<Seen, 8> seen_;
  std::size_t next_ = 0;  // the entry that the next new array replaces
};

}  // namespace weft
