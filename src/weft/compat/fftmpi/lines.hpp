// compat/fftmpi/lines: the one-dimensional transforms of one process, for programs that time them
// alone.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weft/any_plan.hpp"

namespace weft::bricks {

/// Contiguous lines of several lengths, one kind after another, transformed where they are.
class Lines {
 public:
  /// As many lines of a length as there are.
  struct Kind {
    std::int64_t length, count;
  };

  /// Plans for this process alone, with so many threads. Error as of AnyPlan.
  Lines(const std::vector<Kind>& kinds, Precision precision, int threads);

  /// Transforms the first lines of every kind, forward or back without a factor, and those of the
  /// last kind by `scale`.
  void transform(void* array, bool is_forward, double scale = 1);

 private:
  std::vector<std::unique_ptr<AnyPlan>> plans_;
};

}  // namespace weft::bricks
