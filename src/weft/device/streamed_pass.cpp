// device/streamed_pass: a pass of several axes becomes a pass for each, with tiles in slots between
// them.

#include "weft/device/streamed_pass.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace weft {

namespace {

// The part of a device, one in so many of its processors, that a kernel takes which waits for PCIe,
// so that those of other tiles run beside it. To be measured on a device.
constexpr std::int64_t share_of_leg = 2;

// Tiles as items of their own.
SweepProgram tile_by_tile(PassSpec spec, std::vector<Tile> tiles) {
  SweepProgram sweep;
  sweep.order.resize(tiles.size());
  std::iota(sweep.order.begin(), sweep.order.end(), std::size_t{0});
  for (std::size_t i = 0; i < tiles.size(); ++i) sweep.items.push_back({i, i + 1, {}});
  sweep.passes.push_back({std::move(spec), std::move(tiles), {}});
  return sweep;
}

std::int64_t points_of(const Patches& patches, const PointMap* held) {
  std::int64_t points = 0;
  for (const Patch& patch : patches) points += patch.box.volume();
  if (held == nullptr || held->elements.empty()) return points;
  const auto there = std::ranges::count_if(
      held->elements, [](std::int32_t element) { return element != PointMap::absent; });
  return points / static_cast<std::int64_t>(held->elements.size()) * there;
}

// A pass of one axis of those of another pass.
struct Leg {
  PassSpec spec;
  std::vector<Tile> tiles;
};

// An axis of a pass, and what its numbers are before it is transformed and after that.
struct Along {
  int axis;
  bool is_last;
  Scalar before, after;
};

// The pass along one axis. It takes the tiles from `boxes`, which become those in which it leaves
// them.
Leg leg_along(const PassSpec& pass, const Along& along, const std::vector<Tile>& tiles,
              std::vector<Box>& boxes) {
  const auto& [axis, is_last, before, after] = along;
  Leg leg{pass, tiles};
  PassSpec& spec = leg.spec;
  spec.axes = {axis};
  if (axis != pass.half_axis) spec.half_axis = -1;
  if (pass.twiddle && pass.twiddle->axis != axis) spec.twiddle.reset();
  if (!is_last) {
    spec.factor = 1;
    spec.takes_scale = false;
    spec.target_points.reset();
  }
  spec.real_scalar = pass.forward ? before : after;
  spec.spectral_scalar = pass.forward ? after : before;
  spec.real_boxes.clear();
  spec.spectral_boxes.clear();
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    const Box from = boxes[i];
    boxes[i].set(axis, (pass.forward ? tiles[i].spectral : tiles[i].real).range(axis));
    leg.tiles[i].real = pass.forward ? from : boxes[i];
    leg.tiles[i].spectral = pass.forward ? boxes[i] : from;
    leg.tiles[i].block = 0;
    spec.real_boxes.push_back(leg.tiles[i].real);
    spec.spectral_boxes.push_back(leg.tiles[i].spectral);
  }
  return leg;
}

// The tiles in buffer `buffer` of their slots.
Patches in_slots(const std::vector<Box>& boxes, std::size_t buffers, int buffer) {
  Patches patches;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const std::size_t slot = i % TileSlots::slots;
    const std::size_t number =
        buffers + slot * TileSlots::buffers + static_cast<std::size_t>(buffer);
    patches.push_back(packed_patch(boxes[i], static_cast<int>(number), 0));
  }
  return patches;
}

}  // namespace

StreamedPass::StreamedPass(const SweepProgram& sweep, std::size_t pass, std::size_t buffers,
                           TileSlots& slots) {
  const PassProgram& program = sweep.passes[pass];
  const PassSpec& spec = program.spec;
  moved_bytes_ = points_of(spec.source, spec.source_points.get()) * spec.source_scalar().bytes() +
                 points_of(spec.target, spec.target_points.get()) * spec.target_scalar().bytes();
  if (spec.axes.size() < 2) {
    legs_.emplace_back(sweep, pass, slots.queue().driver());
  } else {
    std::vector<Tile> tiles;
    first_tiles_.push_back(0);
    for (const Item& item : sweep.items) {
      for (std::size_t place = item.first; place < item.last; ++place) {
        const std::size_t grain = sweep.order[place];
        for (std::size_t t = sweep.first_tile(pass, grain); t < sweep.first_tile(pass, grain + 1);
             ++t)
          if (!program.tiles[t].real.empty() && !program.tiles[t].spectral.empty())
            tiles.push_back(program.tiles[t]);
      }
      first_tiles_.push_back(tiles.size());
    }
    if (!tiles.empty()) add_legs(spec, std::move(tiles), buffers, slots);
  }
}

void StreamedPass::add_legs(const PassSpec& spec, std::vector<Tile> tiles, std::size_t buffers,
                            TileSlots& slots) {
  const std::vector<int> axes = spec.axes_in_order();
  std::vector<Box> boxes;
  for (const Tile& tile : tiles) boxes.push_back(spec.forward ? tile.real : tile.spectral);
  Scalar scalar = spec.source_scalar();
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const bool is_last = i + 1 == axes.size();
    const int from = static_cast<int>(i + 1) % 2, to = static_cast<int>(i) % 2;
    const Scalar before = scalar;
    if (axes[i] == spec.half_axis) scalar = spec.target_scalar();
    const std::vector<Box> held = boxes;
    Leg leg = leg_along(spec, {axes[i], is_last, before, scalar}, tiles, boxes);
    if (i > 0) {
      leg.spec.source = in_slots(held, buffers, from);
      leg.spec.source_points.reset();
    }
    if (!is_last) {
      leg.spec.target = in_slots(boxes, buffers, to);
      for (const Box& box : boxes) slots.require(to, box.volume() * scalar.bytes());
    }
    legs_.emplace_back(tile_by_tile(std::move(leg.spec), std::move(leg.tiles)), 0,
                       slots.queue().driver());
  }
}

void StreamedPass::enqueue(TileSlots& slots, std::size_t item, std::byte* const* addresses,
                           double scale) const {
  if (first_tiles_.empty()) {
    legs_.front().enqueue(slots.stream(static_cast<int>(item % TileSlots::slots)), item, addresses,
                          scale);
    return;
  }
  for (std::size_t tile = first_tiles_[item]; tile < first_tiles_[item + 1]; ++tile) {
    const DeviceStream stream = slots.stream(static_cast<int>(tile % TileSlots::slots));
    for (std::size_t i = 0; i < legs_.size(); ++i) {
      const bool crosses = i == 0 || i + 1 == legs_.size();
      legs_[i].enqueue(stream, tile, addresses, scale, crosses ? share_of_leg : 1);
    }
  }
}

std::int64_t StreamedPass::table_bytes() const {
  std::int64_t bytes = 0;
  for (const DevicePass& leg : legs_) bytes += leg.table_bytes();
  return bytes;
}

}  // namespace weft
