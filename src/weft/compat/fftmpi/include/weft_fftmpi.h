// weft_fftmpi: what fftMPI's classes consist of over weft: the data that programs set and read, and
// functions for arrays of both precisions. Programs include fft3d.h, fft2d.h, remap3d.h or
// remap2d.h.
#ifndef WEFT_FFTMPI_H
#define WEFT_FFTMPI_H

#include <mpi.h>
#include <stdint.h>

namespace FFTMPI_NS {

struct WeftFftBody;
struct WeftRemapBody;

// A transform of 2 or 3 axes. Axes are named from the fastest on. An error is printed once, and
// ends the program with MPI_Abort.
class WeftFft {
 public:
  MPI_Comm world;  // the communicator that it was made with

  int scaled = 1;      // before compute: whether the way back divides by the number of points
  int remaponly = 0;   // before compute: whether it only moves the data
  int permute = 0;     // as setup was told
  int collective = 2;  // before setup: 0, 1 or 2. weft chooses how to exchange, whatever it is
  int exchange = 0;    // before setup: 0 or 1; likewise
  int packflag = 2;    // before setup: 0, 1 or 2; likewise
  int memoryflag = 1;  // before setup: 0 if setup_memory will be called. weft has its own memory
  int collective_bp = 0, collective_pp = 0;  // what `collective` stands for
  int64_t memusage = 0;  // bytes of weft's on this rank beside the program's arrays

  // The process grids in which the lines of each axis are transformed; and of bricks, which weft
  // does not use.
  int npfast1 = 0, npfast2 = 0, npfast3 = 0;
  int npmid1 = 0, npmid2 = 0, npmid3 = 0;
  int npslow1 = 0, npslow2 = 0, npslow3 = 0;
  int npbrick1 = 0, npbrick2 = 0, npbrick3 = 0;

  // What tune found; times are in seconds, of the slowest rank. One trial is listed, the fastest.
  int ntrial = 0, npertrial = 0;
  int cbest = 0, ebest = 0, pbest = 0;
  int cflags[10] = {}, eflags[10] = {}, pflags[10] = {};
  double besttime = 0, setuptime = 0;
  double tfft[10] = {}, t1d[10] = {}, tremap[10] = {};
  double tremap1[10] = {}, tremap2[10] = {}, tremap3[10] = {}, tremap4[10] = {};

  const char* fft1d = "weft";  // after setup: weft's engine
  const char* precision;       // "single" or "double"

  WeftFft(const WeftFft&) = delete;
  WeftFft& operator=(const WeftFft&) = delete;

  // A transform of `axes` axes; `bytes` are those of a real number of the program's arrays, or 0 if
  // `wanted`, 1 single or 2 double, is all that is known.
  WeftFft(MPI_Comm comm, int axes, int wanted, int bytes);
  ~WeftFft();

  // Points per axis, bounds of both sides; sizes are those of setup: fftsize, sendsize, recvsize.
  void weft_setup(const int* points, const int* in, const int* out, int permuted, int* sizes);
  // The same, with the numbers of tune.
  struct Tuning {
    int flag, niter;
    double tmax;
    int tflag;
  };
  void weft_tune(const int* points, const int* in, const int* out, int permuted, int* sizes,
                 const Tuning& tuning);
  void weft_setup_memory();
  void weft_compute(void* in, void* out, int flag);
  void weft_only_1d_ffts(void* in, int flag);
  void weft_only_remaps(void* in, void* out, int flag);
  void weft_only_one_remap(void* in, void* out, int flag, int which);

 private:
  WeftFftBody* body_;
};

// A redistribution of 2 or 3 axes; errors as of WeftFft.
class WeftRemap {
 public:
  int collective = 1;    // before setup: 0 or 1. weft chooses how to exchange, whatever it is
  int packflag = 2;      // before setup: 0, 1 or 2; likewise
  int64_t memusage = 0;  // bytes of weft's on this rank beside the program's arrays

  WeftRemap(const WeftRemap&) = delete;
  WeftRemap& operator=(const WeftRemap&) = delete;

  // Of `axes` axes, in this precision; `bytes` as of WeftFft.
  WeftRemap(MPI_Comm comm, int axes, int wanted, int bytes);
  ~WeftRemap();

  // Bounds of both sides, and how many numbers a point has; sizes are sendsize and recvsize.
  void weft_setup(const int* in, const int* out, int nqty, int permute, int* sizes);
  void weft_remap(void* in, void* out);

 private:
  WeftRemapBody* body_;
};

}  // namespace FFTMPI_NS

// A program may have files of both precisions: their classes are of different names to the linker.
#ifdef FFT_SINGLE
#define WEFT_FFTMPI_BEGIN inline namespace weft_single {
#define WEFT_FFTMPI_END }
#else
#define WEFT_FFTMPI_BEGIN
#define WEFT_FFTMPI_END
#endif

#endif
