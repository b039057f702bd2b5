// proof/pair_table: a hash table from pairs of numbers to numbers.
// Keeps: a look-up takes constant time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft {

/// An open hash table from pairs of non-negative integers to integers.
class PairTable {
 public:
  /// The value of the pair. A new pair is added with `value`.
  int& insert(int first, int second, int value, bool& is_new) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    Slot& slot = find(key(first, second));
    is_new = slot.key == 0;
    if (is_new) {
      slot = {key(first, second), value};
      ++used_;
    }
    return slot.value;
  }
  /// Adds a pair. Returns whether it is new.
  bool insert(int first, int second) {
    bool is_new = false;
    insert(first, second, 0, is_new);
    return is_new;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    int value = 0;
  };
  static std::uint64_t key(int first, int second) {
    return (static_cast<std::uint64_t>(first) << 32 | static_cast<std::uint32_t>(second)) + 1;
  }
  Slot& find(std::uint64_t key) {
    // Fibonacci hashing: the high bits of the product depend on all bits of the key.
    std::size_t place = (key * 0x9E3779B97F4A7C15u) >> 32 & (slots_.size() - 1);
    while (slots_[place].key != 0 && slots_[place].key != key)
      place = (place + 1) & (slots_.size() - 1);
    return slots_[place];
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 256 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.key != 0) find(slot.key) = slot;
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

}  // namespace weft
