// proof/accesses: the accesses of tiles are parts of patches, those of messages are runs.

#include "weft/proof/accesses.hpp"

#include <algorithm>
#include <utility>

#include "weft/program/index.hpp"

namespace weft {

namespace {

bool overlap(const Box& a, const Box& b) {
  for (int axis = 0; axis < a.axes(); ++axis)
    if (std::max(a.lo[axis], b.lo[axis]) >= std::min(a.hi[axis], b.hi[axis])) return false;
  return true;
}

Strided run_of(std::int64_t offset, std::int64_t count, std::int64_t element_bytes) {
  Strided run;
  run.first = offset * element_bytes;
  run.run = count * element_bytes;
  return run;
}

// Adds the messages that a tile of `box` stores to.
void add_messages(const Patches& patches, const Box& box, std::vector<int>& messages) {
  for (const Patch& patch : patches)
    if (patch.message >= 0 && overlap(patch.box, box)) {
      const auto place = std::lower_bound(messages.begin(), messages.end(), patch.message);
      if (place == messages.end() || *place != patch.message) messages.insert(place, patch.message);
    }
}

}  // namespace

Strided region_of(const Patch& patch, const Box& box, std::int64_t element_bytes) {
  Strided region;
  std::int64_t first = patch.offset;
  std::array<std::pair<std::int64_t, std::int64_t>, Dims::capacity> axes;  // stride and count
  std::size_t used = 0;
  for (int a = 0; a < box.axes(); ++a) {
    const std::int64_t lo = std::max(patch.box.lo[a], box.lo[a]);
    const std::int64_t count = std::min(patch.box.hi[a], box.hi[a]) - lo;
    if (count <= 0) return region;
    first += (lo - patch.box.lo[a]) * patch.strides[a];
    if (count == 1) continue;
    const std::pair axis{patch.strides[a], count};
    std::size_t place = used++;
    for (; place > 0 && axes[place - 1] > axis; --place) axes[place] = axes[place - 1];
    axes[place] = axis;
  }
  // An axis that continues the previous axis without a gap is merged with it.
  std::int64_t run = 1;
  for (std::size_t i = 0; i < used; ++i) {
    const auto [stride, count] = axes[i];
    const auto last = at(region.axes - 1);
    if (region.axes == 0 && stride == run)
      run *= count;
    else if (region.axes > 0 &&
             stride * element_bytes == region.strides[last] * region.counts[last])
      region.counts[last] *= count;
    else {
      region.counts[at(region.axes)] = count;
      region.strides[at(region.axes++)] = stride * element_bytes;
    }
  }
  region.first = first * element_bytes;
  region.run = run * element_bytes;
  return region;
}

void AccessReader::read(int number, const Visitor& touch) {
  const Task& task = program_.tasks[at(number)];
  const Step& step = program_.steps[at(task.step)];
  used_ = 0;
  number_of({});
  touch_.grain = touch_.ends = 0;
  if (task.kind == Task::compute) {
    const SweepProgram& sweep = program_.sweeps[at(step.sweep)];
    read_item(sweep, sweep.items[at(task.index)], touch);
    return;
  }
  if (task.kind != Task::receive && task.kind != Task::send && task.kind != Task::collective)
    return;
  const ExchangeProgram& exchange = program_.exchanges[at(step.exchange)];
  if (task.kind == Task::receive)
    read_message(exchange.receives[at(task.index)], exchange.element_bytes, Touch::write, touch);
  else if (task.kind == Task::send)
    read_message(exchange.sends[at(task.index)], exchange.element_bytes, Touch::read, touch);
  else
    read_collective(exchange.collectives[at(task.index)], exchange.element_bytes, touch);
}

// A tile has ended when one of the messages is stored that the tile, or a later tile of its grain,
// stores to, because the tiles of a grain run one after the other.
void AccessReader::read_item(const SweepProgram& sweep, const Item& item, const Visitor& touch) {
  const std::size_t last_pass = sweep.passes.size() - 1;
  const PassProgram& last = sweep.passes[last_pass];
  for (std::size_t place = item.first; place < item.last; ++place) {
    const std::size_t grain = sweep.order[place];
    const std::size_t first_tile = sweep.first_tile(last_pass, grain);
    messages_.clear();
    tile_ends_.assign(sweep.first_tile(last_pass, grain + 1) - first_tile, 0);
    if (last.spec.target_messages > 0)
      for (std::size_t tile = tile_ends_.size(); tile-- > 0;) {
        const Tile& box = last.tiles[first_tile + tile];
        add_messages(last.spec.target, last.spec.forward ? box.spectral : box.real, messages_);
        tile_ends_[tile] = number_of(messages_);
      }
    const int all_ends = number_of(messages_);
    for (std::size_t p = 0; p <= last_pass; ++p) {
      const PassProgram& pass = sweep.passes[p];
      const std::size_t first = sweep.first_tile(p, grain), end = sweep.first_tile(p, grain + 1);
      for (std::size_t tile = first; tile < end; ++tile)
        read_tile(pass, pass.tiles[tile], static_cast<int>(grain),
                  p == last_pass ? tile_ends_[tile - first] : all_ends, touch);
    }
  }
}

void AccessReader::read_tile(const PassProgram& pass, const Tile& tile, int grain, int ends,
                             const Visitor& touch) {
  const PassSpec& spec = pass.spec;
  touch_.grain = grain;
  touch_.ends = ends;
  for (const bool writes : {false, true}) {
    const Box& box = spec.forward == writes ? tile.spectral : tile.real;
    const std::int64_t bytes = (writes ? spec.target_scalar() : spec.source_scalar()).bytes();
    touch_.kind = writes ? Touch::write : Touch::read;
    for (const Patch& patch : writes ? spec.target : spec.source) {
      if (!overlap(patch.box, box)) continue;
      touch_.buffer = patch.buffer;
      if (const auto& points = writes ? spec.target_points : spec.source_points) {
        read_points(*points, clipped(patch, box), bytes, touch);
        continue;
      }
      touch_.region = region_of(patch, box, bytes);
      touch(touch_);
    }
  }
}

// Runs of the elements that hold points of the patch, or, of what is read, their conjugates.
void AccessReader::read_points(const PointMap& map, const Patch& patch, std::int64_t bytes,
                               const Visitor& touch) {
  std::vector<std::int64_t> elements;
  Dims at = patch.box.lo;
  const auto points = static_cast<std::int64_t>(map.elements.size());
  for (std::int64_t left = patch.box.volume(); left > 0; --left) {
    const std::int64_t point = patch.at(at), field = point / points;
    const std::int32_t element = map.elements[static_cast<std::size_t>(point - field * points)];
    if (element >= 0 || (touch_.kind == Touch::read && element != PointMap::absent))
      elements.push_back(field * map.field_stride + (element < 0 ? ~element : element));
    for (int a = at.size() - 1; a >= 0; --a) {
      if (++at[a] < patch.box.hi[a]) break;
      at[a] = patch.box.lo[a];
    }
  }
  std::sort(elements.begin(), elements.end());
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  for (std::size_t i = 0; i < elements.size();) {
    std::size_t end = i + 1;
    while (end < elements.size() && elements[end] == elements[end - 1] + 1) ++end;
    touch_.region = run_of(elements[i], static_cast<std::int64_t>(end - i), bytes);
    touch(touch_);
    i = end;
  }
}

void AccessReader::read_message(const Message& message, std::int64_t element_bytes,
                                Touch::Kind kind, const Visitor& touch) {
  touch_.kind = kind;
  touch_.buffer = message.buffer;
  touch_.region = run_of(message.offset, message.count, element_bytes);
  touch(touch_);
}

// Every part is a grain, as MPI may move parts in any order. alltoall moves whole slots, padding
// included.
void AccessReader::read_collective(const Collective& collective, std::int64_t element_bytes,
                                   const Visitor& touch) {
  for (const bool writes : {false, true}) {
    touch_.buffer = writes ? collective.receive_buffer : collective.send_buffer;
    touch_.kind = writes ? Touch::write : Touch::read;
    for (const Collective::Part& part : writes ? collective.receives : collective.sends) {
      ++touch_.grain;
      touch_.region = run_of(part.offset, part.boxes.empty() ? part.count : 0, element_bytes);
      touch(touch_);
      for (const Patch& patch : part.boxes) {
        Touch box = touch_;
        box.buffer = patch.buffer;
        box.region = region_of(patch, patch.box, element_bytes);
        touch(box);
      }
    }
    if (collective.method != Collective::alltoall) continue;
    touch_.kind = writes ? Touch::write_idly : Touch::read_idly;
    std::vector<std::int64_t> filled(collective.group.size(), 0);
    for (const auto& part : writes ? collective.receives : collective.sends)
      filled[at(static_cast<int>(
          std::lower_bound(collective.group.begin(), collective.group.end(), part.peer) -
          collective.group.begin()))] = part.count;
    for (std::size_t slot = 0; slot < filled.size(); ++slot) {
      ++touch_.grain;
      touch_.region =
          run_of(collective.first_slot +
                     static_cast<std::int64_t>(slot) * collective.largest_count + filled[slot],
                 collective.largest_count - filled[slot], element_bytes);
      touch(touch_);
    }
  }
}

int AccessReader::number_of(const std::vector<int>& messages) {
  for (int number = 0; number < used_; ++number)
    if (ends_[at(number)] == messages) return number;
  if (at(used_) == ends_.size()) ends_.emplace_back();
  ends_[at(used_)] = messages;
  return used_++;
}

}  // namespace weft
