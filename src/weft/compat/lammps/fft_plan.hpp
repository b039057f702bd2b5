// compat/lammps/fft_plan: what a plan of LAMMPS's is over weft.
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "weft/any_plan.hpp"
#include "weft/compat/fftmpi/lines.hpp"

namespace weft::lammps {

/// What a transform goes from and to.
struct Asked {
  Extents extents;
  Box in, out;  ///< this rank's bricks
  int permute = 0;
  Precision precision = Precision::double_precision;
  bool is_scaled = false;
};

/// A transform that goes from `in` to `out` in both directions, which takes two plans: one of them
/// runs back, and has the sides exchanged. One serves both if the sides are the same.
class FftPlan {
 public:
  /// Collective; errors as of AnyPlan, and Error::invalid for a permutation that does not exist.
  FftPlan(MPI_Comm comm, const Asked& asked);

  /// Forward or back; both arrays may be the same. Collective.
  void transform(void* in, void* out, bool is_forward);
  /// Lines in the first `points` of the array.
  void transform_lines(void* array, std::int64_t points, bool is_forward);
  /// The communicator, and bytes of weft's.
  MPI_Comm comm() const { return comm_; }
  std::int64_t workspace_bytes() const;

 private:
  double scale(bool is_forward) const { return is_forward ? 1 : scale_back_; }
  std::vector<bricks::Lines::Kind> lines_in(std::int64_t points) const;

  MPI_Comm comm_;
  Precision precision_;
  double scale_back_;
  std::shared_ptr<AnyPlan> forward_, back_;
  std::unique_ptr<bricks::Lines> lines_;
  std::int64_t points_of_lines_ = -1;
};

}  // namespace weft::lammps
