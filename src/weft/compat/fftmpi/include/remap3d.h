// remap3d: FFTMPI_NS::Remap3d, which moves the points of a grid of three axes from bricks to other
// bricks, by weft. See docs/compat/fftmpi.md.
#ifndef WEFT_FFTMPI_REMAP3D_H
#define WEFT_FFTMPI_REMAP3D_H

#include <mpi.h>

#include "fftdata.h"
#include "weft_fftmpi.h"

namespace FFTMPI_NS {
WEFT_FFTMPI_BEGIN

class Remap3d : public WeftRemap {
 public:
  // The manual gives it a precision, which is that of the program's FFT_SCALAR; the header does
  // not.
  explicit Remap3d(MPI_Comm comm, int wanted = sizeof(FFT_SCALAR) == sizeof(float) ? 1 : 2)
      : WeftRemap(comm, 3, wanted, sizeof(FFT_SCALAR)) {}

  void setup(int in_ilo, int in_ihi, int in_jlo, int in_jhi, int in_klo, int in_khi, int out_ilo,
             int out_ihi, int out_jlo, int out_jhi, int out_klo, int out_khi, int nqty, int permute,
             int /*memoryflag*/, int& sendsize, int& recvsize) {
    const int in[] = {in_ilo, in_ihi, in_jlo, in_jhi, in_klo, in_khi};
    const int out[] = {out_ilo, out_ihi, out_jlo, out_jhi, out_klo, out_khi};
    int sizes[2];
    weft_setup(in, out, nqty, permute, sizes);
    sendsize = sizes[0];
    recvsize = sizes[1];
  }
  void remap(FFT_SCALAR* in, FFT_SCALAR* out, FFT_SCALAR*, FFT_SCALAR*) { weft_remap(in, out); }
};

WEFT_FFTMPI_END
}  // namespace FFTMPI_NS

#endif
