// fft/lanes/lane_loops: turns through the loops.

#include "weft/fft/lanes/lane_loops.hpp"

namespace weft {

LanesLayout::LanesLayout(const Lines& lines, const Lines::Loop* across_loop) {
  const auto is = [&](LineKind kind) { return lines.kind == kind; };
  const std::int64_t in = is(LineKind::c2c) || is(LineKind::c2r) ? 2 : 1,
                     out = is(LineKind::c2c) || is(LineKind::r2c) ? 2 : 1;
  const auto in_reals = [&](const Lines::Loop& loop) {
    return Lines::Loop{loop.count, in * loop.in_stride, out * loop.out_stride};
  };
  points = in_reals({lines.n, lines.in_stride, lines.out_stride});
  across = across_loop == nullptr ? Lines::Loop{1, 0, 0} : in_reals(*across_loop);
  for (const Lines::Loop& loop : lines.loops)
    if (&loop != across_loop) loops.push_back(in_reals(loop));
}
LanesLayout::~LanesLayout() = default;

std::vector<std::int32_t> stored_points(const KeptPoints& kept, std::int64_t n) {
  if (kept.count == n) return {};
  std::vector<std::int32_t> stored(static_cast<std::size_t>(n), -1);
  for (std::int64_t i = 0; i < kept.count; ++i)
    stored[static_cast<std::size_t>(kept.position(i, n))] = static_cast<std::int32_t>(i);
  return stored;
}

KernelOfLanes::KernelOfLanes(const Lines& lines, const Lines::Loop* across)
    : layout_(lines, across),
      real_bytes_(lines.precision == Precision::single_precision ? sizeof(float) : sizeof(double)) {
}
KernelOfLanes::~KernelOfLanes() = default;

bool KernelOfLanes::suits(const void* /*in*/, const void* /*out*/) const { return true; }

void KernelOfLanes::run(void* in, void* out, PrefetchQueue& queue) {
  run_loops(static_cast<std::byte*>(in), static_cast<std::byte*>(out), queue, 0);
}

void KernelOfLanes::run_loops(std::byte* in, std::byte* out, PrefetchQueue& queue,
                              std::size_t level) {
  if (level == layout_.loops.size()) return run_across(in, out, queue);
  const Lines::Loop& loop = layout_.loops[level];
  for (std::int64_t i = 0; i < loop.count; ++i)
    run_loops(in + real_bytes_ * i * loop.in_stride, out + real_bytes_ * i * loop.out_stride, queue,
              level + 1);
}

}  // namespace weft
