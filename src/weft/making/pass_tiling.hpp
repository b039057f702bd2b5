// making/pass_tiling: how passes are cut into tiles and blocks, so that these fit the caches.
// Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/grid/blocks.hpp"
#include "weft/making/step_list.hpp"
#include "weft/program/pass_spec.hpp"

namespace weft {

/// Asks nothing but the steps and the caches of the machine, so all ranks have the same answers.
class PassTiling {
 public:
  /// `steps` must outlive it.
  explicit PassTiling(const StepList& steps) : steps_(steps) {}

  /// Whether so many bytes of a rank exceed half of its part of the shared caches: passes then
  /// bypass them, which would not hold the data until they are read again, and prefetch, as what
  /// they load is not there, either.
  bool exceeds_caches(double bytes) const;
  /// Limits of the size of a pass's tiles, so that a tile fits the cache.
  TileLimits limits(std::size_t pass) const;
  /// Positions, for each axis, that tiles of a rank must not cross: the bounds of the messages that
  /// they store to, and of the parts that exchanges are cut into.
  std::vector<std::vector<std::int64_t>> cuts(int rank, std::size_t pass) const;
  /// The blocks of each of a rank's boxes, if the passes from `first` to `last` are run block by
  /// block. Nothing if a block would not stay in the cache, there are too few for the threads, or
  /// devices transform.
  std::optional<std::vector<Blocks>> blocks(int rank, std::size_t first, std::size_t last) const;

 private:
  int run_axis(std::size_t pass) const;
  double bytes_of_a_rank(std::size_t pass) const;
  std::int64_t run_bytes(std::size_t pass) const;

  const StepList& steps_;
};

}  // namespace weft
