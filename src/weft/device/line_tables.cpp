// device/line_tables: computes the tables.

#include "weft/device/line_tables.hpp"

#include <cmath>
#include <numbers>

namespace weft {

namespace {

using Number = Convolution::Number;

// exp(-2 pi i power / points)
Number root_of(std::int64_t power, std::int64_t points) {
  const long double angle = -2 * std::numbers::pi_v<long double> *
                            static_cast<long double>(power % points) /
                            static_cast<long double>(points);
  return {std::cos(angle), std::sin(angle)};
}

bool is_of_fourth_kind(const LineShape& shape) {
  return shape.sum == LineSum::dct4 || shape.sum == LineSum::dst4;
}

// By what the points of a line are multiplied before its convolution, or its steps.
std::vector<Number> factors_of(const LineShape& shape, const Convolution& convolution) {
  std::vector<Number> factors = convolution.in_factors;
  const std::int64_t n = shape.complex_points;
  if (!is_of_fourth_kind(shape)) return factors;
  if (factors.empty()) factors.assign(static_cast<std::size_t>(n), 1);
  for (std::int64_t i = 0; i < n; ++i) {
    // Rader's convolution has its points in another order, and point 0 last.
    const std::int64_t point = !shape.is_raders() ? i
                               : i == n - 1       ? 0
                                            : convolution.in_points[static_cast<std::size_t>(i)];
    factors[static_cast<std::size_t>(i)] *= root_of(point, 2 * n);
  }
  return factors;
}

// The roots that line_ends takes.
std::vector<Number> end_roots_of(const LineShape& shape) {
  const std::int64_t n = shape.points;
  std::vector<Number> roots;
  if (shape.is_even_real())
    for (std::int64_t k = 0; k <= n / 2; ++k) roots.push_back(root_of(k, n));
  const bool is_of_second_or_third = shape.sum == LineSum::dct2 || shape.sum == LineSum::dst2 ||
                                     shape.sum == LineSum::dct3 || shape.sum == LineSum::dst3;
  for (std::int64_t k = 0; is_of_second_or_third && k < n; ++k) roots.push_back(root_of(k, 4 * n));
  for (std::int64_t k = 0; is_of_fourth_kind(shape) && k < n; ++k)
    roots.push_back(root_of(2 * k + 1, 8 * n));
  return roots;
}

// Roots that are `step` apart.
std::vector<Number> roots_of(std::int64_t points, std::int64_t count, std::int64_t step = 1) {
  std::vector<Number> roots;
  for (std::int64_t k = 0; k < count; ++k) roots.push_back(root_of(k * step, points));
  return roots;
}

}  // namespace

template <class Real>
std::size_t LineTables<Real>::add(const std::vector<Number>& table) {
  const std::size_t begin = numbers_.size();
  for (const Number& number : table) {
    numbers_.push_back(static_cast<Real>(number.real()));
    numbers_.push_back(static_cast<Real>(number.imag()));
  }
  return begin;
}

template <class Real>
LineTables<Real>::LineTables(const LineShape& shape, std::int64_t split_points) {
  add(roots_of(shape.step_points, shape.step_points));
  end_roots_ = add(end_roots_of(shape));
  Convolution convolution;
  if (shape.is_raders())
    convolution = raders_convolution(shape.complex_points);
  else if (shape.is_convolution())
    convolution = bluesteins_convolution(shape.complex_points, shape.step_points);
  factors_ = add(factors_of(shape, convolution));
  chirp_ = add(convolution.out_factors);
  spectrum_ = add(convolution.spectrum);
  if (shape.is_raders()) add_places(shape.complex_points, convolution);
  if (shape.has_halves == 0) return;
  const std::int64_t fine = std::int64_t{1} << shape.turn_shift;
  fine_ = add(roots_of(split_points, fine));
  coarse_ = add(roots_of(split_points, split_points / fine + 1, fine));
}

template <class Real>
void LineTables<Real>::add_places(std::int64_t points, const Convolution& convolution) {
  // Point 0 comes after the convolution, and then frequency 0, or, before the steps, what a half
  // spectrum has beside.
  const auto all = static_cast<std::size_t>(points);
  out_places_ = all + 1;
  places_.assign(2 * all + 1, 0);
  for (std::size_t q = 0; q + 1 < all; ++q) {
    const auto in = static_cast<std::size_t>(convolution.in_points[q]),
               out = static_cast<std::size_t>(convolution.out_points[q]);
    places_[in] = places_[out_places_ + out] = static_cast<std::int32_t>(q);
  }
  places_[0] = static_cast<std::int32_t>(points - 1);
  places_[all] = places_[out_places_] = static_cast<std::int32_t>(points);
}

template <class Real>
void LineTables<Real>::bind(LineArguments<Real>& arguments, const Real* numbers,
                            const std::int32_t* places) const {
  arguments.roots = numbers;
  arguments.end_roots = numbers + end_roots_;
  arguments.factors = numbers + factors_;
  arguments.chirp = numbers + chirp_;
  arguments.spectrum = numbers + spectrum_;
  arguments.fine_roots = numbers + fine_;
  arguments.coarse_roots = numbers + coarse_;
  arguments.in_places = places;
  arguments.out_places = places + out_places_;
}

template class LineTables<float>;
template class LineTables<double>;

}  // namespace weft
