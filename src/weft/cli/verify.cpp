// cli/verify: computes direct sums over each rank's data and adds them up over the ranks.

#include "weft/cli/verify.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "weft/base/ensure.hpp"
#include "weft/cli/error_limit.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/problem/axis_transform.hpp"
#include "weft/problem/line_transform.hpp"

namespace weft::cli {

namespace {

__extension__ typedef __int128 Wide;  // products of two indices

constexpr int points = 8;

// A complex number. The multiplication of std::complex checks for infinities, which makes it
// several times slower.
struct Value {
  long double re = 0, im = 0;

  Value& operator+=(const Value& other) {
    re += other.re;
    im += other.im;
    return *this;
  }
  friend Value operator*(const Value& a, const Value& b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
};

template <class Real>
Value value_of(Real x) {
  return {x, 0};
}
template <class Real>
Value value_of(const std::complex<Real>& x) {
  return {x.real(), x.imag()};
}

std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;  // splitmix64
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

// Pseudo-random points, the same on every rank.
std::vector<Dims> chosen_points(const Extents& extents) {
  std::vector<Dims> chosen;
  std::uint64_t state = 0;
  for (auto n : extents) state = mixed(state + static_cast<std::uint64_t>(n));
  for (int i = 0; i < points; ++i) {
    Dims at;
    for (auto n : extents) {
      state = mixed(state);
      at.push_back(static_cast<std::int64_t>(state % static_cast<std::uint64_t>(n)));
    }
    chosen.push_back(at);
  }
  return chosen;
}

// cos(pi num/den), with the product of two indices in num.
long double cosine(Wide num, std::int64_t den) {
  ensure(den > 0);  // DCT-I has two points at least
  return std::cos(std::numbers::pi_v<long double> *
                  static_cast<long double>(num % (2 * static_cast<Wide>(den))) /
                  static_cast<long double>(den));
}
long double sine(Wide num, std::int64_t den) {
  return std::sin(std::numbers::pi_v<long double> *
                  static_cast<long double>(num % (2 * static_cast<Wide>(den))) /
                  static_cast<long double>(den));
}

// What value j of n contributes to coefficient k of a sine or cosine transform without norm.
long double wave(Basis kind, Wide j, Wide k, std::int64_t n) {
  const bool is_first = j == 0, is_last = j == n - 1;
  switch (kind) {
    case Basis::dct1:
      return (is_first || is_last ? 1 : 2) * cosine(j * k, n - 1);
    case Basis::dct2:
      return 2 * cosine((2 * j + 1) * k, 2 * n);
    case Basis::dct3:
      return (is_first ? 1 : 2) * cosine(j * (2 * k + 1), 2 * n);
    case Basis::dct4:
      return 2 * cosine((2 * j + 1) * (2 * k + 1), 4 * n);
    case Basis::dst1:
      return 2 * sine((j + 1) * (k + 1), n + 1);
    case Basis::dst2:
      return 2 * sine((2 * j + 1) * (k + 1), 2 * n);
    case Basis::dst3:
      return (is_last ? 1 : 2) * sine((j + 1) * (2 * k + 1), 2 * n);
    case Basis::dst4:
      return 2 * sine((2 * j + 1) * (2 * k + 1), 4 * n);
    default:
      ensure(false, to_string(kind));
      return 0;
  }
}

// The index of a wave among all coefficients.
Dims place_of(const Wave& wave, const Extents& extents) {
  Dims index;
  for (int axis = 0; axis < extents.size(); ++axis) {
    const std::int64_t number = wave[static_cast<std::size_t>(axis)];
    index.push_back(number >= 0 ? number : number + extents[axis]);
  }
  return index;
}

// The contribution of this rank's part of the input to one output point.
template <class T>
class DirectSum {
 public:
  DirectSum(const Problem& problem, int sign, const Dims& at)
      : problem_(problem), sign_(sign), at_(at) {
    for (int axis = 0; axis < at.size(); ++axis) axes_.push_back(axis_transform(problem, axis));
  }

  Value over(Box box, const T* data, const Dims& strides) {
    // Sums over parts of a long axis, so that the table of factors stays small.
    for (int axis = 0; axis < box.axes(); ++axis) {
      if (box.extent(axis) <= longest_table) continue;
      Value sum;
      const Range all = box.range(axis);
      for (std::int64_t lo = all.lo; lo < all.hi; lo += longest_table) {
        box.set(axis, {lo, std::min(all.hi, lo + longest_table)});
        sum += over(box, data + (lo - all.lo) * strides[axis], strides);
      }
      return sum;
    }
    factors_.clear();
    for (int axis = 0; axis < box.axes(); ++axis)
      factors_.push_back(
          !axes_[static_cast<std::size_t>(axis)].is_transformed ? selectors(axis, box.range(axis))
          : basis_of(problem_, axis) == Basis::fourier ? exponentials(axis, box.range(axis))
                                                       : waves(axis, box.range(axis)));
    return sum_along(0, data, strides);
  }

  // The same of the waves of a cut-off. Those of a real field stand for their negatives, too.
  Value over(const weft::Waves& waves, const T* data) {
    factors_.clear();
    const int half = half_axis(problem_);
    const Extents extents = halved(problem_.extents, half);
    for (int axis = 0; axis < extents.size(); ++axis)
      factors_.push_back(exponentials(axis, {0, extents[axis]}));
    Value sum;
    for (std::int64_t i = 0; i < waves.size(); ++i) {
      const Dims index = place_of(waves[i], problem_.extents);
      Value term = value_of(data[i]);
      for (std::size_t axis = 0; axis < factors_.size(); ++axis)
        term = term * factors_[axis][static_cast<std::size_t>(index[static_cast<int>(axis)])];
      const bool has_negative = half >= 0 && index[half] == 0 && waves[i] != Wave{};
      sum += Value{has_negative ? 2.0L : 1.0L, 0} * term;
    }
    return sum;
  }

 private:
  static constexpr std::int64_t longest_table = 1 << 16, exact_every = 256;

  // Indices of the grid, or of all coefficients, from those of the arrays.
  std::int64_t index_in(int axis, std::int64_t i) const { return index_of(axis, i, sign_ < 0); }
  std::int64_t index_out(int axis) const { return index_of(axis, at_[axis], sign_ > 0); }
  std::int64_t index_of(int axis, std::int64_t i, bool in_space) const {
    const AxisTransform& transform = axes_[static_cast<std::size_t>(axis)];
    return (in_space ? transform.before : transform.after).position(i, transform.points);
  }

  // exp(sign 2 pi i turns / n)
  Value exponential(std::int64_t turns, std::int64_t n) const {
    const long double angle = sign_ * 2 * std::numbers::pi_v<long double> *
                              static_cast<long double>(turns) / static_cast<long double>(n);
    return {std::cos(angle), std::sin(angle)};
  }

  // exp(sign 2 pi i j k / n) for the indices j of `range`. The missing half of a halved spectrum is
  // the complex conjugate of the other, so the sum is twice the real part, except for the points
  // that are their own conjugates.
  std::vector<Value> exponentials(int axis, Range range) const {
    const std::int64_t n = problem_.extents[axis], k = index_out(axis);
    const bool is_half = sign_ > 0 && axis == half_axis(problem_);
    const Value step = exponential(k, n);
    std::vector<Value> factors;
    Value unit;
    for (std::int64_t i = range.lo, before = -1; i < range.hi; ++i) {
      const std::int64_t j = index_in(axis, i);
      const bool is_exact = (i - range.lo) % exact_every == 0 || j != before + 1;
      before = j;
      unit = is_exact ? exponential(static_cast<std::int64_t>(static_cast<Wide>(j) * k % n), n)
                      : unit * step;
      const long double weight = is_half && j > 0 && 2 * j != n ? 2 : 1;
      factors.push_back({weight * unit.re, weight * unit.im});
    }
    return factors;
  }

  // The factors of a sine, cosine or Chebyshev basis.
  std::vector<Value> waves(int axis, Range range) const {
    const std::int64_t n = problem_.extents[axis], k = index_out(axis);
    const LineTransform line = line_transform(basis_of(problem_, axis), sign_ < 0, problem_.norm);
    const double out = (k == 0 ? line.first_out : 1) * (k == n - 1 ? line.last_out : 1);
    std::vector<Value> factors;
    for (std::int64_t i = range.lo; i < range.hi; ++i) {
      const std::int64_t j = index_in(axis, i);
      const double in = (j == 0 ? line.first_in : 1) * (j == n - 1 ? line.last_in : 1);
      factors.push_back({in * out * wave(line.kind, j, k, n), 0});
    }
    return factors;
  }

  // The factors along an axis that is not transformed: 1 at the index of the point, else 0.
  std::vector<Value> selectors(int axis, Range range) const {
    std::vector<Value> factors(static_cast<std::size_t>(range.size()));
    if (at_[axis] >= range.lo && at_[axis] < range.hi)
      factors[static_cast<std::size_t>(at_[axis] - range.lo)] = {1, 0};
    return factors;
  }

  Value sum_along(int axis, const T* data, const Dims& strides) const {
    const auto& factors = factors_[static_cast<std::size_t>(axis)];
    const bool is_last = axis + 1 == at_.size();
    Value sum;
    for (std::size_t j = 0; j < factors.size(); ++j, data += strides[axis]) {
      const Value& f = factors[j];
      if (f.re == 0 && f.im == 0) continue;
      sum += f * (is_last ? value_of(*data) : sum_along(axis + 1, data, strides));
    }
    return sum;
  }

  const Problem& problem_;
  int sign_;
  const Dims& at_;
  std::vector<AxisTransform> axes_;
  std::vector<std::vector<Value>> factors_;
};

// Calls body(T()) for the C++ type of `scalar`.
template <class Body>
void with_type(Scalar scalar, const Body& body) {
  if (scalar.precision == Precision::single_precision)
    scalar.is_complex ? body(std::complex<float>()) : body(float());
  else
    scalar.is_complex ? body(std::complex<double>()) : body(double());
}

template <class T, class Visit>
void for_each_box(const Side& side, const Visit& visit) {
  for (std::size_t i = 0; i < side.share.boxes.size(); ++i)
    visit(side.share.boxes[i], static_cast<const T*>(side.data) + side.share.array.offsets[i],
          side.share.array.layouts[i].strides);
}

struct Largest {
  double value = -1;
  Dims at;
};

template <class T>
void find_largest(const Box& box, const T* data, const Dims& strides, Dims at, int axis,
                  Largest& most) {
  for (at[axis] = box.lo[axis]; at[axis] < box.hi[axis]; ++at[axis], data += strides[axis]) {
    if (axis + 1 < box.axes())
      find_largest(box, data, strides, at, axis + 1, most);
    else if (const auto value = static_cast<double>(std::abs(*data));
             !(value <= most.value) && !std::isnan(most.value))
      most = {value, at};
  }
}

template <class T>
void find_largest(const weft::Waves& waves, const T* data, const Extents& extents, Largest& most) {
  for (std::int64_t i = 0; i < waves.size(); ++i)
    if (const auto value = static_cast<double>(std::abs(data[i]));
        !(value <= most.value) && !std::isnan(most.value))
      most = {value, place_of(waves[i], extents)};
}

// Pseudo-random waves of a cut-off, the same on every rank. Collective.
std::vector<Dims> chosen_waves(const Communicator& comm, const weft::Waves& mine,
                               const Extents& extents) {
  const auto counts = comm.gather_each(mine.size());
  std::int64_t before = 0, all = 0;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    if (static_cast<int>(rank) < comm.rank()) before += counts[rank];
    all += counts[rank];
  }
  ensure(all > 0);
  std::vector<Dims> chosen;
  std::uint64_t state = static_cast<std::uint64_t>(all);
  for (int i = 0; i < points; ++i) {
    state = mixed(state);
    const auto number = static_cast<std::int64_t>(state % static_cast<std::uint64_t>(all)) - before;
    std::vector<std::int64_t> index;
    if (number >= 0 && number < mine.size())
      for (const auto at : place_of(mine[number], extents)) index.push_back(at);
    for (const auto& found : comm.gather_all(index)) {
      if (found.empty()) continue;
      chosen.emplace_back();
      for (const auto at : found) chosen.back().push_back(at);
    }
  }
  return chosen;
}

// The largest value of all ranks; NaN, and its point, if a value is not a number. Collective.
Largest largest_of(const Communicator& comm, const Side& side, const Extents& grid) {
  Largest most;
  with_type(side.share.scalar, [&](auto type) {
    using T = decltype(type);
    for_each_box<T>(side, [&](const Box& box, const T* data, const Dims& strides) {
      find_largest(box, data, strides, box.lo, 0, most);
    });
    find_largest(side.share.waves, static_cast<const T*>(side.data), grid, most);
  });
  const double value = comm.max(most.value);
  const bool is_mine =
      (most.value == value || (std::isnan(most.value) && std::isnan(value))) && !most.at.empty();
  for (const auto& at :
       comm.gather_all(is_mine ? std::vector<std::int64_t>(most.at.begin(), most.at.end())
                               : std::vector<std::int64_t>()))
    if (!at.empty()) {
      Largest found{value, {}};
      for (auto index : at) found.at.push_back(index);
      return found;
    }
  return {0, Dims::filled(side.share.extents.size(), 0)};
}

}  // namespace

Verdict verify(const Communicator& comm, const Problem& problem, bool backward, const Side& from,
               const Side& to) {
  const bool is_inverse = backward != (problem.kind == Kind::c2r);
  const auto factor = static_cast<long double>(norm_factor(problem, !is_inverse));
  // Most points of a smooth field's spectrum are negligible beside the largest value, so a wrong
  // factor can be seen only at that value.
  const Largest largest = largest_of(comm, to, problem.extents);
  const bool makes_waves = problem.cutoff.is_given() && !is_inverse;
  auto chosen = makes_waves ? chosen_waves(comm, to.share.waves, problem.extents)
                            : chosen_points(to.share.extents);
  chosen.front() = largest.at;

  // For every point the direct sum and the result, each added up over the ranks.
  std::array<Value, 2 * points> mine{}, all{};
  for (std::size_t i = 0; i < points; ++i) {
    const Dims& at = chosen[i];
    Value& expected = mine[2 * i];
    Value& found = mine[2 * i + 1];
    with_type(from.share.scalar, [&](auto type) {
      using T = decltype(type);
      DirectSum<T> sum(problem, is_inverse ? 1 : -1, at);
      for_each_box<T>(from, [&](const Box& box, const T* data, const Dims& strides) {
        expected += Value{factor, 0} * sum.over(box, data, strides);
      });
      if (!from.share.waves.empty())
        expected += Value{factor, 0} * sum.over(from.share.waves, static_cast<const T*>(from.data));
    });
    with_type(to.share.scalar, [&](auto type) {
      using T = decltype(type);
      for_each_box<T>(to, [&](const Box& box, const T* data, const Dims& strides) {
        if (!box.contains(at)) return;
        for (int a = 0; a < box.axes(); ++a) data += (at[a] - box.lo[a]) * strides[a];
        found = value_of(*data);
      });
      const weft::Waves& waves = to.share.waves;
      for (std::int64_t w = 0; w < waves.size(); ++w)
        if (place_of(waves[w], problem.extents) == at)
          found = value_of(static_cast<const T*>(to.data)[w]);
    });
  }
  check_mpi(
      MPI_Allreduce(mine.data(), all.data(), 4 * points, MPI_LONG_DOUBLE, MPI_SUM, comm.handle()),
      "MPI_Allreduce");

  Verdict verdict{points, 0, error_limit(problem.precision)};
  for (std::size_t i = 0; i < all.size(); i += 2) {
    const long double re = all[i].re - all[i + 1].re;
    const long double im = to.share.scalar.is_complex ? all[i].im - all[i + 1].im : 0;
    const double error =
        static_cast<double>(std::hypot(re, im)) / (largest.value > 0 ? largest.value : 1);
    // NaN counts as the largest error.
    if (!std::isnan(verdict.error) && !(error <= verdict.error)) verdict.error = error;
  }
  return verdict;
}

}  // namespace weft::cli
