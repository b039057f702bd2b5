// compat/fftmpi/c_fft: what the functions for C of two and of three axes share.
// Arrays are void* here, as one library has both precisions; the headers for C name FFT_SCALAR.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "weft/compat/fftmpi/c_keywords.hpp"
#include "weft/compat/fftmpi/include/weft_fftmpi.h"

namespace FFTMPI_NS {

inline WeftFft& fft_of(void* fft) { return *static_cast<WeftFft*>(fft); }

/// Bounds that count from `first`, as bounds that count from 0.
struct CountedBounds {
  std::vector<int> from_0;
  CountedBounds(const int* begin, const int* end, int first) : from_0(begin, end) {
    for (int& bound : from_0) bound -= first;
  }
};

/// Where setup and tune write the sizes, and how to tune.
struct Wanted {
  int *fftsize, *sendsize, *recvsize;
  const WeftFft::Tuning* tuning = nullptr;

  void write(const int* sizes) const {
    *fftsize = sizes[0];
    *sendsize = sizes[1];
    *recvsize = sizes[2];
  }
};

inline void set_up(WeftFft& fft, const int* points, const CountedBounds& in,
                   const CountedBounds& out, int permute, const Wanted& wanted) {
  int sizes[3];
  fft.weft_setup(points, in.from_0.data(), out.from_0.data(), permute, sizes);
  wanted.write(sizes);
}

inline void tune(WeftFft& fft, const int* points, const CountedBounds& in, const CountedBounds& out,
                 int permute, const Wanted& wanted) {
  int sizes[3];
  fft.weft_tune(points, in.from_0.data(), out.from_0.data(), permute, sizes, *wanted.tuning);
  wanted.write(sizes);
}

}  // namespace FFTMPI_NS

// Parameters of the functions, and their names.
#define WEFT_SIDE2(side) int side##_ilo, int side##_ihi, int side##_jlo, int side##_jhi
#define WEFT_SIDE3(side) WEFT_SIDE2(side), int side##_klo, int side##_khi
#define WEFT_BOUNDS2(side) side##_ilo, side##_ihi, side##_jlo, side##_jhi
#define WEFT_BOUNDS3(side) WEFT_BOUNDS2(side), side##_klo, side##_khi
#define SIZES int *fftsize, int *sendsize, int *recvsize
#define TUNING int flag, int niter, double tmax, int tflag
