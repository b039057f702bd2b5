// fft/lanes/lanes_avx512: lanes of 512 bits, with AVX-512.

#define WEFT_LANES lanes_avx512
#define WEFT_LANES_BYTES 64
#define WEFT_LANES_MASKS 512
#define WEFT_LANES_TARGET "avx512f,avx512vl,avx512dq,fma,avx2"
#define WEFT_LANES_WIDTH "prefer-vector-width=512"
#define WEFT_LANES_HAS_POINTS 1
#include "weft/fft/lanes/lanes_x86.hpp"
