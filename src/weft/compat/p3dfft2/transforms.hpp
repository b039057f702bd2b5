// compat/p3dfft2/transforms: the transforms of one setup of P3DFFT, and the setup itself, of which
// a process has one at a time.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include <weft/any_plan.hpp>

#include "pencils.hpp"
#include "weft/compat/shared/own_comm.hpp"

namespace weft::p3dfft2 {

/// Fields of one side in memory, so many numbers of that side from one to the next.
template <class Byte>
struct Fields {
  Byte* first;
  std::int64_t step;
};

/// Plans are made when they are first needed, which is collective, and kept.
class Transforms {
 public:
  /// Over the ranks of `comm`, which may be freed afterwards. Collective, as the end is.
  /// Error::invalid on all ranks for sizes that cannot be.
  Transforms(MPI_Comm comm, const Grid& grid);

  /// Transforms `count` fields from real space, or back. `along_z` is what is done along z: f for
  /// Fourier, c for cosines, s for sines, n for nothing. Input and output may be in the same
  /// memory. Collective.
  void forward(Fields<const std::byte> from, Fields<std::byte> to, int count, char along_z);
  void backward(Fields<const std::byte> from, Fields<std::byte> to, int count, char along_z);
  /// Transforms along x only, into complex numbers in X pencils.
  void forward_along_x(const std::byte* from, std::byte* to);
  /// Gives the coefficients of Chebyshev polynomials along z, on an interval of this length, of the
  /// derivative along z; Fourier's along x and y, divided by their points.
  void chebyshev(Fields<const std::byte> from, Fields<std::byte> to, int count, double length);

  const Grid& grid() const { return grid_; }
  int rank() const { return rank_; }
  MPI_Comm comm() const { return comm_.get(); }

 private:
  AnyPlan& plan(char along_z, bool is_many);
  Problem problem(char along_z) const;
  std::int64_t bytes(Side side) const;
  void run(bool is_forward, Fields<const std::byte> from, Fields<std::byte> to, int count,
           char along_z, double scale);
  template <class Real>
  void differentiate(std::byte* field, double factor) const;

  compat::OwnComm comm_;  // plans are made of it later
  int rank_ = 0;
  Grid grid_;
  std::map<std::pair<char, bool>, std::unique_ptr<AnyPlan>> plans_;
};

}  // namespace weft::p3dfft2
