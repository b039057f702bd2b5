// fft/processor_family: how each is recognized.

#include "weft/fft/processor_family.hpp"

#include <algorithm>
#include <atomic>

namespace weft {

namespace {

std::atomic<VectorSet> most_vectors = VectorSet::avx512;

bool always() { return true; }

}  // namespace

const std::vector<ProcessorFamily>& processor_families() {
  static const std::vector<ProcessorFamily> all{
#ifdef __x86_64__
      {"Intel with AVX-512, AMD Zen 4 and later", has_avx512, 512, true},
      {"AMD Zen 3 and others with AVX2", has_avx2, 256, true},
#endif
#ifdef __aarch64__
      {"Arm", always, 0, false},
#endif
      {"others", always, 0, false},
  };
  return all;
}

const ProcessorFamily& processor_family() {
  const auto& all = processor_families();
  return *std::find_if(all.begin(), all.end(), [](auto& family) { return family.is_here(); });
}

#ifdef __x86_64__
bool has_avx512() {
  return most_vectors >= VectorSet::avx512 && __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
}
bool has_avx2() {
  return most_vectors >= VectorSet::avx2 && __builtin_cpu_supports("avx2") &&
         __builtin_cpu_supports("fma");
}
bool is_intel() { return __builtin_cpu_is("intel") != 0; }
#else
bool has_avx512() { return false; }
bool has_avx2() { return false; }
bool is_intel() { return false; }
#endif

void pretend_at_most(VectorSet most) { most_vectors = most; }

}  // namespace weft
