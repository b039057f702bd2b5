// fft/lane_blocks: loads and stores lines of contiguous complex numbers, one line in each lane, by
// blocks that are transposed in registers.
// A block has as many numbers of each line as a vector holds. Include after all other headers, as
// fft/butterflies.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "weft/fft/lane_access.hpp"

namespace weft::WEFT_LANES {

// The numbers of as many lines as a vector holds numbers, number by number or line by line. A
// number of floats is moved like a double, one of doubles like two.
template <class Real>
struct SquareBlock {
  using Vector = typename VectorOf<Real>::type;
  using Words = typename VectorOf<double>::type;
  static constexpr std::size_t words = vector_bytes / 8, words_of_number = 2 * sizeof(Real) / 8;
  static constexpr std::size_t numbers = words / words_of_number;
  std::array<Words, numbers> rows;

  // Word i of two rows, one after the other, of which every other run of `distance` numbers has
  // been exchanged: those of the upper row that come first with those of the lower that come last.
  static constexpr int exchanged(std::size_t i, std::size_t distance, bool lower) {
    const std::size_t run = distance * words_of_number;
    const bool is_late = (i / run) % 2 == 1;
    if (lower) return static_cast<int>(is_late ? words + i : i + run);
    return static_cast<int>(is_late ? words + i - run : i);
  }
  template <std::size_t distance, std::size_t... i>
  static WEFT_INLINE void exchange(Words& upper, Words& lower, std::index_sequence<i...>) {
    const Words a = upper, b = lower;
    upper = __builtin_shufflevector(a, b, exchanged(i, distance, false)...);
    lower = __builtin_shufflevector(a, b, exchanged(i, distance, true)...);
  }
  template <std::size_t distance = 1>
  WEFT_INLINE void transpose() {
    if constexpr (distance < numbers) {
#pragma GCC unroll 8
      for (std::size_t i = 0; i < numbers; ++i)
        if ((i & distance) == 0)
          exchange<distance>(rows[i], rows[i + distance], std::make_index_sequence<words>());
      transpose<2 * distance>();
    }
  }
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

  /// The numbers from `point` on; with exchanged real and imaginary parts if not `forward`.
  template <bool forward>
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
      block[i] = parts_of<forward>(Numbers<Real>{reinterpret_cast<Vector>(low.rows[i]),
                                                 reinterpret_cast<Vector>(high.rows[i])});
    return block;
  }
  template <bool forward>
  WEFT_INLINE void put(std::int64_t point, const Block& block) const {
    SquareBlock<Real> low, high;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < numbers; ++i) {
      const auto both = numbers_of<forward>(block[i]);
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
  template <bool forward>
  WEFT_INLINE void load(Values<Real>* to, std::int64_t begin, std::int64_t end) const {
    if (end - begin < block_size) {
      for (std::int64_t point = begin; point < end; ++point) to[point] = number<forward>(point);
      return;
    }
    for (std::int64_t point = begin; point < end; point += block_size) {
      point = std::min(point, end - block_size);
      const Block block = get<forward>(point);
#pragma GCC unroll 8
      for (std::size_t i = 0; i < numbers; ++i) to[point + static_cast<std::int64_t>(i)] = block[i];
    }
  }
  template <bool forward>
  WEFT_INLINE void store(const Values<Real>* from, std::int64_t begin, std::int64_t end) const {
    if (end - begin < block_size) {
      for (std::int64_t point = begin; point < end; ++point)
        put_number<forward>(point, from[point]);
      return;
    }
    for (std::int64_t point = begin; point < end; point += block_size) {
      point = std::min(point, end - block_size);
      Block block;
#pragma GCC unroll 8
      for (std::size_t i = 0; i < numbers; ++i)
        block[i] = from[point + static_cast<std::int64_t>(i)];
      put<forward>(point, block);
    }
  }

 private:
  static constexpr std::size_t numbers = SquareBlock<Real>::numbers;
  using Vector = typename VectorOf<Real>::type;
  using Words = typename SquareBlock<Real>::Words;

  template <bool forward>
  WEFT_INLINE Values<Real> number(std::int64_t point) const {
    return StridedLanes<Real, forward>(lines_, 2).get(point);
  }
  template <bool forward>
  WEFT_INLINE void put_number(std::int64_t point, Values<Real> values) const {
    StridedLanes<Real, forward>(lines_, 2).put(point, values);
  }

  std::array<Real*, lanes> lines_;
  std::size_t count_;
};

}  // namespace weft::WEFT_LANES
