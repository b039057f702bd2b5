// plan/pass: making tiles and kernels, and running a tile.

#include "weft/plan/pass.hpp"

#include <algorithm>

namespace weft {

Pass::Pass(PassSpec spec)
    : spec_(std::move(spec)),
      source_scalar_(spec_.forward ? spec_.real_scalar : spec_.spectral_scalar),
      target_scalar_(spec_.forward ? spec_.spectral_scalar : spec_.real_scalar) {
  make_tiles();
  order_tiles();
  if (spec_.twiddle) twiddle_ = Twiddle(spec_.twiddle->axis, spec_.twiddle->points);
}

std::int64_t Pass::real_tile_bytes() const {
  std::int64_t points = 0;
  if (spec_.half_axis >= 0)
    for (const Shape& shape : shapes_) points = std::max(points, shape.real_layout.span());
  return points * spec_.real_scalar.bytes();
}

std::int64_t Pass::spectral_tile_bytes() const {
  std::int64_t points = 0;
  for (const Shape& shape : shapes_) points = std::max(points, shape.spectral_layout.span());
  return points * spec_.spectral_scalar.bytes();
}

void Pass::make_tiles() {
  const bool halves = spec_.half_axis >= 0;
  CopyNumbers numbers;
  std::size_t blocks = 0;  // of the boxes before
  for (std::size_t box = 0; box < spec_.real_boxes.size(); ++box) {
    for (const Box& real : tiles_of(spec_.real_boxes[box], spec_.axes, spec_.limits, spec_.cuts)) {
      Box spectral = real;
      if (halves) spectral.set(spec_.half_axis, spec_.spectral_boxes[box].range(spec_.half_axis));
      Tile tile{};
      if (!spec_.blocks.empty()) tile.block = blocks + spec_.blocks[box].number_of(real.lo);
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
      tile.sources = sources_.size() - tile.first_source;
      tile.first_target = targets_.size();
      add(spec_.target, !spec_.forward, target_scalar_, targets_);
      tile.targets = targets_.size() - tile.first_target;
      tiles_.push_back(tile);
    }
    if (!spec_.blocks.empty()) blocks += spec_.blocks[box].count();
  }
  first_tiles_.assign(spec_.blocks.empty() ? 2 : blocks + 1, 0);
  for (const Tile& tile : tiles_) ++first_tiles_[tile.block + 1];
  for (std::size_t b = 1; b < first_tiles_.size(); ++b) first_tiles_[b] += first_tiles_[b - 1];
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

// Of a block, tiles that complete the same message follow each other, those that stay come last: a
// message leaves as early as it can.
void Pass::order_tiles() {
  const auto last_message = [&](const Tile& tile) {
    int last = -1;
    for (const Part& part : std::span(targets_).subspan(tile.first_target, tile.targets))
      last = std::max(last, part.message);
    return last < 0 ? spec_.target_messages : last;
  };
  std::stable_sort(tiles_.begin(), tiles_.end(), [&](const Tile& a, const Tile& b) {
    return a.block != b.block ? a.block < b.block : last_message(a) < last_message(b);
  });
}

// Its number in shapes_, where it is added if it is new.
std::size_t Pass::shape_of(const Dims& real_extents, const Dims& spectral_extents) {
  std::size_t number = 0;
  while (number < shapes_.size() && (shapes_[number].real_extents != real_extents ||
                                     shapes_[number].spectral_extents != spectral_extents))
    ++number;
  if (number == shapes_.size())
    shapes_.push_back({real_extents, spectral_extents,
                       tile_layout(real_extents, spec_.real_scalar.bytes()),
                       tile_layout(spectral_extents, spec_.spectral_scalar.bytes())});
  return number;
}

std::unique_ptr<Kernel> Pass::kernel_for(const Shape& shape, int axis, const TileMemory& memory,
                                         Engine& engine, Effort effort) const {
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
    return (&layout == &shape.real_layout ? memory.real : memory.spectral).data();
  };
  return engine.make(lines, side(in), side(out), effort);
}

Pass::Kernels Pass::kernels_for(const Shape& shape, const TileMemory& memory, Engine& engine,
                                Effort effort) const {
  std::vector<int> order = spec_.axes;
  if (!spec_.forward) std::reverse(order.begin(), order.end());
  Kernels kernels;
  bool twiddled = false;
  for (int axis : order) {
    const bool is_first_half = spec_.twiddle && axis == spec_.twiddle->axis;
    if (is_first_half && !spec_.forward) twiddled = true;
    // A line of one point is its own transform; only r2c and c2r still change its type.
    if (shape.real_extents[axis] > 1 || axis == spec_.half_axis)
      (twiddled ? kernels.after_twiddle : kernels.before_twiddle)
          .push_back(kernel_for(shape, axis, memory, engine, effort));
    if (is_first_half) twiddled = true;
  }
  return kernels;
}

void Pass::make_kernels(const std::vector<TileMemory>& memory, Engine& engine, Effort effort) {
  for (const TileMemory& mine : memory) {
    Thread& thread = threads_.emplace_back(Thread{&mine, {}});
    for (const Shape& shape : shapes_)
      thread.kernels.push_back(kernels_for(shape, mine, engine, effort));
  }
}

void Pass::run(std::size_t number, int thread_number, const Addresses& addresses) {
  const Tile& tile = tiles_[number];
  const Shape& shape = shapes_[tile.shape];
  Thread& thread = threads_[static_cast<std::size_t>(thread_number)];
  Kernels& kernels = thread.kernels[tile.shape];
  const bool halves = spec_.half_axis >= 0;
  std::byte* const real = thread.memory->real.data();
  std::byte* const spectral = thread.memory->spectral.data();
  std::byte* const loaded = halves && spec_.forward ? real : spectral;
  std::byte* const stored = halves && !spec_.forward ? real : spectral;
  const auto far = [&](const Part& part) {
    return addresses[static_cast<std::size_t>(part.buffer)] + part.far_offset;
  };
  for (const Part& part : sources(number))
    copies_[static_cast<std::size_t>(part.copy)].load(loaded + part.near_offset, far(part),
                                                      source_scalar_.bytes());
  for (auto& kernel : kernels.before_twiddle) kernel->run();
  if (spec_.twiddle)
    twiddle_.apply(spectral, shape.spectral_layout, twiddled_[tile.box],
                   spec_.spectral_scalar.precision, spec_.forward ? -1 : 1);
  for (auto& kernel : kernels.after_twiddle) kernel->run();
  for (const Part& part : targets(number))
    copies_[static_cast<std::size_t>(part.copy)].store(
        stored + part.near_offset, far(part), target_scalar_, spec_.factor, spec_.streaming);
}

}  // namespace weft
