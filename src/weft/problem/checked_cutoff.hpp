// problem/checked_cutoff: checks the cut-off of a problem, and says it in words.
// Pure.
#pragma once

#include <array>
#include <string>

#include "weft/problem.hpp"

namespace weft {

/// A vector of finite numbers that are not all zero, as scale * length * direction: whatever its
/// unit, the length is from 1 to the root of 3 and the direction has length 1.
struct ScaledVector {
  explicit ScaledVector(const std::array<double, 3>& vector);
  double scale = 0, length = 0;
  std::array<double, 3> direction;
};

/// Error::invalid or Error::unsupported if the problem, whose axes, bases, modes and support are
/// checked already, cannot have its cut-off.
void check_cutoff(const Problem& problem);

/// " cutoff 24 columns 0", or " cutoff waves of each rank" with a number that tells gathered lists
/// from others; nothing without a cut-off.
std::string to_string(const Cutoff& cutoff);

}  // namespace weft
