// fft/lanes/transposition: transposes squares of words in registers.
// Include after all other headers, as fft/lanes/vectors.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "weft/fft/lanes/vectors.hpp"

namespace weft::WEFT_LANES {

// What single instructions do to two vectors: within every 16 bytes, interleave the lower or the
// upper words of both; or put the even, or the odd, 16 bytes of both one after the other.
template <class Vector, std::size_t... i>
WEFT_INLINE Vector interleaved(Vector a, Vector b, bool upper, std::index_sequence<i...>) {
  constexpr std::size_t words = sizeof...(i), words_of_16 = 16 * words / sizeof(Vector);
  constexpr auto from = [](std::size_t word, bool is_upper) {
    const std::size_t at = word % words_of_16;
    return static_cast<int>((at % 2 == 0 ? 0 : words) + word - at + at / 2 +
                            (is_upper ? words_of_16 / 2 : 0));
  };
  if (upper) return __builtin_shufflevector(a, b, from(i, true)...);
  return __builtin_shufflevector(a, b, from(i, false)...);
}
template <class Vector, std::size_t... i>
WEFT_INLINE Vector every_other(Vector a, Vector b, bool odd, std::index_sequence<i...>) {
  constexpr std::size_t words = sizeof...(i), words_of_16 = 16 * words / sizeof(Vector);
  constexpr auto from = [](std::size_t word, bool is_odd) {
    const std::size_t at = word / words_of_16;
    return static_cast<int>((2 * at + (is_odd ? 1 : 0)) * words_of_16 + word % words_of_16);
  };
  if (odd) return __builtin_shufflevector(a, b, from(i, true)...);
  return __builtin_shufflevector(a, b, from(i, false)...);
}

// Transposes as many rows as a vector has words of `bytes` bytes: 4, 8 or 16.
template <std::size_t bytes>
struct Transposition {
  static constexpr std::size_t size = static_cast<std::size_t>(vector_bytes) / bytes;
  using Doubles = typename VectorOf<double>::type;
  using Floats = typename VectorOf<float>::type;
  using EachDouble = std::make_index_sequence<static_cast<std::size_t>(vector_bytes) / 8>;
  using EachFloat = std::make_index_sequence<static_cast<std::size_t>(vector_bytes) / 4>;
  using Rows = std::array<Doubles, size>;

  static WEFT_INLINE void run(Rows& rows) {
    constexpr std::size_t words_of_16 = 16 / bytes;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < size; i += words_of_16) within_16(rows, i);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < words_of_16; ++i) of_16(rows, i);
  }

 private:
  static WEFT_INLINE Doubles interleaved_floats(Doubles a, Doubles b, bool upper) {
    return reinterpret_cast<Doubles>(
        interleaved(reinterpret_cast<Floats>(a), reinterpret_cast<Floats>(b), upper, EachFloat()));
  }
  // Transposes the words of every 16 bytes of as many rows, from row `i` on.
  static WEFT_INLINE void within_16(Rows& rows, std::size_t i) {
    if constexpr (bytes == 8) {
      const Doubles a = rows[i], b = rows[i + 1];
      rows[i] = interleaved(a, b, false, EachDouble());
      rows[i + 1] = interleaved(a, b, true, EachDouble());
    } else if constexpr (bytes == 4) {
      const Doubles lower_01 = interleaved_floats(rows[i], rows[i + 1], false),
                    upper_01 = interleaved_floats(rows[i], rows[i + 1], true),
                    lower_23 = interleaved_floats(rows[i + 2], rows[i + 3], false),
                    upper_23 = interleaved_floats(rows[i + 2], rows[i + 3], true);
      rows[i] = interleaved(lower_01, lower_23, false, EachDouble());
      rows[i + 1] = interleaved(lower_01, lower_23, true, EachDouble());
      rows[i + 2] = interleaved(upper_01, upper_23, false, EachDouble());
      rows[i + 3] = interleaved(upper_01, upper_23, true, EachDouble());
    }
  }
  // Transposes units of 16 bytes: of row `i` and of those that follow it at a distance of as many
  // rows as 16 bytes have words.
  static WEFT_INLINE void of_16(Rows& rows, std::size_t i) {
    constexpr std::size_t next = 16 / bytes;
    if constexpr (vector_bytes == 32) {
      const Doubles a = rows[i], b = rows[i + next];
      rows[i] = every_other(a, b, false, EachDouble());
      rows[i + next] = every_other(a, b, true, EachDouble());
    } else if constexpr (vector_bytes == 64) {
      const Doubles even_01 = every_other(rows[i], rows[i + next], false, EachDouble()),
                    odd_01 = every_other(rows[i], rows[i + next], true, EachDouble()),
                    even_23 =
                        every_other(rows[i + 2 * next], rows[i + 3 * next], false, EachDouble()),
                    odd_23 =
                        every_other(rows[i + 2 * next], rows[i + 3 * next], true, EachDouble());
      rows[i] = every_other(even_01, even_23, false, EachDouble());
      rows[i + next] = every_other(odd_01, odd_23, false, EachDouble());
      rows[i + 2 * next] = every_other(even_01, even_23, true, EachDouble());
      rows[i + 3 * next] = every_other(odd_01, odd_23, true, EachDouble());
    }
  }
};

}  // namespace weft::WEFT_LANES
