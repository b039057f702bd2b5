// support/reference: see the header.
#include "support/reference.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <tuple>

#include "support/direct_basis.hpp"
#include "weft/problem/checked_cutoff.hpp"
#include "weft/problem/line_transform.hpp"
#include "weft/problem/validated.hpp"

namespace weft::test {

namespace {

// The number of Fourier points that norms count.
double fourier_points(const Problem& problem) {
  double points = 1;
  for (int axis : problem.axes)
    if (basis_of(problem, axis) == Basis::fourier)
      points *= static_cast<double>(problem.extents[axis]);
  return points;
}

// Which coefficients of a line of n a grid of m points has: by their waves, from the definition.
std::vector<std::int64_t> kept_coefficients(const Problem& problem, int axis) {
  const std::int64_t n = problem.extents[axis];
  const std::int64_t m = problem.modes.empty() ? n : problem.modes[axis];
  std::vector<std::int64_t> kept;
  if (basis_of(problem, axis) != Basis::fourier || axis == half_axis(problem)) {
    const std::int64_t count = axis == half_axis(problem) ? m / 2 + 1 : m;
    for (std::int64_t k = 0; k < count; ++k) kept.push_back(k);
    return kept;
  }
  for (std::int64_t wave = 0; 2 * wave < m; ++wave) kept.push_back(wave);
  for (std::int64_t wave = -(m / 2); wave < 0; ++wave) kept.push_back(wave + n);
  return kept;
}

// The points of `x` whose index along `axis` is in the list.
WholeField taken(const WholeField& x, int axis, const std::vector<std::int64_t>& list) {
  Extents extents = x.extents;
  extents[axis] = static_cast<std::int64_t>(list.size());
  WholeField y(extents);
  std::size_t inner = 1;
  for (int a = axis + 1; a < x.extents.size(); ++a) inner *= static_cast<std::size_t>(x.extents[a]);
  const auto from = static_cast<std::size_t>(x.extents[axis]), to = list.size();
  for (std::size_t o = 0; o < y.values.size() / (to * inner); ++o)
    for (std::size_t k = 0; k < to; ++k)
      for (std::size_t i = 0; i < inner; ++i)
        y.values[(o * to + k) * inner + i] =
            x.values[(o * from + static_cast<std::size_t>(list[k])) * inner + i];
  return y;
}

// The other way round: zero but for the indices in the list, of `n` along `axis`.
WholeField spread(const WholeField& x, int axis, const std::vector<std::int64_t>& list,
                  std::int64_t n) {
  Extents extents = x.extents;
  extents[axis] = n;
  WholeField y(extents);
  std::size_t inner = 1;
  for (int a = axis + 1; a < x.extents.size(); ++a) inner *= static_cast<std::size_t>(x.extents[a]);
  const auto from = list.size(), to = static_cast<std::size_t>(n);
  for (std::size_t o = 0; o < x.values.size() / (from * inner); ++o)
    for (std::size_t k = 0; k < from; ++k)
      for (std::size_t i = 0; i < inner; ++i)
        y.values[(o * to + static_cast<std::size_t>(list[k])) * inner + i] =
            x.values[(o * from + k) * inner + i];
  return y;
}

// A real line of n points from its first coefficients 0 .. n/2: the others are their conjugates.
WholeField direct_half_inverse(const WholeField& x, int axis, std::int64_t n) {
  WholeField weighted = x;
  std::int64_t inner = 1;
  for (int a = axis + 1; a < x.extents.size(); ++a) inner *= x.extents[a];
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    const std::int64_t k = static_cast<std::int64_t>(i) / inner % x.extents[axis];
    if (k > 0 && 2 * k != n) weighted.values[i] *= 2;
  }
  std::vector<std::int64_t> first;
  for (std::int64_t k = 0; k < x.extents[axis]; ++k) first.push_back(k);
  WholeField y = direct_dft(spread(weighted, axis, first, n), axis, 1, n);
  for (Wide& value : y.values) value = value.real();
  return y;
}

// Whether the cut-off of a problem keeps the coefficient at `index`, by definition.
bool is_in_cutoff(const Problem& problem, const Dims& index) {
  const Cutoff& cutoff = problem.cutoff;
  Wave wave{}, negative{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t n = problem.extents[static_cast<int>(axis)];
    const std::int64_t i = index[static_cast<int>(axis)], k = 2 * i < n ? i : i - n;
    if (2 * i == n) return false;
    wave[axis] = static_cast<std::int32_t>(k);
    negative[axis] = -wave[axis];
  }
  if (cutoff.form() == Cutoff::Form::sphere) {
    double square = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      double along = 0;
      for (std::size_t axis = 0; axis < 3; ++axis) along += wave[axis] * cutoff.vectors()[axis][i];
      square += along * along;
    }
    return std::sqrt(square) <= cutoff.radius() * (1 + 1e-12);
  }
  const int half = half_axis(problem);
  const bool has_negative = half >= 0 && wave[static_cast<std::size_t>(half)] == 0;
  for (const Waves& list : cutoff.waves_of_rank())
    for (const Wave& listed : list)
      if (listed == wave || (has_negative && listed == negative)) return true;
  return false;
}

// Zero but for the coefficients that a cut-off keeps.
void cut_off(const Problem& problem, WholeField& x) {
  if (!problem.cutoff.is_given()) return;
  Dims at = Dims::filled(3, 0);
  for (Wide& value : x.values) {
    if (!is_in_cutoff(problem, at)) value = 0;
    for (int a = 2; a >= 0; --a) {
      if (++at[a] < x.extents[a]) break;
      at[a] = 0;
    }
  }
}

// The spectrum of a field that is zero outside of the support, as far as it is kept.
WholeField direct_forward(const Problem& problem, WholeField x) {
  const auto factor =
      static_cast<long double>(norm_factor(problem.norm, fourier_points(problem), true));
  for (auto axis = problem.axes.rbegin(); axis != problem.axes.rend(); ++axis) {
    const std::int64_t n = problem.extents[*axis];
    if (problem.support.axes() > 0) {
      std::vector<std::int64_t> inside;
      for (std::int64_t i = problem.support.lo[*axis]; i < problem.support.hi[*axis]; ++i)
        inside.push_back(i);
      x = spread(x, *axis, inside, n);
    }
    if (const Basis basis = basis_of(problem, *axis); basis != Basis::fourier)
      x = multiplied(x, *axis, forward_matrix(basis, static_cast<std::size_t>(n), problem.norm));
    else
      x = direct_dft(x, *axis, -1, *axis == half_axis(problem) ? n / 2 + 1 : n);
    if (!problem.modes.empty()) x = taken(x, *axis, kept_coefficients(problem, *axis));
  }
  cut_off(problem, x);
  for (auto& value : x.values) value *= factor;
  return x;
}

// The field on the support that has the coefficients `x`, and none of those that are not kept.
WholeField direct_backward(const Problem& problem, WholeField x) {
  const auto factor =
      static_cast<long double>(norm_factor(problem.norm, fourier_points(problem), false));
  for (const int axis : problem.axes) {
    const std::int64_t n = problem.extents[axis];
    const bool is_half = axis == half_axis(problem);
    x = spread(x, axis, kept_coefficients(problem, axis), is_half ? n / 2 + 1 : n);
    if (const Basis basis = basis_of(problem, axis); basis != Basis::fourier) {
      x = multiplied(x, axis, backward_matrix(basis, static_cast<std::size_t>(n), problem.norm));
    } else if (is_half) {
      x = direct_half_inverse(x, axis, n);
    } else {
      x = direct_dft(x, axis, 1, n);
    }
    if (problem.support.axes() == 0) continue;
    std::vector<std::int64_t> inside;
    for (std::int64_t i = problem.support.lo[axis]; i < problem.support.hi[axis]; ++i)
      inside.push_back(i);
    x = taken(x, axis, inside);
  }
  for (auto& value : x.values) value *= factor;
  return x;
}

}  // namespace

long double largest(const WholeField& x) {
  long double most = 0;
  for (const Wide& value : x.values) most = std::max(most, std::norm(value));
  return std::sqrt(most);
}

Reference::Reference(const Problem& problem, std::uint64_t seed) {
  const bool is_real = problem.kind != Kind::c2c;
  const bool is_pruned =
      !problem.modes.empty() || problem.support.axes() > 0 || problem.cutoff.is_given();
  for (std::int64_t field = 0; field < problem.batch; ++field) {
    WholeField x(problem.support.axes() > 0 ? problem.support.extents() : problem.extents);
    for (std::size_t i = 0; i < x.values.size(); ++i) {
      // Rounded to single precision, so that both precisions start from the same values.
      const auto value = [&](int part) {
        return static_cast<long double>(static_cast<float>(sample(seed, field, i, part)));
      };
      x.values[i] = {value(0), is_real ? 0 : value(1)};
    }
    space.push_back(x);
    spectrum.push_back(direct_forward(problem, std::move(x)));
    if (!is_pruned) continue;
    space_again.push_back(direct_backward(problem, spectrum.back()));
    spectrum_again.push_back(direct_forward(problem, space_again.back()));
    Problem all_modes = problem, all_points = problem;
    all_modes.modes = {};
    all_modes.cutoff = {};
    all_points.support = {};
    const WholeField whole = direct_forward(all_modes, space.back());
    largest_spectrum = std::max(largest_spectrum, largest(whole));
    largest_space = std::max({largest_space, largest(direct_backward(all_points, spectrum.back())),
                              largest(direct_backward(all_modes, whole))});
  }
}

const Reference& known_reference(const Problem& problem, std::uint64_t seed) {
  using List = std::vector<std::int64_t>;
  using Key = std::tuple<std::uint64_t, std::array<List, 4>, std::vector<int>, std::int64_t, Kind,
                         Norm, Bases, std::string>;
  thread_local std::map<Key, Reference> known;
  const auto list = [](const Dims& dims) { return List{dims.begin(), dims.end()}; };
  const Key key{seed,
                {list(problem.extents), list(problem.modes), list(problem.support.lo),
                 list(problem.support.hi)},
                {problem.axes.begin(), problem.axes.end()},
                problem.batch,
                problem.kind,
                problem.norm,
                problem.bases,
                to_string(problem.cutoff)};
  const auto found = known.find(key);
  return found != known.end() ? found->second
                              : known.emplace(key, Reference(problem, seed)).first->second;
}

}  // namespace weft::test
