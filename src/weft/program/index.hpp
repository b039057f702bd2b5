// program/index: numbers of tasks, steps and buffers as indices of vectors.
#pragma once

#include <cstddef>

namespace weft {

/// A number that is known not to be negative, as an index.
constexpr std::size_t at(int number) { return static_cast<std::size_t>(number); }

}  // namespace weft
