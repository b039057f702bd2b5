// plan/pass: making tiles and kernels, and the loop over tiles.

#include "weft/plan/pass.hpp"

#include <algorithm>

#include "weft/base/trace.hpp"

namespace weft {

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
  const bool halves = spec_.half_axis >= 0;
  CopyNumbers numbers;
  for (std::size_t box = 0; box < spec_.real_boxes.size(); ++box)
    for (const Box& real : tiles_of(spec_.real_boxes[box], spec_.axes, spec_.limits, spec_.cuts)) {
      Box spectral = real;
      if (halves) spectral.set(spec_.half_axis, spec_.spectral_boxes[box].range(spec_.half_axis));
      Tile tile{};
      tile.shape = shape_of(real.extents(), spectral.extents());
      if (spec_.twiddle) {
        tile.box = twiddled_.size();
        twiddled_.push_back(spectral);
      }
      const Shape& shape = shapes_[tile.shape];
      const auto add = [&](const Patches& patches, bool is_real, Scalar scalar,
                           std::vector<Part>& parts) {
        add_parts(patches, is_real ? real : spectral,
                  is_real && halves ? shape.real_layout : shape.spectral_layout, scalar.bytes(),
                  numbers, parts);
      };
      tile.first_source = sources_.size();
      add(spec_.source, spec_.forward, source_scalar_, sources_);
      tile.last_source = sources_.size();
      tile.first_target = targets_.size();
      add(spec_.target, !spec_.forward, target_scalar_, targets_);
      tile.last_target = targets_.size();
      tiles_.push_back(tile);
    }
  tiles_of_message_.assign(static_cast<std::size_t>(spec_.target_messages), 0);
  for (const Part& part : targets_)
    if (part.message != Patch::resident)
      ++tiles_of_message_[static_cast<std::size_t>(part.message)];
  missing_ = tiles_of_message_;
  arrived_.assign(static_cast<std::size_t>(spec_.source_messages), 0);
  // Needed no more: what runs has its parts.
  spec_.source = spec_.target = {};
}

// The parts of `tile` that lie in the patches, appended to `parts`.
void Pass::add_parts(const Patches& patches, const Box& tile, const Layout& layout,
                     std::int64_t element_bytes, CopyNumbers& numbers, std::vector<Part>& parts) {
  for (const Patch& patch : patches) {
    if (intersect(patch.box, tile).empty()) continue;
    const Patch part = clipped(patch, tile);
    Dims within = part.box.lo;
    for (int a = 0; a < within.size(); ++a) within[a] -= tile.lo[a];
    const BoxCopy copy(part.box.extents(), layout.strides, part.strides);
    const auto [found, is_new] = numbers.try_emplace(copy, static_cast<int>(copies_.size()));
    if (is_new) copies_.push_back(copy);
    parts.push_back({layout.at(within) * element_bytes, part.offset * element_bytes, found->second,
                     part.buffer, part.message});
  }
}

// Tiles that complete the same message follow each other, those that stay come last: a message
// leaves as early as it can.
void Pass::order_tiles() {
  const auto last_message = [&](const Tile& tile) {
    int last = -1;
    for (std::size_t i = tile.first_target; i < tile.last_target; ++i)
      last = std::max(last, targets_[i].message);
    return last < 0 ? spec_.target_messages : last;
  };
  std::stable_sort(tiles_.begin(), tiles_.end(),
                   [&](const Tile& a, const Tile& b) { return last_message(a) < last_message(b); });
}

// Its number in shapes_, where it is added if it is new.
std::size_t Pass::shape_of(const Dims& real_extents, const Dims& spectral_extents) {
  std::size_t number = 0;
  while (number < shapes_.size() && (shapes_[number].real_extents != real_extents ||
                                     shapes_[number].spectral_extents != spectral_extents))
    ++number;
  if (number == shapes_.size())
    shapes_.push_back({real_extents,
                       spectral_extents,
                       tile_layout(real_extents, spec_.real_scalar.bytes()),
                       tile_layout(spectral_extents, spec_.spectral_scalar.bytes()),
                       {},
                       {}});
  return number;
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
    twiddle_.apply(spectral_buffer_.data(), shape.spectral_layout, twiddled_[tile.box],
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
  std::byte* const loaded = (halves && spec_.forward ? real_buffer_ : spectral_buffer_).data();
  std::byte* const stored = (halves && !spec_.forward ? real_buffer_ : spectral_buffer_).data();
  const auto far = [&](const Part& part) {
    return addresses[static_cast<std::size_t>(part.buffer)] + part.far_offset;
  };
  for (const Tile& tile : tiles_) {
    for (std::size_t i = tile.first_source; i < tile.last_source; ++i) {
      const Part& part = sources_[i];
      if (part.message != Patch::resident) await(part.message);
      copies_[static_cast<std::size_t>(part.copy)].load(loaded + part.near_offset, far(part),
                                                        source_scalar_.bytes());
    }
    transform(tile);
    for (std::size_t i = tile.first_target; i < tile.last_target; ++i) {
      const Part& part = targets_[i];
      copies_[static_cast<std::size_t>(part.copy)].store(
          stored + part.near_offset, far(part), target_scalar_, spec_.factor, spec_.streaming);
      if (part.message == Patch::resident) continue;
      if (--missing_[static_cast<std::size_t>(part.message)] > 0) continue;
      finish_streaming();
      to->ready(part.message);
    }
  }
  finish_streaming();
  return waited;
}

}  // namespace weft
