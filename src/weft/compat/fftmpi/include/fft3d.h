// fft3d: FFTMPI_NS::FFT3d, a transform of three axes over the ranks of a communicator, computed by
// weft. See docs/compat/fftmpi.md.
#ifndef WEFT_FFTMPI_FFT3D_H
#define WEFT_FFTMPI_FFT3D_H

#include <mpi.h>

#include "ffttype.h"
#include "weft_fftmpi.h"

namespace FFTMPI_NS {
WEFT_FFTMPI_BEGIN

class FFT3d : public WeftFft {
 public:
  FFT3d(MPI_Comm comm, int wanted) : WeftFft(comm, 3, wanted, sizeof(FFT_SCALAR)) {}

  void setup(int nfast, int nmid, int nslow, int in_ilo, int in_ihi, int in_jlo, int in_jhi,
             int in_klo, int in_khi, int out_ilo, int out_ihi, int out_jlo, int out_jhi,
             int out_klo, int out_khi, int permuted, int& fftsize, int& sendsize, int& recvsize) {
    const int points[] = {nfast, nmid, nslow};
    const int in[] = {in_ilo, in_ihi, in_jlo, in_jhi, in_klo, in_khi};
    const int out[] = {out_ilo, out_ihi, out_jlo, out_jhi, out_klo, out_khi};
    int sizes[3];
    weft_setup(points, in, out, permuted, sizes);
    fftsize = sizes[0];
    sendsize = sizes[1];
    recvsize = sizes[2];
  }
  void tune(int nfast, int nmid, int nslow, int in_ilo, int in_ihi, int in_jlo, int in_jhi,
            int in_klo, int in_khi, int out_ilo, int out_ihi, int out_jlo, int out_jhi, int out_klo,
            int out_khi, int permuted, int& fftsize, int& sendsize, int& recvsize, int flag,
            int niter, double tmax, int tflag) {
    const int points[] = {nfast, nmid, nslow};
    const int in[] = {in_ilo, in_ihi, in_jlo, in_jhi, in_klo, in_khi};
    const int out[] = {out_ilo, out_ihi, out_jlo, out_jhi, out_klo, out_khi};
    int sizes[3];
    weft_tune(points, in, out, permuted, sizes, Tuning{flag, niter, tmax, tflag});
    fftsize = sizes[0];
    sendsize = sizes[1];
    recvsize = sizes[2];
  }
  void setup_memory(FFT_SCALAR*, FFT_SCALAR*) { weft_setup_memory(); }
  void compute(FFT_SCALAR* in, FFT_SCALAR* out, int flag) { weft_compute(in, out, flag); }
  void only_1d_ffts(FFT_SCALAR* in, int flag) { weft_only_1d_ffts(in, flag); }
  void only_remaps(FFT_SCALAR* in, FFT_SCALAR* out, int flag) { weft_only_remaps(in, out, flag); }
  void only_one_remap(FFT_SCALAR* in, FFT_SCALAR* out, int flag, int which) {
    weft_only_one_remap(in, out, flag, which);
  }
};

WEFT_FFTMPI_END
}  // namespace FFTMPI_NS

#endif
