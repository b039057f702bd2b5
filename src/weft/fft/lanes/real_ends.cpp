// fft/lanes/real_ends: gathers and scatters lines of which a part is stored.

#include "weft/fft/lanes/real_ends.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

namespace weft {

template <class Real>
PartOfLines<Real>::PartOfLines(const KeptPoints& kept, std::int64_t points, std::int64_t reals,
                               std::int64_t lanes)
    : kept_(kept), points_(points), reals_(reals) {
  if (is_part()) whole_.resize(static_cast<std::size_t>(lanes * points * reals));
}

template <class Real>
PlacedLines<Real> PartOfLines<Real>::whole(std::int64_t count) {
  return {whole_.data(), reals_, points_ * reals_, count};
}

template <class Real>
PlacedLines<Real> PartOfLines<Real>::gathered(const PlacedLines<Real>& stored) {
  for_each_run(stored, [](const Real* outside, Real* own, std::size_t bytes) {
    std::memcpy(own, outside, bytes);
  });
  return whole(stored.count);
}

template <class Real>
void PartOfLines<Real>::scatter(const PlacedLines<Real>& stored) {
  for_each_run(stored, [](Real* outside, const Real* own, std::size_t bytes) {
    std::memcpy(outside, own, bytes);
  });
}

template <class Real>
template <class Copy>
void PartOfLines<Real>::for_each_run(const PlacedLines<Real>& stored, const Copy& copy) {
  const std::int64_t head = kept_.count - kept_.tail;
  for (std::int64_t line = 0; line < stored.count; ++line) {
    Real* const outside = stored.first + line * stored.line_stride;
    Real* const own = whole_.data() + line * points_ * reals_;
    const auto move = [&](std::int64_t i, std::int64_t count) {
      copy(outside + i * stored.point_stride, own + kept_.position(i, points_) * reals_,
           static_cast<std::size_t>(count * reals_) * sizeof(Real));
    };
    if (stored.point_stride == reals_) {
      if (head > 0) move(0, head);
      if (kept_.tail > 0) move(head, kept_.tail);
    } else {
      for (std::int64_t i = 0; i < kept_.count; ++i) move(i, 1);
    }
  }
}

template <class Real>
KernelOfRealLanes<Real>::KernelOfRealLanes(const Lines& lines, const Lines::Loop* across,
                                           std::int64_t lanes)
    : KernelOfLanes(lines, across), lanes_(lanes) {
  if (!lines.kept) return;
  const bool is_forward = lines.kind == LineKind::r2c;
  const std::int64_t reals = lines.n, numbers = lines.n / 2 + 1;
  in_ = {lines.kept->in, is_forward ? reals : numbers, is_forward ? 1 : 2, lanes};
  out_ = {lines.kept->out, is_forward ? numbers : reals, is_forward ? 2 : 1, lanes};
}
template <class Real>
KernelOfRealLanes<Real>::~KernelOfRealLanes() = default;

template <class Real>
void KernelOfRealLanes<Real>::run_across(void* in, void* out, PrefetchQueue& queue) {
  const auto& [count, in_stride, out_stride] = layout().across;
  for (std::int64_t i = 0; i < count; i += lanes_) {
    const std::int64_t lines = std::min(lanes_, count - i);
    const PlacedLines<Real> source{static_cast<Real*>(in) + i * in_stride,
                                   layout().points.in_stride, in_stride, lines};
    const PlacedLines<Real> target{static_cast<Real*>(out) + i * out_stride,
                                   layout().points.out_stride, out_stride, lines};
    transform(in_.is_part() ? in_.gathered(source) : source,
              out_.is_part() ? out_.whole(lines) : target, queue);
    if (out_.is_part()) out_.scatter(target);
  }
}

template <class Real>
std::vector<Turn<Real>> turns_of(std::int64_t count, std::int64_t n, long double length) {
  std::vector<Turn<Real>> turns;
  for (std::int64_t k = 0; k < count; ++k) {
    const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(k) /
                              static_cast<long double>(n);
    turns.push_back(
        {static_cast<Real>(length * std::cos(angle)), static_cast<Real>(length * std::sin(angle))});
  }
  return turns;
}

template class KernelOfRealLanes<float>;
template class KernelOfRealLanes<double>;
template std::vector<Turn<float>> turns_of(std::int64_t, std::int64_t, long double);
template std::vector<Turn<double>> turns_of(std::int64_t, std::int64_t, long double);

}  // namespace weft
