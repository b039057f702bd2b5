// plan/pass: making tiles and kernels, and the loop over tiles.

#include "weft/plan/pass.hpp"

#include <algorithm>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "weft/base/trace.hpp"
#include "weft/memory/box_copy.hpp"

namespace weft {

namespace {

// Indices of the patches that have points of `box`, appended to `found`.
void find_patches(const Patches& patches, const Box& box, std::vector<int>& found) {
  for (std::size_t i = 0; i < patches.size(); ++i)
    if (!intersect(patches[i].box, box).empty()) found.push_back(static_cast<int>(i));
}

// The part of a patch that lies in a tile, as a copy between the two.
BoxCopy copy_between(const Patch& patch, const Box& tile, const Layout& layout, std::byte* buffer,
                     std::int64_t element_bytes, const Addresses& addresses) {
  const Patch part = clipped(patch, tile);
  Dims within = part.box.lo;
  for (int a = 0; a < within.size(); ++a) within[a] -= tile.lo[a];
  return {part.box.extents(), buffer + layout.at(within) * element_bytes, layout.strides,
          addresses[static_cast<std::size_t>(part.buffer)] + part.offset * element_bytes,
          part.strides};
}

}  // namespace

Pass::Pass(PassSpec spec, Engine& engine, Effort effort)
    : spec_(std::move(spec)),
      source_scalar_(spec_.forward ? spec_.real_scalar : spec_.spectral_scalar),
      target_scalar_(spec_.forward ? spec_.spectral_scalar : spec_.real_scalar) {
  make_tiles();
  order_tiles();
  if (spec_.twiddle) twiddle_ = Twiddle(spec_.twiddle->axis, spec_.twiddle->points);
  std::int64_t real_bytes = 0, spectral_bytes = 0;
  for (const Shape& shape : shapes_) {
    real_bytes = std::max(real_bytes, shape.real_layout.span() * spec_.real_scalar.bytes());
    spectral_bytes =
        std::max(spectral_bytes, shape.spectral_layout.span() * spec_.spectral_scalar.bytes());
  }
  if (spec_.half_axis >= 0) real_buffer_ = Buffer(real_bytes);
  spectral_buffer_ = Buffer(spectral_bytes);
  for (Shape& shape : shapes_) make_kernels(shape, engine, effort);
}

void Pass::make_tiles() {
  for (std::size_t box = 0; box < spec_.real_boxes.size(); ++box)
    for (const Box& real : tiles_of(spec_.real_boxes[box], spec_.axes, spec_.limits, spec_.cuts)) {
      Tile tile{real, real, 0, sources_.size(), 0, targets_.size(), 0};
      if (spec_.half_axis >= 0)
        tile.spectral.set(spec_.half_axis, spec_.spectral_boxes[box].range(spec_.half_axis));
      find_patches(spec_.source, spec_.forward ? tile.real : tile.spectral, sources_);
      find_patches(spec_.target, spec_.forward ? tile.spectral : tile.real, targets_);
      tile.last_source = sources_.size();
      tile.last_target = targets_.size();
      tile.shape = shape_of(tile.real, tile.spectral);
      if (tile.shape == shapes_.size()) {
        Shape& shape = shapes_.emplace_back();
        shape.real_extents = tile.real.extents();
        shape.spectral_extents = tile.spectral.extents();
        shape.real_layout = tile_layout(shape.real_extents, spec_.real_scalar.bytes());
        shape.spectral_layout = tile_layout(shape.spectral_extents, spec_.spectral_scalar.bytes());
      }
      tiles_.push_back(tile);
    }
  tiles_of_message_.assign(static_cast<std::size_t>(spec_.target_messages), 0);
  for (int target : targets_)
    if (const int message = spec_.target[static_cast<std::size_t>(target)].message;
        message != Patch::resident)
      ++tiles_of_message_[static_cast<std::size_t>(message)];
  missing_ = tiles_of_message_;
  arrived_.assign(static_cast<std::size_t>(spec_.source_messages), 0);
}

// Tiles that complete the same message follow each other, those that stay come last: a message
// leaves as early as it can.
void Pass::order_tiles() {
  const auto last_message = [&](const Tile& tile) {
    int last = -1;
    for (std::size_t i = tile.first_target; i < tile.last_target; ++i)
      last = std::max(last, spec_.target[static_cast<std::size_t>(targets_[i])].message);
    return last < 0 ? spec_.target_messages : last;
  };
  std::stable_sort(tiles_.begin(), tiles_.end(),
                   [&](const Tile& a, const Tile& b) { return last_message(a) < last_message(b); });
}

std::size_t Pass::shape_of(const Box& real, const Box& spectral) const {
  const Dims real_extents = real.extents(), spectral_extents = spectral.extents();
  std::size_t shape = 0;
  while (shape < shapes_.size() && (shapes_[shape].real_extents != real_extents ||
                                    shapes_[shape].spectral_extents != spectral_extents))
    ++shape;
  return shape;
}

std::unique_ptr<Kernel> Pass::make_kernel(const Shape& shape, int axis, Engine& engine,
                                          Effort effort) {
  const bool halves = axis == spec_.half_axis;
  const Layout& in = halves && spec_.forward ? shape.real_layout : shape.spectral_layout;
  const Layout& out = halves && !spec_.forward ? shape.real_layout : shape.spectral_layout;
  Lines lines;
  lines.precision = spec_.spectral_scalar.precision;
  lines.sign = spec_.forward ? -1 : 1;
  if (halves) lines.kind = spec_.forward ? LineKind::r2c : LineKind::c2r;
  lines.n = shape.real_extents[axis];
  lines.in_stride = in.strides[axis];
  lines.out_stride = out.strides[axis];
  for (int a = 0; a < in.extents.size(); ++a) {
    // While the halved axis is real, the others have the same extents on both sides.
    const std::int64_t count = shape.spectral_extents[a];
    if (a == axis || count == 1) continue;
    const Lines::Loop loop{count, in.strides[a], out.strides[a]};
    if (!lines.loops.empty() && lines.loops.back().in_stride == loop.count * loop.in_stride &&
        lines.loops.back().out_stride == loop.count * loop.out_stride) {
      lines.loops.back() = {lines.loops.back().count * count, loop.in_stride, loop.out_stride};
    } else {
      lines.loops.push_back(loop);
    }
  }
  const auto side = [&](const Layout& layout) -> void* {
    return (&layout == &shape.real_layout ? real_buffer_ : spectral_buffer_).data();
  };
  return engine.make(lines, side(in), side(out), effort);
}

void Pass::make_kernels(Shape& shape, Engine& engine, Effort effort) {
  std::vector<int> order = spec_.axes;
  if (!spec_.forward) std::reverse(order.begin(), order.end());
  bool twiddled = false;
  for (int axis : order) {
    const bool is_first_half = spec_.twiddle && axis == spec_.twiddle->axis;
    if (is_first_half && !spec_.forward) twiddled = true;
    // A line of one point is its own transform; only r2c and c2r still change its type.
    if (shape.real_extents[axis] > 1 || axis == spec_.half_axis)
      (twiddled ? shape.after_twiddle : shape.before_twiddle)
          .push_back(make_kernel(shape, axis, engine, effort));
    if (is_first_half) twiddled = true;
  }
}

void Pass::transform(const Tile& tile) {
  Shape& shape = shapes_[tile.shape];
  for (auto& kernel : shape.before_twiddle) kernel->run();
  if (spec_.twiddle)
    twiddle_.apply(spectral_buffer_.data(), shape.spectral_layout, tile.spectral,
                   spec_.spectral_scalar.precision, spec_.forward ? -1 : 1);
  for (auto& kernel : shape.after_twiddle) kernel->run();
}

double Pass::run(const Addresses& addresses, Exchange* from, Exchange* to) {
  std::copy(tiles_of_message_.begin(), tiles_of_message_.end(), missing_.begin());
  std::fill(arrived_.begin(), arrived_.end(), 0);
  double waited = 0;
  const auto await = [&](int message) {
    auto& arrived = arrived_[static_cast<std::size_t>(message)];
    if (arrived != 0) return;
    arrived = 1;
    const double begin = now();
    from->await(message);
    waited += now() - begin;
  };
  const bool halves = spec_.half_axis >= 0;
  for (const Tile& tile : tiles_) {
    const Shape& shape = shapes_[tile.shape];
    const bool real_source = halves && spec_.forward, real_target = halves && !spec_.forward;
    for (std::size_t i = tile.first_source; i < tile.last_source; ++i) {
      const Patch& patch = spec_.source[static_cast<std::size_t>(sources_[i])];
      if (patch.message != Patch::resident) await(patch.message);
      load(copy_between(patch, real_source ? tile.real : tile.spectral,
                        real_source ? shape.real_layout : shape.spectral_layout,
                        (real_source ? real_buffer_ : spectral_buffer_).data(),
                        source_scalar_.bytes(), addresses),
           source_scalar_.bytes());
    }
    transform(tile);
    for (std::size_t i = tile.first_target; i < tile.last_target; ++i) {
      const Patch& patch = spec_.target[static_cast<std::size_t>(targets_[i])];
      store(copy_between(patch, real_target ? tile.real : tile.spectral,
                         real_target ? shape.real_layout : shape.spectral_layout,
                         (real_target ? real_buffer_ : spectral_buffer_).data(),
                         target_scalar_.bytes(), addresses),
            target_scalar_, spec_.factor, spec_.streaming);
      if (patch.message == Patch::resident) continue;
      if (--missing_[static_cast<std::size_t>(patch.message)] > 0) continue;
#ifdef __SSE2__
      _mm_sfence();  // streamed stores become visible before the message leaves
#endif
      to->ready(patch.message);
    }
  }
#ifdef __SSE2__
  _mm_sfence();
#endif
  return waited;
}

}  // namespace weft
