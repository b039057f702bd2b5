// compute/twiddle: tables of roots of unity, and multiplying a tile by them.

#include "weft/compute/twiddle.hpp"

#include <cmath>
#include <numbers>

namespace weft {

Twiddle::Twiddle(int axis, std::int64_t points) : axis_(axis) {
  const auto root_of = [&](std::int64_t power) {
    const long double angle = -2 * std::numbers::pi_v<long double> *
                              static_cast<long double>(power) / static_cast<long double>(points);
    return std::complex<double>(static_cast<double>(std::cos(angle)),
                                static_cast<double>(std::sin(angle)));
  };
  while ((std::int64_t{1} << (2 * shift_)) < points) ++shift_;
  const std::int64_t fine = std::int64_t{1} << shift_;
  for (std::int64_t i = 0; i < fine; ++i) fine_roots_.push_back(root_of(i));
  for (std::int64_t i = 0; i * fine < points; ++i) coarse_roots_.push_back(root_of(i * fine));
}

std::complex<double> Twiddle::root(std::int64_t power, int sign) const {
  const std::int64_t below = power & ((std::int64_t{1} << shift_) - 1);
  const auto value = fine_roots_[static_cast<std::size_t>(below)] *
                     coarse_roots_[static_cast<std::size_t>(power >> shift_)];
  return sign < 0 ? value : std::conj(value);
}

template <class Real>
void Twiddle::apply_as(std::complex<Real>* tile, const Layout& layout, const Box& box,
                       int sign) const {
  // All axes but the one after axis_, along which a line runs.
  const int axes = box.axes();
  Dims at = Dims::filled(axes, 0);
  const auto advance = [&] {
    for (int a = axes - 1; a >= 0; --a) {
      if (a == axis_ + 1) continue;
      if (++at[a] < box.extent(a)) return true;
      at[a] = 0;
    }
    return false;
  };
  do {
    std::complex<Real>* line = tile + layout.at(at);
    const std::int64_t k1 = box.lo[axis_] + at[axis_];
    for (std::int64_t j = 0; j < box.extent(axis_ + 1); ++j)
      line[j * layout.strides[axis_ + 1]] *=
          std::complex<Real>(root(k1 * (box.lo[axis_ + 1] + j), sign));
  } while (advance());
}

void Twiddle::apply(std::byte* tile, const Layout& layout, const Box& box, Precision precision,
                    int sign) const {
  if (precision == Precision::single_precision)
    apply_as(reinterpret_cast<std::complex<float>*>(tile), layout, box, sign);
  else
    apply_as(reinterpret_cast<std::complex<double>*>(tile), layout, box, sign);
}

}  // namespace weft
