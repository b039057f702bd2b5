// cli/verify: is a result right? A few of its points, summed directly from the definition.
// Independent of the transform: no FFT library, no exchange, long double.
#pragma once

#include "weft/comm/communicator.hpp"
#include "weft/model/problem.hpp"
#include "weft/plan/plan_body.hpp"

namespace weft::cli {

/// Largest difference between the result and the definition at a few points, one of them where the
/// result is largest; relative to its value there.
struct Verdict {
  int points = 0;
  double error = 0;
  double limit = 0;  ///< more is wrong
};

/// One side of a transform on this rank.
struct Side {
  const Share& share;
  const void* data;
};

/// Collective. `problem` as AnyPlan::problem() gives it; `backward` if `to` was made by its way
/// back.
Verdict verify(const Communicator& comm, const Problem& problem, bool backward, const Side& from,
               const Side& to);

}  // namespace weft::cli
