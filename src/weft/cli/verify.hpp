// cli/verify: compares a few points of a result with direct sums from the definition.
// Keeps: independent of the transform - no FFT library, no exchange, long double.
#pragma once

#include "weft/comm/communicator.hpp"
#include "weft/plan/plan_body.hpp"
#include "weft/problem/validated.hpp"

namespace weft::cli {

/// The largest difference between the result and the definition at a few points, one of which is
/// the point of the largest result; relative to the value at that point.
struct Verdict {
  int points = 0;
  double error = 0;
  double limit = 0;  ///< the largest error of a correct result
};

/// The input or output of a transform on this rank.
struct Side {
  const Share& share;
  const void* data;
};

/// Verifies the result `to` of transforming `from`. `problem` is AnyPlan::problem(); `backward` is
/// true if the plan was run backward. Collective.
Verdict verify(const Communicator& comm, const Problem& problem, bool backward, const Side& from,
               const Side& to);

}  // namespace weft::cli
