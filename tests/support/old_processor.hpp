// support/old_processor: ranks with different processors.
#pragma once

#include "support/world.hpp"
#include "weft/fft/processor_family.hpp"

namespace weft::test {

/// The last rank has no lanes of more than 128 bits while this exists.
struct OneOldProcessor {
  OneOldProcessor() {
    if (rank_of_world() + 1 == ranks_of_world()) pretend_at_most(VectorSet::baseline);
  }
  ~OneOldProcessor() { pretend_at_most(VectorSet::avx512); }
};

}  // namespace weft::test
