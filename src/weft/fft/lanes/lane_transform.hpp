// fft/lanes/lane_transform: complex transforms of one line in each lane of a vector.
// Keeps: intermediate data stay in one buffer. Include after all other headers, as
// fft/lanes/vectors.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <new>
#include <numbers>
#include <utility>
#include <vector>

#include "weft/fft/lanes/radix_steps.hpp"

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

/// exp(-2 pi i power / length).
template <class Real>
std::pair<Real, Real> root(std::int64_t power, std::int64_t length) {
  const long double angle = -2 * std::numbers::pi_v<long double> *
                            static_cast<long double>(power % length) /
                            static_cast<long double>(length);
  return {static_cast<Real>(std::cos(angle)), static_cast<Real>(std::sin(angle))};
}

/// Consecutive steps of a transform, the last one included, with their factors. For the inverse
/// one, only the order in which the last step stores is another; steps before these must be
/// inverse.
template <class Real>
struct RadixChain {
  /// What the rest of the transform adds: the lines of Intermediate that the blocks of all steps
  /// but the first are in, the frequencies of steps before, and the number of steps of all.
  struct Place {
    std::int64_t lines, below;
    std::size_t steps;
  };
  std::vector<RadixStep<Real>> steps;
  std::vector<Real> factors;
  std::vector<std::int32_t> order;  // the first frequency of every block of the last step
  std::int64_t spacing;             // of the frequencies of a block

  RadixChain(std::int64_t n, bool is_forward, const std::vector<int>& radices, Place place)
      : order{0}, spacing(place.below * (n / radices.back())) {
    std::vector<std::size_t> begins;
    std::int64_t blocks = 1;
    for (const int radix : radices) {
      const std::int64_t length = n / blocks, groups = length / radix;
      begins.push_back(factors.size());
      steps.push_back({radix, std::max<std::int64_t>(1, blocks / place.lines), groups, groups,
                       prefetches_of(radix, place.steps), nullptr});
      for (std::int64_t p = 0; groups > 1 && p < groups; ++p)
        for (int k = 1; k < radix; ++k) {
          const auto [re, im] = root<Real>(p * k, length);
          factors.push_back(re);
          factors.push_back(im);
        }
      if (groups > 1) extend_order(place.below * blocks, radix);
      blocks *= radix;
    }
    for (std::size_t i = 0; i < steps.size(); ++i) steps[i].factors = factors.data() + begins[i];
    if (!is_forward) reverse(place.below * n);
  }
  RadixChain(const RadixChain&) = delete;
  RadixChain& operator=(const RadixChain&) = delete;

  Frequencies frequencies() const { return {order.data(), spacing}; }
  void scale_first(Real factor) {
    const std::int64_t count = 2 * steps.front().groups * (steps.front().radix - 1);
    for (std::int64_t i = 0; i < count; ++i) factors[static_cast<std::size_t>(i)] *= factor;
    steps.front().scale = factor;
    steps.front().is_scaled = true;
  }

 private:
  // The earlier a step, the lower is its digit of the frequency.
  void extend_order(std::int64_t below, int radix) {
    std::vector<std::int32_t> longer;
    for (const std::int32_t first : order)
      for (int k = 0; k < radix; ++k)
        longer.push_back(first + static_cast<std::int32_t>(k * below));
    order = std::move(longer);
  }
  // The inverse of these steps has at frequency f what they have at n-f; both are multiples of the
  // frequencies of steps before, which are added.
  void reverse(std::int64_t n) {
    for (std::int32_t& first : order) first = static_cast<std::int32_t>(n) - first;
    spacing = -spacing;
  }
};

/// The steps of a transform of `n` points, at least two of them, forward or inverse: first() reads
/// all points, last() writes them, and middle() comes between.
template <class Real>
class LaneTransform {
 public:
  explicit LaneTransform(std::int64_t n, bool is_forward = true)
      : LaneTransform(n, is_forward, radices_of_steps(n)) {}

  /// Multiplies all results of run from now on with a power of two. At most once.
  void scale(double factor) { chain_.scale_first(static_cast<Real>(factor)); }

  template <class In>
  void first(const In& in, PrefetchQueue& queue) const {
    with_radix(chain_.steps.front().radix, [&](auto radix) {
      run_first<radix()>(chain_.steps.front(), in, intermediate_, queue);
    });
  }
  /// The same with an `in` that has In::block_size adjacent points at a time, if they all fit in.
  bool can_begin_by_blocks(std::int64_t size) const { return chain_.steps.front().groups >= size; }
  template <class In>
  void first_by_blocks(const In& in, PrefetchQueue& queue) const {
    with_radix(chain_.steps.front().radix, [&](auto radix) {
      run_first_by_blocks<radix()>(chain_.steps.front(), in, intermediate_, queue);
    });
  }
  void middle(PrefetchQueue& queue) const {
    for (std::size_t s = 1; s + 1 < chain_.steps.size(); ++s)
      with_radix(chain_.steps[s].radix,
                 [&](auto radix) { run_middle<radix()>(chain_.steps[s], intermediate_, queue); });
  }
  template <class Out>
  void last(const Out& out, PrefetchQueue& queue) const {
    with_radix(chain_.steps.back().radix, [&](auto radix) {
      run_last<radix()>(chain_.steps.back(), chain_.frequencies(), intermediate_, out, queue);
    });
  }

 private:
  // An odd pitch, so that the points of a butterfly are not in the same cache set.
  LaneTransform(std::int64_t n, bool is_forward, const std::vector<int>& all)
      : memory_(all.front() * (n / all.front() | 1)),
        intermediate_{memory_.get(), all.front(), n / all.front() | 1},
        chain_(n, is_forward, all, {.lines = all.front(), .below = 1, .steps = all.size()}) {}

  LaneBuffer<Values<Real>> memory_;
  Intermediate<Real> intermediate_;
  RadixChain<Real> chain_;
};

}  // namespace weft::WEFT_LANES
