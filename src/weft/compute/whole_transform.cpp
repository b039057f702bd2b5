// compute/whole_transform: kernels of a library, and products with a scale.

#include "weft/compute/whole_transform.hpp"

#include "weft/base/ensure.hpp"
#include "weft/fft/whole_lines.hpp"
#include "weft/grid/split.hpp"

namespace weft {

namespace {

Lines lines_of(const PassSpec& spec, const WholeTransform::Form& form) {
  return whole_lines({spec.axes, spec.half_axis, spec.forward, spec.spectral_scalar.precision,
                      spec.factor, form.real_extents, form.spectral_extents, form.source_strides,
                      form.target_strides});
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
