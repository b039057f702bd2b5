// compat/fftmpi/fft: the functions of fftMPI's transforms, and what they refuse.

#include <climits>

#include "weft/compat/fftmpi/bricks.hpp"
#include "weft/compat/fftmpi/fft_body.hpp"
#include "weft/compat/fftmpi/include/weft_fftmpi.h"
#include "weft/compat/fftmpi/precision.hpp"
#include "weft/compat/fftmpi/trials.hpp"
#include "weft/compat/shared/ending.hpp"

namespace FFTMPI_NS {

namespace {

using namespace weft::bricks;
using weft::Error;
using weft::compat::or_end;

void require_between(int value, int lowest, int highest, const char* name) {
  if (value < lowest || value > highest)
    throw Error(Error::invalid, std::string(name) + " is " + std::to_string(value),
                std::to_string(lowest) + " to " + std::to_string(highest));
}

void require_direction(int flag) {
  if (flag != 1 && flag != -1)
    throw Error(Error::invalid, "flag is " + std::to_string(flag), "1, forward, or -1, back");
}

void require_set_up(const WeftFftBody& body, const char* what) {
  if (!body.is_set_up)
    throw Error(Error::invalid, std::string(what) + " was called before setup or tune");
}

void require_ready(const WeftFft& fft, const WeftFftBody& body, const char* what) {
  require_set_up(body, what);
  if (fft.memoryflag == 0 && !body.has_memory)
    throw Error(Error::invalid,
                std::string(what) + " was called before setup_memory, although memoryflag is 0");
}

void take_arguments(WeftFft& fft, WeftFftBody& body, const int* points, const int* in,
                    const int* out, int permuted) {
  if (body.is_set_up) throw Error(Error::invalid, "setup or tune was called twice", "another FFT");
  require_between(fft.collective, 0, 2, "collective");
  require_between(fft.exchange, 0, 1, "exchange");
  require_between(fft.packflag, 0, 2, "packflag");
  require_between(fft.memoryflag, 0, 1, "memoryflag");
  require_between(permuted, 0, body.axes - 1, "permute");
  for (int a = 0; a < body.axes; ++a)
    require_between(points[a], 1, INT_MAX, "a number of points along an axis");
  fft.permute = body.permute = permuted;
  fft.collective_bp = fft.collective == 1;
  fft.collective_pp = fft.collective != 0;
  body.problem.extents = extents_of({points, points + body.axes});
  body.in = brick_of({in, in + 2 * body.axes});
  body.out = brick_of({out, out + 2 * body.axes});
}

// The numbers of a process grid, the fastest axis first.
void tell(const weft::Dims& parts, int& fast, int& mid, int& slow) {
  fast = static_cast<int>(parts.back());
  mid = static_cast<int>(parts[parts.size() - 2]);
  if (parts.size() == 3) slow = static_cast<int>(parts[0]);
}

void tell_sizes(WeftFft& fft, WeftFftBody& body, int* sizes) {
  const std::int64_t points = body.most_points();
  sizes[0] = int_of(points, "points");
  sizes[1] = sizes[2] = int_of(2 * points, "numbers");
  fft.memusage = body.plan->workspace_bytes();
  fft.fft1d = body.engine.c_str();
  tell(body.places[1].parts, fft.npfast1, fft.npfast2, fft.npfast3);
  if (body.axes == 3) tell(body.places[2].parts, fft.npmid1, fft.npmid2, fft.npmid3);
  const auto& last = body.places[body.places.size() - 2].parts;
  tell(last, fft.npslow1, fft.npslow2, fft.npslow3);
  body.is_set_up = true;
}

}  // namespace

WeftFft::WeftFft(MPI_Comm comm, int axes, int wanted, int bytes)
    : world(comm), precision(wanted == 1 ? "single" : "double"), body_(or_end(comm, [&] {
        return new WeftFftBody{comm, axes, precision_of(wanted, bytes)};
      })) {}

WeftFft::~WeftFft() { delete body_; }

void WeftFft::weft_setup(const int* points, const int* in, const int* out, int permuted,
                         int* sizes) {
  or_end(world, [&] {
    take_arguments(*this, *body_, points, in, out, permuted);
    body_->plan_with(usual_options());
    tell_sizes(*this, *body_, sizes);
  });
}

void WeftFft::weft_tune(const int* points, const int* in, const int* out, int permuted, int* sizes,
                        const Tuning& tuning) {
  or_end(world, [&] {
    take_arguments(*this, *body_, points, in, out, permuted);
    require_between(tuning.flag, -1, 1, "flag");
    require_between(tuning.niter, 1, INT_MAX, "niter");
    if (!(tuning.tmax >= 0))
      throw Error(Error::invalid, "tmax is " + std::to_string(tuning.tmax),
                  "seconds, or 0 for no limit");
    tune_and_try(*this, *body_, tuning);
    tell_sizes(*this, *body_, sizes);
  });
}

void WeftFft::weft_setup_memory() {
  or_end(world, [&] {
    require_set_up(*body_, "setup_memory");
    if (memoryflag != 0)
      throw Error(Error::invalid, "setup_memory was called although memoryflag is 1",
                  "memoryflag = 0 before setup");
    body_->has_memory = true;
  });
}

void WeftFft::weft_compute(void* in, void* out, int flag) {
  or_end(world, [&] {
    require_ready(*this, *body_, "compute");
    require_direction(flag);
    if (remaponly)
      body_->move(in, out, flag);
    else
      body_->transform(in, out, flag, scaled != 0);
  });
}

void WeftFft::weft_only_1d_ffts(void* in, int flag) {
  or_end(world, [&] {
    require_ready(*this, *body_, "only_1d_ffts");
    require_direction(flag);
    body_->transform_lines(in, flag);
  });
}

void WeftFft::weft_only_remaps(void* in, void* out, int flag) {
  or_end(world, [&] {
    require_ready(*this, *body_, "only_remaps");
    require_direction(flag);
    body_->move(in, out, flag);
  });
}

void WeftFft::weft_only_one_remap(void* in, void* out, int flag, int which) {
  or_end(world, [&] {
    require_ready(*this, *body_, "only_one_remap");
    require_direction(flag);
    require_between(which, 1, body_->axes + 1, "which");
    body_->move_once(in, out, flag, which);
  });
}

}  // namespace FFTMPI_NS
