// program/size: adds up lists.

#include "weft/program/size.hpp"

#include <algorithm>

namespace weft {

namespace {

template <class T>
std::int64_t list_bytes(const std::vector<T>& list) {
  return static_cast<std::int64_t>(list.size() * sizeof(T));
}

std::int64_t sweep_bytes(const SweepProgram& sweep) {
  std::int64_t bytes = list_bytes(sweep.passes) + list_bytes(sweep.order) + list_bytes(sweep.items);
  for (const Item& item : sweep.items) bytes += list_bytes(item.messages);
  for (const PassProgram& pass : sweep.passes) {
    bytes += list_bytes(pass.tiles) + list_bytes(pass.first_tiles) + list_bytes(pass.spec.source) +
             list_bytes(pass.spec.target);
    for (const auto& points : {pass.spec.source_points, pass.spec.target_points})
      if (points) bytes += list_bytes(points->elements);
  }
  return bytes;
}

std::int64_t exchange_bytes(const ExchangeProgram& exchange) {
  std::int64_t bytes =
      list_bytes(exchange.receives) + list_bytes(exchange.sends) + list_bytes(exchange.collectives);
  for (const Collective& collective : exchange.collectives) {
    bytes += list_bytes(collective.group) + list_bytes(collective.sends) +
             list_bytes(collective.receives);
    for (const auto* parts : {&collective.sends, &collective.receives})
      for (const Collective::Part& part : *parts) bytes += list_bytes(part.boxes);
  }
  return bytes;
}

}  // namespace

std::int64_t value_bytes(const Program& program) {
  std::int64_t bytes = static_cast<std::int64_t>(sizeof(Program)) + list_bytes(program.buffers) +
                       list_bytes(program.steps) + list_bytes(program.sweeps) +
                       list_bytes(program.exchanges) + list_bytes(program.signals) +
                       list_bytes(program.tasks);
  for (const Step& step : program.steps)
    bytes += list_bytes(step.stored) + list_bytes(step.arrived);
  for (const SweepProgram& sweep : program.sweeps) bytes += sweep_bytes(sweep);
  for (const ExchangeProgram& exchange : program.exchanges) bytes += exchange_bytes(exchange);
  for (const Task& task : program.tasks) bytes += list_bytes(task.waits);
  return bytes;
}

std::int64_t bound_bytes(const Program& program) {
  // The bytes of a tile, and of each of its groups that is loaded or stored.
  constexpr std::int64_t bytes_of_tile = 64, bytes_of_group = 44;
  std::int64_t bytes = value_bytes(program);
  for (const SweepProgram& sweep : program.sweeps)
    for (const PassProgram& pass : sweep.passes) {
      const std::int64_t groups = pass.spec.axes.size() > 1 ? 2 * groups_in_a_tile : 2;
      bytes +=
          static_cast<std::int64_t>(pass.tiles.size()) * (bytes_of_tile + groups * bytes_of_group);
    }
  return bytes;
}

// The two buffers of a kernel for lines of which not all is stored (fft/kept_lines), at most: a row
// of 128 bytes for each point, up to 512 KiB, or one line if that is longer.
std::int64_t line_buffer_bytes(const PassSpec& spec) {
  constexpr std::int64_t row_bytes = 128, most_bytes = 512 * 1024;
  const std::int64_t element = std::max(spec.real_scalar.bytes(), spec.spectral_scalar.bytes());
  std::int64_t bytes = 0;
  for (const KeptLine& kept : spec.kept)
    if (!kept.is_all())
      bytes += 2 * std::max(kept.points * element, std::min(kept.points * row_bytes, most_bytes));
  return bytes;
}

// The most points of a group of `tile`, which has at most `tile_points`: widths from 8 points on
// are rounded up to multiples of four. Where fewer than two axes have several points, a group is
// the tile.
std::int64_t group_points(const PassSpec& spec, const Tile& tile, std::int64_t tile_points) {
  const GroupLimits limits = group_limits(spec.limits, spec.spectral_scalar.bytes(), true);
  std::int64_t most = limits.points * 11 / 8, axes = 0;
  for (const int axis : spec.axes) {
    const std::int64_t before = tile.real.extent(axis), after = tile.spectral.extent(axis);
    if (std::max(before, after) > 1) ++axes;
    for (const std::int64_t points : {before, after})
      most = std::max(most, points * limits.run(points));
  }
  return axes > 1 ? std::min(tile_points, most) : tile_points;
}

std::int64_t tile_bytes(const Program& program) {
  std::int64_t tile = 0, group = 0, lines = 0;
  for (const SweepProgram& sweep : program.sweeps)
    for (const PassProgram& pass : sweep.passes) {
      const PassSpec& spec = pass.spec;
      if (spec.is_whole) continue;  // goes from array to array
      lines += line_buffer_bytes(spec);
      const std::int64_t element = std::max(spec.real_scalar.bytes(), spec.spectral_scalar.bytes());
      // Between its passes, a tile is as long along each axis as the longer of its sides.
      for (const Tile& one : pass.tiles) {
        std::int64_t points = 1;
        for (int a = 0; a < one.real.axes(); ++a)
          points *= std::max(one.real.extent(a), one.spectral.extent(a));
        tile = std::max(tile, points * element);
        if (!spec.axes.empty()) group = std::max(group, group_points(spec, one, points) * element);
      }
    }
  return tile + group + lines;
}

}  // namespace weft
