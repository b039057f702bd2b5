// fft/lanes/radix_chain: the steps of a transform in lanes, with their factors.
// Keeps: knows no vectors, so that it is compiled once for all sets of instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace weft {

/// One radix step. Steps of all radices of a length make up the transform. A factor is a real for
/// all lanes, or a vector of one for each lane.
template <class Factor>
struct RadixStep {
  int radix;
  std::int64_t blocks;      ///< consecutive blocks in each line of the data between the steps
  std::int64_t groups;      ///< points of a block / radix: the number of butterflies per block
  std::int64_t stride;      ///< of the points of a butterfly: groups, or more if there is one block
  std::int64_t prefetches;  ///< cache lines to prefetch per butterfly
  /// exp(-2 pi i p k / (radix groups)) for all p < groups, 0 < k < radix, or their conjugates.
  const Factor* factors;
  /// The number by which the first step multiplies all results; its factors include it.
  Factor scale = {};
  bool is_scaled = false;
};

/// The cache lines that a butterfly prefetches, so that all steps together prefetch as many as they
/// transform; a point of a butterfly is two vectors.
std::int64_t prefetches_of(int radix, std::size_t steps, std::int64_t vector_bytes);

/// exp(-2 pi i power / length).
template <class Real>
std::pair<Real, Real> root(std::int64_t power, std::int64_t length);
extern template std::pair<float, float> root(std::int64_t, std::int64_t);
extern template std::pair<double, double> root(std::int64_t, std::int64_t);

/// Where the last step writes the frequencies: block b has *(first + b) + spacing k, except that
/// *first itself is 0 and not, as it is for k > 0, the number of points, if spacing is negative.
struct Frequencies {
  const std::int32_t* first;
  std::int64_t spacing;
};

/// Consecutive steps of a transform, the last one included, with their factors. For the inverse
/// one, only the order in which the last step stores is another; steps before these must be
/// inverse.
template <class Real>
struct RadixChain {
  /// What the rest of the transform adds: the lines that the blocks of all steps but the first are
  /// in, the frequencies of steps before, the number of steps of all, and the bytes of a vector.
  struct Place {
    std::int64_t lines, below;
    std::size_t steps;
    std::int64_t vector_bytes;
  };
  std::vector<RadixStep<Real>> steps;
  std::vector<Real> factors;
  std::vector<std::int32_t> order;  // the first frequency of every block of the last step
  std::int64_t spacing;             // of the frequencies of a block

  RadixChain(std::int64_t n, bool is_forward, const std::vector<int>& all, Place place);
  RadixChain(const RadixChain&) = delete;
  RadixChain& operator=(const RadixChain&) = delete;
  ~RadixChain();

  Frequencies frequencies() const { return {order.data(), spacing}; }
  void scale_first(Real factor);

 private:
  void extend_order(std::int64_t below, int radix);
  void reverse(std::int64_t n);
};
extern template struct RadixChain<float>;
extern template struct RadixChain<double>;

}  // namespace weft
