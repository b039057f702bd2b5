// support/dice: random choices, extents and tilings from a seed, the same on every machine.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "weft/grid/box_algebra.hpp"

namespace weft::test {

/// A source of random choices; the same on every rank and machine for the same seed.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  /// lo <= value <= hi
  std::int64_t between(std::int64_t lo, std::int64_t hi) {
    return lo + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(hi - lo + 1));
  }
  bool chance(int percent) { return between(1, 100) <= percent; }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(from.size()) - 1))];
  }
  template <class T>
  void shuffle(std::vector<T>& list) {
    for (std::size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1],
                list[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(i) - 1))]);
  }

 private:
  std::mt19937_64 engine_;
};

/// The grid cut again and again into random boxes, dealt to random ranks: several for some, none
/// for others.
inline std::vector<std::vector<Box>> random_tiling(Dice& dice, const Extents& extents, int ranks) {
  std::vector<Box> boxes{Box::whole(extents)};
  const std::int64_t wanted = dice.between(1, 2 * ranks);
  for (int tries = 0; tries < 50 && static_cast<std::int64_t>(boxes.size()) < wanted; ++tries) {
    Box& box = boxes[static_cast<std::size_t>(
        dice.between(0, static_cast<std::int64_t>(boxes.size()) - 1))];
    const int axis = static_cast<int>(dice.between(0, extents.size() - 1));
    if (box.extent(axis) < 2) continue;
    const std::int64_t cut = dice.between(box.lo[axis] + 1, box.hi[axis] - 1);
    Box upper = box;
    box.hi[axis] = cut;
    upper.lo[axis] = cut;
    boxes.push_back(upper);
  }
  std::vector<std::vector<Box>> owned(static_cast<std::size_t>(ranks));
  for (const Box& box : boxes)
    owned[static_cast<std::size_t>(dice.between(0, ranks - 1))].push_back(box);
  return owned;
}

inline Extents random_extents(Dice& dice, std::int64_t most_points) {
  const int axes = static_cast<int>(dice.between(1, 8));
  Extents extents;
  std::int64_t room = most_points;
  for (int a = 0; a < axes; ++a) {
    const std::int64_t most = std::max<std::int64_t>(
        1, a + 1 == axes ? std::min<std::int64_t>(room, 1200)
                         : static_cast<std::int64_t>(std::pow(static_cast<double>(room), 0.5)));
    const std::int64_t n = dice.chance(15) ? 1 : dice.between(1, most);
    extents.push_back(n);
    room /= n;
  }
  std::vector<std::int64_t> shuffled(extents.begin(), extents.end());
  dice.shuffle(shuffled);
  std::copy(shuffled.begin(), shuffled.end(), extents.begin());
  return extents;
}

}  // namespace weft::test
