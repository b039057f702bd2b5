// support/whole_here: what oneMKL can transform as a whole in this build.
#pragma once

#include <string>

#include "weft/fft/engine.hpp"
#include "weft/planning/other_walks.hpp"

namespace weft::test {

/// The threads with which oneMKL transforms several axes at once, up to two; 0 without oneMKL.
inline int threads_of_whole() {
  for (const EngineEntry& entry : engines()) {
    if (entry.name != "mkl" || entry.applies()) continue;
    Lines plane;
    plane.n = 4;
    plane.more_axes = {{4, 4, 4}};
    return entry.make()->make_whole(plane, /*is_in_place=*/false, 2) != nullptr ? 2 : 1;
  }
  return 0;
}

/// A strategy's passes between two exchanges as one transform of oneMKL.
inline std::string whole(const std::string& strategy) {
  return to_string(with_whole_passes(parse_strategy(strategy), "mkl"));
}

}  // namespace weft::test
