// fft/lanes/lanes_128: lanes of 128 bits, with what every processor of this architecture has: SSE2
// or NEON.

#include "weft/fft/lanes/lanes_common.hpp"

#ifdef WEFT_HAVE_LANES_ANY

#define WEFT_LANES lanes_128
#define WEFT_LANES_BYTES 16
#define WEFT_LANES_MASKS 0
#include "weft/fft/lanes/lanes_kernel.hpp"

namespace weft {

std::unique_ptr<Kernel> make_lanes_128(const Lines& lines, const Lines::Loop* across) {
  return lanes_128::make_lanes(lines, across);
}

}  // namespace weft

#endif
