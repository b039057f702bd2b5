// fft/lanes/lanes_avx512vl: lanes of 256 bits, with AVX-512's 32 registers.

#define WEFT_LANES lanes_avx512vl
#define WEFT_LANES_BYTES 32
#define WEFT_LANES_MASKS 512
#define WEFT_LANES_TARGET "avx512f,avx512vl,avx512dq,fma,avx2"
#define WEFT_LANES_WIDTH "prefer-vector-width=256"
#include "weft/fft/lanes/lanes_x86.hpp"
