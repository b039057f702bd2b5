// fft/lanes/lanes_avx2: lanes of 256 bits, with AVX2.

#define WEFT_LANES lanes_avx2
#define WEFT_LANES_BYTES 32
#define WEFT_LANES_MASKS 2
#define WEFT_LANES_TARGET "avx2,fma"
#define WEFT_LANES_WIDTH "prefer-vector-width=256"
#define WEFT_LANES_HAS_POINTS 1
#include "weft/fft/lanes/lanes_x86.hpp"
