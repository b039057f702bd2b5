// compute/whole_transform: the axes in the order of a library, and products with a scale.

#include "weft/compute/whole_transform.hpp"

#include <algorithm>

#include "weft/base/ensure.hpp"
#include "weft/grid/split.hpp"

namespace weft {

namespace {

// The axis of r2c is the last one, as libraries have it; else that of which points are adjacent.
std::vector<int> axes_in_order(const PassSpec& spec, const WholeTransform::Form& form) {
  std::vector<int> axes = spec.axes;
  std::ranges::stable_sort(axes, [&](int a, int b) {
    const bool is_half = a == spec.half_axis;
    if (is_half != (b == spec.half_axis)) return !is_half;
    return form.target_strides[a] > form.target_strides[b];
  });
  return axes;
}

// Loops over all points along the other axes, as few as possible.
std::vector<Lines::Loop> loops_beside(const std::vector<int>& axes,
                                      const WholeTransform::Form& form) {
  std::vector<Lines::Loop> loops;
  for (int a = 0; a < form.real_extents.size(); ++a) {
    const std::int64_t count = form.real_extents[a];
    if (count == 1 || std::ranges::find(axes, a) != axes.end()) continue;
    const Lines::Loop loop{count, form.source_strides[a], form.target_strides[a]};
    if (!loops.empty() && loops.back().in_stride == count * loop.in_stride &&
        loops.back().out_stride == count * loop.out_stride)
      loops.back() = {loops.back().count * count, loop.in_stride, loop.out_stride};
    else
      loops.push_back(loop);
  }
  return loops;
}

Lines lines_of(const PassSpec& spec, const WholeTransform::Form& form) {
  const std::vector<int> axes = axes_in_order(spec, form);
  const int last = axes.back();
  Lines lines;
  if (spec.half_axis >= 0) lines.kind = spec.forward ? LineKind::r2c : LineKind::c2r;
  lines.precision = spec.spectral_scalar.precision;
  lines.sign = spec.forward ? -1 : 1;
  lines.n = form.real_extents[last];
  lines.in_stride = form.source_strides[last];
  lines.out_stride = form.target_strides[last];
  for (std::size_t i = 0; i + 1 < axes.size(); ++i)
    lines.more_axes.push_back(
        {form.real_extents[axes[i]], form.source_strides[axes[i]], form.target_strides[axes[i]]});
  lines.loops = loops_beside(axes, form);
  lines.factor = spec.factor;
  return lines;
}

}  // namespace

WholeTransform::WholeTransform(const PassSpec& spec, const Form& form)
    : spec_(&spec), form_(form), lines_(lines_of(spec, form)) {}

void WholeTransform::make_kernels(Engine& engine, int threads) {
  apart_ = engine.make_whole(lines_, /*is_in_place=*/false, threads);
  if (form_.may_be_in_place) in_place_ = engine.make_whole(lines_, /*is_in_place=*/true, threads);
  if (apart_ == nullptr || (form_.may_be_in_place && in_place_ == nullptr))
    throw Error(Error::invalid,
                fmt::format("the engine of axes {} has no transform along all of them at once",
                            fmt::join(spec_->axes, ",")),
                "leave out `whole`, or take mkl, which has one for most extents");
  if (spec_->takes_scale) cut_target(threads);
}

// Along the longest of the axes, so that all threads have about the same.
void WholeTransform::cut_target(int threads) {
  const Dims& extents = spec_->forward ? form_.spectral_extents : form_.real_extents;
  int longest = 0;
  for (int a = 1; a < extents.size(); ++a)
    if (extents[a] > extents[longest]) longest = a;
  for (int i = 0; i < threads; ++i) {
    const Range range = split(extents[longest], threads, i);
    if (range.size() == 0) continue;
    Dims part = extents;
    part[longest] = range.size();
    parts_.push_back({BoxCopy(part, form_.target_strides, form_.target_strides),
                      range.lo * form_.target_strides[longest] * spec_->target_scalar().bytes()});
  }
}

void WholeTransform::run(std::byte* from, std::byte* to, double scale, PrefetchQueue& prefetches) {
  (from == to ? in_place_ : apart_)->run(from, to, prefetches);
  if (scale == 1) return;
#pragma omp parallel for num_threads(static_cast <int>(parts_.size()))
  for (const Part& part : parts_) {
    std::byte* const at = to + part.offset;
    part.copy.store(at, at, spec_->target_scalar(), scale, /*streaming=*/false);
  }
}

}  // namespace weft
