// fft/lanes/convolved_transform: complex transforms of lengths with large prime factors, as
// convolutions, one line in each lane of a vector. Include after all other headers, as
// fft/lanes/vectors.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "weft/fft/lanes/convolution.hpp"
#include "weft/fft/lanes/lane_rows.hpp"
#include "weft/fft/lanes/lane_transform.hpp"

namespace weft::WEFT_LANES {

/// A transform of `n` points with convolution_length(n) > 0, in the three parts of LaneTransform.
template <class Real>
class ConvolvedTransform {
 public:
  explicit ConvolvedTransform(std::int64_t n, bool is_forward = true)
      : ConvolvedTransform(is_forward, convolution_of(n)) {}

  template <class In>
  void first(const In& in, PrefetchQueue& /*queue*/) {
    Values<Real>* const z = memory_.get();
    for (std::size_t i = 0; i < in_points_.size(); ++i) z[i] = in.get(in_points_[i]);
    if (is_without_first_) first_ = in.get(0);
  }
  void middle(PrefetchQueue& queue) {
    multiply_points();
    run(queue);
    multiply_spectrum();
    run(queue);
    multiply_frequencies();
  }
  template <class Out>
  void last(const Out& out, PrefetchQueue& /*queue*/) {
    const Values<Real>* const z = memory_.get();
    if (is_without_first_) out.put(0, sum_);
    for (std::size_t i = 0; i < out_points_.size(); ++i) out.put(out_points_[i], z[i]);
  }

 private:
  struct Factor {
    Real re, im;
  };

  ConvolvedTransform(bool is_forward, Convolution convolution)
      : in_points_(std::move(convolution.in_points)),
        out_points_(std::move(convolution.out_points)),
        in_factors_(in_precision(convolution.in_factors)),
        out_factors_(in_precision(convolution.out_factors)),
        spectrum_(in_precision(convolution.spectrum)),
        is_without_first_(convolution.is_without_first),
        transform_(convolution.length()),
        memory_(convolution.length()) {
    // The inverse transform has at frequency n-f what the forward one has at f.
    if (is_forward) return;
    const auto n = static_cast<std::int32_t>(out_points_.size() + (is_without_first_ ? 1 : 0));
    for (std::int32_t& point : out_points_) point = point == 0 ? 0 : n - point;
  }

  static std::vector<Factor> in_precision(const std::vector<Convolution::Number>& numbers) {
    std::vector<Factor> factors;
    factors.reserve(numbers.size());
    for (const Convolution::Number& number : numbers)
      factors.push_back({static_cast<Real>(number.real()), static_cast<Real>(number.imag())});
    return factors;
  }
  static Values<Real> swapped(Values<Real> value) { return {value.im, value.re}; }

  void run(PrefetchQueue& queue) {
    transform_.first(Buffered<Real>{memory_.get()}, queue);
    transform_.middle(queue);
    transform_.last(Buffered<Real>{memory_.get()}, queue);
  }

  __attribute__((noinline)) void multiply_points() {
    Values<Real>* const z = memory_.get();
    for (std::size_t i = 0; i < in_factors_.size(); ++i)
      z[i] = times(z[i], in_factors_[i].re, in_factors_[i].im);
    for (std::size_t i = in_points_.size(); i < spectrum_.size(); ++i) z[i] = Values<Real>{};
  }
  // With real and imaginary parts swapped, the forward transform that follows is the inverse one.
  __attribute__((noinline)) void multiply_spectrum() {
    Values<Real>* const z = memory_.get();
    const Values<Real> all = z[0];
    for (std::size_t i = 0; i < spectrum_.size(); ++i)
      z[i] = swapped(times(z[i], spectrum_[i].re, spectrum_[i].im));
    if (!is_without_first_) return;
    sum_ = first_ + all;
    z[0] = z[0] + swapped(first_);
  }
  __attribute__((noinline)) void multiply_frequencies() {
    Values<Real>* const z = memory_.get();
    if (out_factors_.empty()) {
      for (std::size_t i = 0; i < out_points_.size(); ++i) z[i] = swapped(z[i]);
    } else {
      for (std::size_t i = 0; i < out_points_.size(); ++i)
        z[i] = times(swapped(z[i]), out_factors_[i].re, out_factors_[i].im);
    }
  }

  std::vector<std::int32_t> in_points_, out_points_;
  std::vector<Factor> in_factors_, out_factors_, spectrum_;
  bool is_without_first_;
  LaneTransform<Real> transform_;
  LaneBuffer<Values<Real>> memory_;  // convolution.length() complex numbers of each line
  Values<Real> first_{}, sum_{};
};

}  // namespace weft::WEFT_LANES
