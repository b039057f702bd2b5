// fft/lanes/any_transform: complex transforms of each length that lanes have, one line in each lane
// of a vector. Include after all other headers, as fft/lanes/vectors.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "weft/fft/lanes/convolution.hpp"
#include "weft/fft/lanes/convolved_transform.hpp"
#include "weft/fft/lanes/lane_transform.hpp"

namespace weft::WEFT_LANES {

/// A LaneTransform, or for a length with a large prime factor a ConvolvedTransform, in the same
/// three parts. The object knows which of the two it has, so kernels are compiled once for both.
template <class Real>
class AnyTransform {
 public:
  explicit AnyTransform(std::int64_t n, bool is_forward = true) {
    if (convolution_length(n) > 0)
      convolution_ = std::make_unique<ConvolvedTransform<Real>>(n, is_forward);
    else
      steps_.emplace(n, is_forward);
  }

  /// As LaneTransform::scale; not for a convolution.
  void scale(double factor) { steps_->scale(factor); }

  template <class In>
  void first(const In& in, PrefetchQueue& queue) {
    visit([&](auto& transform) { transform.first(in, queue); });
  }
  /// Whether first_by_blocks may be called: for no convolution.
  bool can_begin_by_blocks(std::int64_t size) const {
    return steps_ && steps_->can_begin_by_blocks(size);
  }
  template <class In>
  void first_by_blocks(const In& in, PrefetchQueue& queue) {
    steps_->first_by_blocks(in, queue);
  }
  void middle(PrefetchQueue& queue) {
    visit([&](auto& transform) { transform.middle(queue); });
  }
  template <class Out>
  void last(const Out& out, PrefetchQueue& queue) {
    visit([&](auto& transform) { transform.last(out, queue); });
  }

 private:
  template <class Visit>
  void visit(const Visit& visit) {
    if (convolution_ == nullptr) [[likely]]
      visit(*steps_);
    else
      visit(*convolution_);
  }

  std::optional<LaneTransform<Real>> steps_;
  std::unique_ptr<ConvolvedTransform<Real>> convolution_;
};

}  // namespace weft::WEFT_LANES
