// fft/lanes/lane_blocks: loads and stores lines of contiguous complex numbers, one line in each
// lane, by blocks that are transposed in registers. A block has as many numbers of each line as a
// vector holds. Include after all other headers, as fft/lanes/vectors.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "weft/fft/lanes/lane_access.hpp"
#include "weft/fft/lanes/transposition.hpp"

namespace weft::WEFT_LANES {

// The numbers of as many lines as a vector holds numbers, number by number or line by line.
template <class Real>
struct SquareBlock {
  using Squares = Transposition<2 * sizeof(Real)>;
  using Words = typename Squares::Doubles;
  static constexpr std::size_t numbers = Squares::size;
  typename Squares::Rows rows;

  WEFT_INLINE void transpose() { Squares::run(rows); }
};

// Lines of contiguous numbers, the first of which begin at `first`, `line_stride` reals apart.
// Lanes without a line read the last one, and do not write.
template <class Real>
class LineBlocks {
 public:
  static constexpr std::int64_t lanes = vector_bytes / sizeof(Real);
  static constexpr auto block_size = static_cast<std::int64_t>(SquareBlock<Real>::numbers);
  using Block = std::array<Values<Real>, SquareBlock<Real>::numbers>;

  LineBlocks(Real* first, std::int64_t line_stride, std::int64_t count)
      : count_(static_cast<std::size_t>(count)) {
    for (std::int64_t i = 0; i < lanes; ++i)
      lines_[static_cast<std::size_t>(i)] = first + std::min(i, count - 1) * line_stride;
  }

  /// The numbers from `point` on.
  WEFT_INLINE Block get(std::int64_t point) const {
    SquareBlock<Real> low, high;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < numbers; ++i) {
      std::memcpy(&low.rows[i], lines_[i] + 2 * point, vector_bytes);
      std::memcpy(&high.rows[i], lines_[numbers + i] + 2 * point, vector_bytes);
    }
    low.transpose();
    high.transpose();
    Block block;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < numbers; ++i)
      block[i] = parts_of(Numbers<Real>{reinterpret_cast<Vector>(low.rows[i]),
                                        reinterpret_cast<Vector>(high.rows[i])});
    return block;
  }
  WEFT_INLINE void put(std::int64_t point, const Block& block) const {
    SquareBlock<Real> low, high;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < numbers; ++i) {
      const auto both = numbers_of(block[i]);
      low.rows[i] = reinterpret_cast<Words>(both.low);
      high.rows[i] = reinterpret_cast<Words>(both.high);
    }
    low.transpose();
    high.transpose();
    if (count_ == lines_.size()) {
#pragma GCC unroll 8
      for (std::size_t i = 0; i < numbers; ++i) {
        std::memcpy(lines_[i] + 2 * point, &low.rows[i], vector_bytes);
        std::memcpy(lines_[numbers + i] + 2 * point, &high.rows[i], vector_bytes);
      }
      return;
    }
    for (std::size_t i = 0; i < numbers; ++i) {
      if (i < count_) std::memcpy(lines_[i] + 2 * point, &low.rows[i], vector_bytes);
      if (numbers + i < count_)
        std::memcpy(lines_[numbers + i] + 2 * point, &high.rows[i], vector_bytes);
    }
  }

  /// All numbers in [begin, end). If they fill a block, so does the last of them, with some that
  /// were moved before; if not, they are moved number by number.
  WEFT_INLINE void load(Values<Real>* to, std::int64_t begin, std::int64_t end) const {
    if (end - begin < block_size) {
      for (std::int64_t point = begin; point < end; ++point) to[point] = number(point);
      return;
    }
    for (std::int64_t point = begin; point < end; point += block_size) {
      point = std::min(point, end - block_size);
      const Block block = get(point);
#pragma GCC unroll 8
      for (std::size_t i = 0; i < numbers; ++i) to[point + static_cast<std::int64_t>(i)] = block[i];
    }
  }
  /// With exchanged real and imaginary parts if `are_swapped`.
  template <bool are_swapped = false>
  WEFT_INLINE void store(const Values<Real>* from, std::int64_t begin, std::int64_t end) const {
    if (end - begin < block_size) {
      for (std::int64_t point = begin; point < end; ++point)
        put_number(point, swapped_if<are_swapped>(from[point]));
      return;
    }
    for (std::int64_t point = begin; point < end; point += block_size) {
      point = std::min(point, end - block_size);
      Block block;
#pragma GCC unroll 8
      for (std::size_t i = 0; i < numbers; ++i)
        block[i] = swapped_if<are_swapped>(from[point + static_cast<std::int64_t>(i)]);
      put(point, block);
    }
  }

 private:
  static constexpr std::size_t numbers = SquareBlock<Real>::numbers;
  using Vector = typename VectorOf<Real>::type;
  using Words = typename SquareBlock<Real>::Words;

  template <bool are_swapped>
  static WEFT_INLINE Values<Real> swapped_if(Values<Real> values) {
    if constexpr (are_swapped) return {values.im, values.re};
    return values;
  }
  WEFT_INLINE Values<Real> number(std::int64_t point) const {
    return StridedLanes<Real>(lines_, 2).get(point);
  }
  WEFT_INLINE void put_number(std::int64_t point, Values<Real> values) const {
    StridedLanes<Real>(lines_, 2).put(point, values);
  }

  std::array<Real*, lanes> lines_;
  std::size_t count_;
};

}  // namespace weft::WEFT_LANES
