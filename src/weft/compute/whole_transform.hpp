// compute/whole_transform: a pass of one tile, which a library transforms from array to array.
// Keeps: what lies between the points of the arrays is not touched.
#pragma once

#include <memory>
#include <vector>

#include "weft/fft/engine.hpp"
#include "weft/memory/box_copy.hpp"
#include "weft/program/pass_spec.hpp"

namespace weft {

/// All that a rank has in a pass, in one piece of an array on either side, transformed in one call
/// with all threads of the rank. The library needs memory of its own, which is not planned for.
class WholeTransform {
 public:
  /// A box with these extents on the real and on the spectral side; the strides of the arrays are
  /// in elements of theirs. `may_be_in_place`: the arrays may be one, in which every point is where
  /// it was.
  struct Form {
    Dims real_extents, spectral_extents;
    Dims source_strides, target_strides;
    bool may_be_in_place = false;
  };
  /// `spec` must outlive this.
  WholeTransform(const PassSpec& spec, const Form& form);

  /// Error::invalid if the engine has no such transform.
  void make_kernels(Engine& engine, int threads);
  /// Transforms from `from` to `to`, and multiplies by the factor of the pass and by `scale`.
  void run(std::byte* from, std::byte* to, double scale, PrefetchQueue& prefetches);

 private:
  // A part of the target, which one thread multiplies.
  struct Part {
    BoxCopy copy;
    std::int64_t offset;  // in bytes
  };
  void cut_target(int threads);

  const PassSpec* spec_;
  Form form_;
  Lines lines_;
  std::unique_ptr<Kernel> apart_, in_place_;
  std::vector<Part> parts_;
};

}  // namespace weft
