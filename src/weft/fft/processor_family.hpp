// fft/processor_family: the processors that rules know, one row each. Plans by estimate take the
// rules as they are, and plans that measure begin their trials with them.
#pragma once

#include <vector>

namespace weft {

/// What rules take from the processor.
struct ProcessorFamily {
  const char* name;
  bool (*is_here)();
  /// The bits of the vectors that columns are transformed with: the widest that the processor has,
  /// also where it computes on half of one at a time (Zen 4; docs/lab, "Butterflies in one loop").
  /// 0 where it was not measured whether lanes are faster than FFTW.
  int lane_bits;
  /// Whether transforms of what the caches hold are faster from and to arrays than through copies
  /// (docs/lab, "Transforms without copies").
  bool goes_without_copies;
};

/// All of them; the first that is here counts, and the last always is.
const std::vector<ProcessorFamily>& processor_families();
const ProcessorFamily& processor_family();

/// Whether this processor has the instructions of AVX-512, or of AVX2 with fused multiplication and
/// addition, that lanes are compiled for.
bool has_avx512();
bool has_avx2();
/// Whether this processor is one of Intel's, for which oneMKL has code of its own.
bool is_intel();

/// For tests: lets this processor have no more of these instructions from now on; avx512 ends that.
enum class VectorSet { baseline, avx2, avx512 };
void pretend_at_most(VectorSet most);

}  // namespace weft
