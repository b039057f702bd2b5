// run/call: what one start of a plan asks for.
#pragma once

#include "weft/given_array.hpp"

namespace weft {

/// One transform that the application starts.
struct Call {
  bool is_forward = true;
  GivenArray from, to;
  double scale = 1;  ///< by which all results are multiplied
};

}  // namespace weft
