// compat/fftmpi/remap: fftMPI's redistributions.

#include <mpi.h>

#include <memory>

#include "weft/compat/fftmpi/bricks.hpp"
#include "weft/compat/fftmpi/include/weft_fftmpi.h"
#include "weft/compat/fftmpi/moved.hpp"
#include "weft/compat/fftmpi/precision.hpp"
#include "weft/compat/shared/ending.hpp"

namespace FFTMPI_NS {

using namespace weft::bricks;
using weft::Error;
using weft::compat::or_end;

struct WeftRemapBody {
  MPI_Comm comm;
  int axes;
  weft::Precision precision;
  std::shared_ptr<weft::AnyPlan> plan;
};

WeftRemap::WeftRemap(MPI_Comm comm, int axes, int wanted, int bytes)
    : body_(or_end(comm, [&] {
        return new WeftRemapBody{comm, axes, precision_of(wanted, bytes), nullptr};
      })) {}

WeftRemap::~WeftRemap() { delete body_; }

void WeftRemap::weft_setup(const int* in, const int* out, int nqty, int permute, int* sizes) {
  or_end(body_->comm, [&] {
    const int axes = body_->axes;
    if (body_->plan) throw Error(Error::invalid, "setup was called twice", "another remap");
    if (collective < 0 || collective > 1 || packflag < 0 || packflag > 2)
      throw Error(Error::invalid,
                  "collective is " + std::to_string(collective) + " and packflag " +
                      std::to_string(packflag),
                  "0 or 1, and 0 to 2");
    const Movement movement{brick_of({in, in + 2 * axes}), brick_of({out, out + 2 * axes}), nqty,
                            permute, body_->precision};
    body_->plan =
        weft::shared_plan(body_->comm, problem_of(body_->comm, movement), usual_options());
    sizes[0] = int_of(nqty * movement.in.volume(), "numbers");
    sizes[1] = int_of(nqty * movement.out.volume(), "numbers");
    memusage = body_->plan->workspace_bytes();
  });
}

void WeftRemap::weft_remap(void* in, void* out) {
  or_end(body_->comm, [&] {
    if (!body_->plan) throw Error(Error::invalid, "remap was called before setup");
    body_->plan->forward(in, out);
  });
}

}  // namespace FFTMPI_NS
