// compat/fftmpi/c_remap: fftMPI's functions for C that move grids.

#include <string_view>

#include "weft/compat/fftmpi/c_fft.hpp"

namespace FFTMPI_NS {

namespace {

WeftRemap& remap_of(void* remap) { return *static_cast<WeftRemap*>(remap); }

/// Where setup writes the sizes.
struct Sizes {
  int *sendsize, *recvsize;
};

void set_up(WeftRemap& remap, const CountedBounds& in, const CountedBounds& out, int nqty,
            int permute, const Sizes& wanted) {
  int sizes[2];
  remap.weft_setup(in.from_0.data(), out.from_0.data(), nqty, permute, sizes);
  *wanted.sendsize = sizes[0];
  *wanted.recvsize = sizes[1];
}

void set_by_name(WeftRemap& remap, std::string_view keyword, int value) {
  if (keyword == "collective") remap.collective = value;
  if (keyword == "pack") remap.packflag = value;
}

}  // namespace

}  // namespace FFTMPI_NS

using namespace FFTMPI_NS;

#define MOVED int nqty, int permute, int, int *sendsize, int *recvsize

extern "C" {

#define WEFT_AXES 2
#define FN(name) remap2d_##name
#define SINGLE(name) weft_remap2d_##name##_single
#define BOUNDS WEFT_SIDE2(in), WEFT_SIDE2(out)
#define IN WEFT_BOUNDS2(in)
#define OUT WEFT_BOUNDS2(out)
#include "weft/compat/fftmpi/c_remap.inc"
#undef WEFT_AXES
#undef FN
#undef SINGLE
#undef BOUNDS
#undef IN
#undef OUT

#define WEFT_AXES 3
#define FN(name) remap3d_##name
#define SINGLE(name) weft_remap3d_##name##_single
#define BOUNDS WEFT_SIDE3(in), WEFT_SIDE3(out)
#define IN WEFT_BOUNDS3(in)
#define OUT WEFT_BOUNDS3(out)
#include "weft/compat/fftmpi/c_remap.inc"

}  // extern "C"
