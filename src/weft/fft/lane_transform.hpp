// fft/lane_transform: complex transforms of one line in each lane of a vector.
// Keeps: intermediate data stay in one buffer. Include after all other headers, as fft/butterflies.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <new>
#include <numbers>
#include <vector>

#include "weft/fft/radix_steps.hpp"

namespace weft::WEFT_LANES {

/// Vectors, or pairs of them, aligned for this set of instructions.
template <class Element>
class LaneBuffer {
 public:
  explicit LaneBuffer(std::int64_t count)
      : data_(static_cast<Element*>(::operator new (
            static_cast<std::size_t>(count) * sizeof(Element), std::align_val_t{64}))) {}
  Element* get() const { return data_.get(); }

 private:
  struct Delete {
    void operator()(Element* memory) const { ::operator delete (memory, std::align_val_t{64}); }
  };
  std::unique_ptr<Element, Delete> data_;
};

/// The steps of a transform of `n` points, at least two of them, forward or inverse: first() reads
/// all points, last() writes them, and middle() comes between.
template <class Real>
class LaneTransform {
 public:
  explicit LaneTransform(std::int64_t n, bool is_forward = true)
      : LaneTransform(n, is_forward, radices_of(n)) {}

  template <class In>
  void first(const In& in, PrefetchQueue& queue) const {
    with_radix(steps_.front().radix,
               [&](auto radix) { run_first<radix()>(steps_.front(), in, intermediate_, queue); });
  }
  /// The same with an `in` that has In::block_size adjacent points at a time, if they all fit in.
  bool can_begin_by_blocks(std::int64_t size) const { return steps_.front().groups >= size; }
  template <class In>
  void first_by_blocks(const In& in, PrefetchQueue& queue) const {
    with_radix(steps_.front().radix, [&](auto radix) {
      run_first_by_blocks<radix()>(steps_.front(), in, intermediate_, queue);
    });
  }
  void middle(PrefetchQueue& queue) const {
    for (std::size_t s = 1; s + 1 < steps_.size(); ++s)
      with_radix(steps_[s].radix,
                 [&](auto radix) { run_middle<radix()>(steps_[s], intermediate_, queue); });
  }
  template <class Out>
  void last(const Out& out, PrefetchQueue& queue) const {
    with_radix(steps_.back().radix, [&](auto radix) {
      run_last<radix()>(steps_.back(), {order_.data(), spacing_}, intermediate_, out, queue);
    });
  }

 private:
  // An odd pitch, so that the points of a butterfly are not in the same cache set.
  LaneTransform(std::int64_t n, bool is_forward, const std::vector<int>& all)
      : memory_(all.front() * (n / all.front() | 1)),
        intermediate_{memory_.get(), all.front(), n / all.front() | 1} {
    std::vector<std::size_t> begins;
    std::int64_t blocks = 1;
    for (const int radix : all) {
      const std::int64_t length = n / blocks, groups = length / radix;
      begins.push_back(factors_.size());
      for (std::int64_t p = 0; p < groups; ++p)
        for (int k = 1; k < radix; ++k) {
          const long double angle = -2 * std::numbers::pi_v<long double> *
                                    static_cast<long double>(p * k % length) /
                                    static_cast<long double>(length);
          factors_.push_back(static_cast<Real>(std::cos(angle)));
          factors_.push_back(static_cast<Real>(std::sin(angle)));
        }
      steps_.push_back(
          {radix, blocks / all.front(), groups, groups, prefetches_of(radix, all.size()), nullptr});
      blocks *= radix;
    }
    for (std::size_t i = 0; i < steps_.size(); ++i) steps_[i].factors = factors_.data() + begins[i];
    order_blocks();
    spacing_ = n / all.back();
    if (!is_forward) reverse(n);
  }

  // Computes the first frequency of every block of the last step. The earlier a step, the lower is
  // its digit of the frequency.
  void order_blocks() {
    order_ = {0};
    std::int64_t below = 1;
    for (std::size_t i = 0; i + 1 < steps_.size(); ++i) {
      std::vector<std::int32_t> longer;
      for (const std::int32_t first : order_)
        for (int k = 0; k < steps_[i].radix; ++k)
          longer.push_back(first + static_cast<std::int32_t>(k * below));
      below *= steps_[i].radix;
      order_ = std::move(longer);
    }
  }

  // The inverse transform has at frequency f what the forward one has at n-f.
  void reverse(std::int64_t n) {
    for (std::int32_t& first : order_) first = static_cast<std::int32_t>(n) - first;
    spacing_ = -spacing_;
  }

  LaneBuffer<Values<Real>> memory_;
  Intermediate<Real> intermediate_;
  std::vector<Real> factors_;
  std::vector<RadixStep<Real>> steps_;
  std::vector<std::int32_t> order_;
  std::int64_t spacing_ = 0;
};

}  // namespace weft::WEFT_LANES
