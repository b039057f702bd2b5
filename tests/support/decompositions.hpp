// support/decompositions: random decompositions of every kind, the transfers between two of them,
// and loops over indices.
#pragma once

#include "support/dice.hpp"
#include "weft/grid/cutting.hpp"
#include "weft/grid/decomposition.hpp"
#include "weft/grid/redistribution.hpp"

namespace weft::test {

template <class Visit>
void for_each_index(const Box& box, const Visit& visit) {
  Dims at = box.lo;
  for (std::int64_t left = box.volume(); left > 0; --left) {
    visit(at);
    for (int a = box.axes() - 1; a >= 0; --a) {
      if (++at[a] < box.hi[a]) break;
      at[a] = box.lo[a];
    }
  }
}

inline std::size_t flat(const Extents& extents, const Dims& at) {
  std::int64_t offset = 0;
  for (int a = 0; a < extents.size(); ++a) offset = offset * extents[a] + at[a];
  return static_cast<std::size_t>(offset);
}

/// With a piece for every rank, fewer, or any number of pieces on any ranks.
inline Decomposition random_grid(Dice& dice, const Extents& extents, int ranks) {
  const bool is_placed = dice.chance(40);
  const auto pieces = is_placed         ? dice.between(1, 2 * ranks)
                      : dice.chance(30) ? dice.between(1, ranks)
                                        : ranks;
  std::vector<int> owners;
  for (std::int64_t piece = 0; is_placed && piece < pieces; ++piece)
    owners.push_back(static_cast<int>(dice.between(0, ranks - 1)));
  const Dims parts = dice.pick(factorizations(pieces, extents.size()));
  return Decomposition::on_grid(extents, ProcessGrid::placed(parts, owners), ranks);
}

inline Decomposition random_decomposition(Dice& dice, const Extents& extents, int ranks) {
  if (dice.chance(50)) return random_grid(dice, extents, ranks);
  return Decomposition::of_boxes(extents, random_tiling(dice, extents, ranks), "random");
}

inline Cutting random_cutting(Dice& dice, const Extents& extents) {
  const auto axis = [&] { return static_cast<int>(dice.between(0, extents.size() - 1)); };
  const auto parts = [&] { return static_cast<int>(dice.between(1, 4)); };
  const int source_axis = axis(), source_parts = parts(), target_axis = axis();
  return {source_axis, source_parts, target_axis, parts()};
}

/// Between two random decompositions of a random grid over 1 to 12 ranks.
inline Redistribution random_redistribution(std::uint64_t seed, bool is_cut) {
  Dice dice(seed);
  const int ranks = static_cast<int>(dice.between(1, 12));
  const Extents extents = random_extents(dice, 2000);
  const Decomposition from = random_decomposition(dice, extents, ranks);
  const Decomposition to = random_decomposition(dice, extents, ranks);
  return {from, to, is_cut ? random_cutting(dice, extents) : Cutting{}};
}

inline std::vector<Transfer> with_peer(const std::vector<Transfer>& transfers, int peer) {
  std::vector<Transfer> some;
  for (const auto& transfer : transfers)
    if (transfer.peer == peer) some.push_back(transfer);
  return some;
}

}  // namespace weft::test
