// fft/lanes/point_lanes: contiguous c2c lines, one after the other. In the first step adjacent
// points are in the lanes of a vector; before its results are stored, they are transposed in
// registers, so that adjacent frequencies of this step are in the lanes of all other steps, and the
// last one stores adjacent frequencies of the line. Include after all other headers, as
// fft/lanes/vectors.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "weft/fft/engine.hpp"
#include "weft/fft/lanes/lane_access.hpp"
#include "weft/fft/lanes/lane_loops.hpp"
#include "weft/fft/lanes/lane_transform.hpp"
#include "weft/fft/lanes/radices.hpp"
#include "weft/fft/lanes/transposition.hpp"

namespace weft::WEFT_LANES {

// A line by vectors of adjacent points or frequencies.
template <class Real>
struct PointVectors {
  static constexpr std::size_t lanes = vector_bytes / sizeof(Real);
  Real* data;

  WEFT_INLINE Values<Real> get(std::int64_t first) const { return load(address(first)); }
  // The same for fewer points than lanes; the other lanes are zero.
  WEFT_INLINE Values<Real> get(std::int64_t first, std::int64_t points) const {
    constexpr auto most = static_cast<std::int64_t>(lanes);
    const Mask<Real> low(std::min(2 * points, most)), high(std::max(2 * points - most, {}));
    return parts_of(Numbers<Real>{low.load(data + 2 * first), high.load(data + 2 * first + lanes)});
  }
  WEFT_INLINE void put(std::int64_t first, Values<Real> values) const {
    store(address(first), values);
  }

  static constexpr bool has_addresses = true;
  WEFT_INLINE Real* address(std::int64_t point) const { return data + 2 * point; }
  WEFT_INLINE std::int64_t address_step(std::int64_t points) const { return 2 * points; }
  static WEFT_INLINE Values<Real> load(const Real* from) { return load_adjacent(from); }
  static WEFT_INLINE void store(Real* to, Values<Real> values) { store_adjacent(to, values); }
  // Which of adjacent points is in lane `i`.
  static constexpr std::size_t place(std::size_t i) {
    return static_cast<std::size_t>(Order<Real>::part(static_cast<int>(i), 0)) / 2;
  }
};

// Some lines, which begin `stride` reals apart.
template <class Real>
struct PointLines {
  PointVectors<Real> line;  // the first of them
  std::int64_t stride, count;
};

// Where frequencies k of as many vectors of adjacent points were, there are now these points of as
// many adjacent frequencies, point by point, at `to`.
template <class Real, std::size_t frequencies>
WEFT_INLINE void store_transposed(const std::array<Values<Real>, frequencies>& x, std::size_t k,
                                  Values<Real>* to) {
  using Square = Transposition<sizeof(Real)>;
  using Doubles = typename Square::Doubles;
  using Vector = typename VectorOf<Real>::type;
  constexpr auto place = PointVectors<Real>::place;
  typename Square::Rows re, im;
#pragma GCC unroll 16
  for (std::size_t i = 0; i < Square::size; ++i) {
    re[i] = reinterpret_cast<Doubles>(x[k + place(i)].re);
    im[i] = reinterpret_cast<Doubles>(x[k + place(i)].im);
  }
  Square::run(re);
  Square::run(im);
#pragma GCC unroll 16
  for (std::size_t i = 0; i < Square::size; ++i)
    to[place(i)] = {reinterpret_cast<Vector>(re[i]), reinterpret_cast<Vector>(im[i])};
}

// The lines of Intermediate that each line has, and the parts that these are cut into: the blocks
// of the first of their steps. One place between parts stays empty, so that the points of a
// butterfly are not in the same cache set.
struct Division {
  std::int64_t lines, parts = 1, points = 0;  // points: of a part; 0 where nothing is cut
};

// One butterfly of the first step. Each get(k) is a vector of adjacent points.
template <int radix, class Real, class Factor, class Get>
WEFT_INLINE void run_butterfly_of_points(const RadixStep<Factor>& step, const Get& get,
                                         const Factor* factors, Values<Real>* to,
                                         std::int64_t pitch) {
  constexpr auto lanes = static_cast<std::int64_t>(PointVectors<Real>::lanes);
  std::array<Values<Real>, radix> frequencies;
  Butterfly<radix, Real>::run(get, [&](std::size_t k, Values<Real> value) WEFT_INLINE_LAMBDA {
    frequencies[k] = twiddled_and_scaled(value, k, step, factors);
  });
#pragma GCC unroll 2
  for (std::int64_t k = 0; k < radix; k += lanes)
    store_transposed(frequencies, static_cast<std::size_t>(k), to + k / lanes * pitch);
}

// The last butterfly of the first step of a line whose groups are not whole vectors. `to` is where
// the first butterfly of the line stores.
template <int radix, class Real, class Factor>
__attribute__((noinline)) void run_first_of_last_points(const RadixStep<Factor>& step,
                                                        bool is_forward, PointVectors<Real> line,
                                                        Values<Real>* to, std::int64_t pitch) {
  constexpr auto lanes = static_cast<std::int64_t>(PointVectors<Real>::lanes);
  const std::int64_t groups = step.groups, p = groups / lanes * lanes,
                     spacing = is_forward ? groups : -groups,
                     begin = is_forward ? 0 : groups * radix;
  std::array<Values<Real>, radix> x;
  x[0] = line.get(p, groups - p);
#pragma GCC unroll 16
  for (int k = 1; k < radix; ++k)
    x[static_cast<std::size_t>(k)] = line.get(begin + p + spacing * k, groups - p);
  run_butterfly_of_points<radix, Real>(
      step, [&](std::size_t k) WEFT_INLINE_LAMBDA { return x[k]; },
      step.factors + p / lanes * 2 * (radix - 1), to + p, pitch);
}

// The first step of some lines: each becomes as many lines of Intermediate as vectors hold the
// frequencies of a butterfly. The inverse transform takes the points of a butterfly but the first
// in the opposite order, and has the conjugate factors.
template <int radix, class Real, class Factor>
__attribute__((noinline)) void run_first_of_points(const RadixStep<Factor>& step, bool is_forward,
                                                   PointLines<Real> in, Intermediate<Real> out,
                                                   Division division, PrefetchQueue& queue) {
  constexpr auto lanes = static_cast<std::int64_t>(PointVectors<Real>::lanes);
  const std::int64_t groups = step.groups,
                     vectors = (division.points > 0 ? division.points : groups) / lanes,
                     spacing = in.line.address_step(is_forward ? groups : -groups),
                     begin = in.line.address_step(is_forward ? 0 : groups * radix);
  const bool is_whole = groups % lanes == 0;
  const Factor* factors = step.factors;
  const Real* first = in.line.data;
  Values<Real>* to = out.data;
  std::int64_t left = vectors, parts = division.parts;  // of this part, and of this line
  // The butterflies of all lines, of which there is at least one, are one loop, as in run_last.
  while (true) {
    if (left > 0) {
      queue.prefetch(step.prefetches);
      const SpacedAddresses<radix, const Real> from(first + begin, spacing);
      run_butterfly_of_points<radix, Real>(
          step,
          [&](std::size_t k) WEFT_INLINE_LAMBDA { return load_adjacent(k == 0 ? first : from[k]); },
          factors, to, out.pitch);
      first += 2 * lanes;
      to += lanes;
      factors += 2 * (radix - 1);
      if (--left > 0) continue;
    }
    left = vectors;
    ++to;
    if (--parts > 0) continue;
    if (!is_whole) {
      queue.prefetch(step.prefetches);
      run_first_of_last_points<radix>(step, is_forward, in.line, out.data, out.pitch);
    }
    if (--in.count == 0) return;
    parts = division.parts;
    factors = step.factors;
    first = in.line.data += in.stride;
    to = out.data += radix / lanes * out.pitch;
  }
}

// The last step. Each part has blocks of its own.
template <int radix, class Real>
__attribute__((noinline)) void run_last_of_points(const RadixStep<Real>& step,
                                                  Frequencies frequencies, Division division,
                                                  Intermediate<Real> in, PointLines<Real> out,
                                                  PrefetchQueue& queue) {
  constexpr auto lanes = static_cast<std::int64_t>(PointVectors<Real>::lanes);
  in.lines = division.parts;
  for (std::int64_t i = 0; i < out.count; ++i, out.line.data += out.stride)
    for (std::int64_t line = 0; line < division.lines; ++line, in.data += in.lines * in.pitch) {
      const PointVectors<Real> to{out.line.address(line * lanes)};
      run_last_butterflies<radix, Real>(step, frequencies, in, to, queue);
    }
}

/// Transforms of `n` points, forward or inverse, for which there are point_radices.
template <class Real>
class PointTransform {
 public:
  PointTransform(std::int64_t n, bool is_forward)
      : PointTransform(n, is_forward, point_radices(n, lanes)) {}

  /// Multiplies all results of run from now on with a power of two. At most once.
  void scale(double factor) {
    const Vector all = in_all_lanes<Real>(static_cast<Real>(factor));
    const std::int64_t count = 2 * (first_.radix - 1) * vectors_of(first_.groups);
    for (std::int64_t i = 0; i < count; ++i) first_factors_.get()[i] *= all;
    first_.scale = all;
    first_.is_scaled = true;
  }

  /// As many lines as may be transformed at once.
  std::int64_t lines_at_once() const { return lines_at_once_; }
  /// Reads all points of `in` before it writes the first of `out`.
  void run(PointLines<Real> in, PointLines<Real> out, PrefetchQueue& queue) const {
    Intermediate<Real> data{memory_.get(), in.count * division_.lines, pitch_};
    with_radix<lanes, 16>(first_.radix, [&](auto radix) {
      if constexpr (radix() % lanes == 0)
        run_first_of_points<radix()>(first_, is_forward_, in, data, division_, queue);
    });
    for (std::size_t s = 0; s + 1 < chain_.steps.size(); ++s) {
      with_early_radix(chain_.steps[s].radix,
                       [&](auto radix) { run_middle<radix()>(chain_.steps[s], data, queue); });
      if (s > 0) continue;
      data.lines *= division_.parts;
      data.pitch /= division_.parts;
    }
    with_last_radix(chain_.steps.back().radix, [&](auto radix) {
      run_last_of_points<radix()>(chain_.steps.back(), chain_.frequencies(), division_, data, out,
                                  queue);
    });
  }

 private:
  using Vector = typename VectorOf<Real>::type;
  static constexpr std::int64_t lanes = vector_bytes / sizeof(Real);

  PointTransform(std::int64_t n, bool is_forward, const std::vector<int>& all)
      : is_forward_(is_forward),
        division_(division_of(n / all.front(), all)),
        pitch_(division_.points > 0 ? division_.parts * (division_.points + 1)
                                    : vectors_of(n / all.front()) * lanes | 1),
        lines_at_once_(lines_for(n)),
        memory_(lines_at_once_ * division_.lines * pitch_),
        first_factors_(2 * (all.front() - 1) * vectors_of(n / all.front())),
        chain_(n / all.front(), is_forward, {all.begin() + 1, all.end()},
               {.lines = division_.parts,
                .below = all.front(),
                .steps = all.size(),
                .vector_bytes = vector_bytes}) {
    const std::int64_t points = n / all.front();
    first_ = {all.front(),
              1,
              points,
              points,
              prefetches_of(all.front(), all.size(), vector_bytes),
              first_factors_.get()};
    Vector* factors = first_factors_.get();
    for (std::int64_t p = 0; p < points; p += lanes)
      for (int k = 1; k < all.front(); ++k, factors += 2)
        set_factors(factors, p, is_forward ? k : -k, n);
    // The first of the other steps steps over the places between parts.
    if (division_.points > 0) ++chain_.steps.front().stride;
  }

  static std::int64_t vectors_of(std::int64_t points) { return (points + lanes - 1) / lanes; }
  // Cut is where a multiple of 4 KiB would be between the points of a butterfly.
  static Division division_of(std::int64_t points, const std::vector<int>& all) {
    constexpr std::int64_t worth_cutting = 4096 / static_cast<std::int64_t>(sizeof(Values<Real>));
    const std::int64_t lines = all.front() / lanes;
    if (all.size() < 3 || points % (all[1] * worth_cutting) != 0) return {lines};
    return {lines, all[1], points / all[1]};
  }
  // A choice: the intermediate data of lines that are transformed at once fit a third of a level-1
  // cache of 48 KiB.
  static std::int64_t lines_for(std::int64_t n) {
    constexpr std::int64_t bytes = 16 << 10;
    return std::max<std::int64_t>(1, bytes / (n * 2 * static_cast<std::int64_t>(sizeof(Real))));
  }
  // Sets the factors of points p to p + lanes - 1 for frequency k.
  static void set_factors(Vector* to, std::int64_t p, int k, std::int64_t length) {
    for (std::int64_t i = 0; i < lanes; ++i) {
      const auto place = PointVectors<Real>::place(static_cast<std::size_t>(i));
      const auto [re, im] = root<Real>((p + static_cast<std::int64_t>(place)) * k, length);
      to[0][i] = re;
      to[1][i] = im;
    }
  }
  bool is_forward_;
  Division division_;
  std::int64_t pitch_, lines_at_once_;
  LaneBuffer<Values<Real>> memory_;
  LaneBuffer<Vector> first_factors_;
  RadixStep<Vector> first_{};
  RadixChain<Real> chain_;  // of the steps but the first
};

/// Contiguous c2c lines.
template <class Real>
class PointKernel : public KernelOfLanes {
 public:
  explicit PointKernel(const Lines& lines)
      : KernelOfLanes(lines, lines.loops.empty() ? nullptr : &lines.loops.back()),
        transform_(lines.n, lines.sign < 0) {
    if (lines.factor != 1) transform_.scale(lines.factor);
  }

 private:
  void run_across(void* in, void* out, PrefetchQueue& queue) override {
    const auto& [all, in_stride, out_stride] = layout().across;
    for (std::int64_t i = 0; i < all; i += transform_.lines_at_once()) {
      const std::int64_t count = std::min(transform_.lines_at_once(), all - i);
      transform_.run({{static_cast<Real*>(in) + i * in_stride}, in_stride, count},
                     {{static_cast<Real*>(out) + i * out_stride}, out_stride, count}, queue);
    }
  }

  PointTransform<Real> transform_;
};

}  // namespace weft::WEFT_LANES
