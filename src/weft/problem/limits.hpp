// problem/limits: limits on the problems that weft accepts.
#pragma once

namespace weft {

/// The largest number of axes of a user's field; Dims::capacity leaves room for a batch axis and
/// for a split axis beside them.
constexpr int most_axes = 8;

}  // namespace weft
