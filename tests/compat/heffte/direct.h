// tests/compat/heffte/direct: direct sums in long double, and fields that every rank knows.
// Keeps: nothing of weft's; C++11, as programs for heFFTe are.
#ifndef DIRECT_H
#define DIRECT_H

#include <heffte.h>

#include <cstdio>
#include <cstdlib>

namespace direct {

using Long = std::complex<long double>;
using Box = heffte::box3d<>;

/// The points of a grid, axis 0 fastest.
struct Grid {
  std::array<int, 3> n;
  std::size_t at(int i, int j, int k) const {
    return static_cast<std::size_t>((k * n[1] + j) * n[0] + i);
  }
  std::size_t points() const { return static_cast<std::size_t>(n[0] * n[1] * n[2]); }
  Box world(std::array<int, 3> order) const {
    return Box({{0, 0, 0}}, {{n[0] - 1, n[1] - 1, n[2] - 1}}, order);
  }
};

/// Which sum, of those of FFTW; the ways back of dct2 and dst2 are dct3 and dst3.
enum class Sum { forward, backward, dct1, dct2, dct3, dst1, dst2, dst3 };

inline Long weight(Sum sum, int n, int j, int k) {
  const long double pi = 3.141592653589793238462643383279502884L;
  const long double whole = n;
  switch (sum) {
    case Sum::forward:
      return std::polar(1.0L, -2 * pi * ((j * k) % n) / whole);
    case Sum::backward:
      return std::polar(1.0L, 2 * pi * ((j * k) % n) / whole);
    case Sum::dct1:
      return (j == 0 || j == n - 1 ? 1 : 2) * std::cos(pi * j * k / (whole - 1));
    case Sum::dct2:
      return 2 * std::cos(pi * k * (2 * j + 1) / (2 * whole));
    case Sum::dct3:
      return (j == 0 ? 1 : 2) * std::cos(pi * (2 * k + 1) * j / (2 * whole));
    case Sum::dst1:
      return 2 * std::sin(pi * (j + 1) * (k + 1) / (whole + 1));
    case Sum::dst2:
      return 2 * std::sin(pi * (2 * j + 1) * (k + 1) / (2 * whole));
    case Sum::dst3:
      return (j == n - 1 ? 1 : 2) * std::sin(pi * (j + 1) * (2 * k + 1) / (2 * whole));
  }
  return 0;
}

/// The sums along all axes.
inline std::vector<Long> summed(Grid const& grid, std::vector<Long> field, Sum sum) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const int n = grid.n[axis];
    std::vector<Long> next(field.size());
    std::vector<Long> weights;
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j) weights.push_back(weight(sum, n, j, k));
    for (int z = 0; z < grid.n[2]; ++z)
      for (int y = 0; y < grid.n[1]; ++y)
        for (int x = 0; x < grid.n[0]; ++x) {
          std::array<int, 3> at{{x, y, z}};
          const int k = at[axis];
          Long total = 0;
          for (int j = 0; j < n; ++j) {
            at[axis] = j;
            total +=
                field[grid.at(at[0], at[1], at[2])] * weights[static_cast<std::size_t>(k * n + j)];
          }
          next[grid.at(x, y, z)] = total;
        }
    field = next;
  }
  return field;
}

/// A number between -1 and 1 for every point of every field.
inline long double noise(std::size_t point, int seed) {
  unsigned long long x =
      point * 0x9E3779B97F4A7C15ull + static_cast<unsigned>(seed) * 0xD1B54A32D192ED03ull;
  x ^= x >> 31;
  x *= 0xBF58476D1CE4E5B9ull;
  x ^= x >> 29;
  return static_cast<long double>(x % 2000001) / 1000000 - 1;
}
inline std::vector<Long> noisy(Grid const& grid, int seed, bool is_real) {
  std::vector<Long> field;
  for (std::size_t point = 0; point < grid.points(); ++point)
    field.push_back(Long(noise(point, seed), is_real ? 0 : noise(point, seed + 1000)));
  return field;
}

/// The element of a box that holds a point, in the order of the box.
inline std::size_t element(Box const& box, int x, int y, int z) {
  const std::array<int, 3> at{{x - box.low[0], y - box.low[1], z - box.low[2]}};
  const auto axis = [&](int place) {
    return static_cast<std::size_t>(box.order[static_cast<std::size_t>(place)]);
  };
  return static_cast<std::size_t>(
      (at[axis(2)] * box.size[axis(1)] + at[axis(1)]) * box.size[axis(0)] + at[axis(0)]);
}

inline void store(Long value, float& to) { to = static_cast<float>(value.real()); }
inline void store(Long value, double& to) { to = static_cast<double>(value.real()); }
template <typename real>
void store(Long value, std::complex<real>& to) {
  to = std::complex<real>(static_cast<real>(value.real()), static_cast<real>(value.imag()));
}
inline Long value_of(double from) { return from; }
template <typename real>
Long value_of(std::complex<real> from) {
  return Long(from.real(), from.imag());
}

/// What a rank has of fields, one after another.
template <typename number>
std::vector<number> part(Grid const& grid, Box const& box,
                         std::vector<std::vector<Long>> const& fields) {
  const auto count = static_cast<std::size_t>(box.count());
  std::vector<number> mine(count * fields.size());
  for (std::size_t f = 0; f < fields.size() && count > 0; ++f)
    for (int z = box.low[2]; z <= box.high[2]; ++z)
      for (int y = box.low[1]; y <= box.high[1]; ++y)
        for (int x = box.low[0]; x <= box.high[0]; ++x)
          store(fields[f][grid.at(x, y, z)], mine[f * count + element(box, x, y, z)]);
  return mine;
}

/// The largest difference from the fields times `factor`, beside the largest value of them, on any
/// rank, where only real parts count if the numbers are real.
template <typename number>
double error(Grid const& grid, Box const& box, std::vector<std::vector<Long>> const& fields,
             number const* mine, long double factor, MPI_Comm comm) {
  const auto count = static_cast<std::size_t>(box.count());
  long double worst = 0, largest = 0;
  const bool is_real = std::is_floating_point<number>::value;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    for (Long value : fields[f]) largest = std::max(largest, std::abs(value * factor));
    for (int z = box.low[2]; z <= box.high[2] && count > 0; ++z)
      for (int y = box.low[1]; y <= box.high[1]; ++y)
        for (int x = box.low[0]; x <= box.high[0]; ++x) {
          const Long expected = fields[f][grid.at(x, y, z)] * factor;
          const Long off = value_of(mine[f * count + element(box, x, y, z)]) -
                           (is_real ? Long(expected.real()) : expected);
          const long double size = std::abs(off);
          if (!(size <= worst)) worst = size;
        }
  }
  double relative = static_cast<double>(worst / largest), of_all = 0;
  if (!(relative >= 0)) relative = 1e30;
  MPI_Allreduce(&relative, &of_all, 1, MPI_DOUBLE, MPI_MAX, comm);
  return of_all;
}

/// Ends the program, on all ranks, with a line about what is wrong.
inline void expect(bool holds, std::string const& what) {
  if (holds) return;
  std::cerr << "rank " << heffte::mpi::world_rank() << ": " << what << std::endl;
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

template <typename real>
double tolerance() {
  return std::is_same<real, float>::value ? 2e-6 : 4e-15;
}

}  // namespace direct

#endif
