// tune/measure_transforms: rows and columns of tiles that fit the cache.

#include "weft/tune/measure_transforms.hpp"

#include <algorithm>
#include <cstring>

#include "weft/compute/tile_layout.hpp"
#include "weft/fft/engine.hpp"
#include "weft/memory/buffer.hpp"
#include "weft/plan/common_engine.hpp"
#include "weft/tune/repeat.hpp"

namespace weft {

namespace {

constexpr std::int64_t point_bytes = 16;
// Kernels of weft's own take as many columns at once as a vector has lanes: 8 or fewer.
constexpr std::int64_t fewest_lines = 8;
// A clock and an interruption tell little of what takes less.
constexpr double least_seconds = 5e-5;

// Lines of a tile: along axis 0 of two axes where they are columns, else along axis 1.
struct TileLines {
  Lines lines;
  std::int64_t in_bytes = 0, out_bytes = 0;
  std::int64_t points = 0;  // of all lines
};

TileLines lines_of_tile(std::int64_t n, std::int64_t count, bool are_columns, bool become_rows) {
  const Dims extents = are_columns ? Dims{n, count} : Dims{count, n};
  const int along = are_columns ? 0 : 1;
  const Layout in = tile_layout(extents, point_bytes);
  const Layout out = tile_layout(extents, point_bytes, become_rows ? along : -1);
  TileLines tile;
  tile.lines.n = n;
  tile.lines.in_stride = in.strides[along];
  tile.lines.out_stride = out.strides[along];
  tile.lines.loops = {{count, in.strides[1 - along], out.strides[1 - along]}};
  tile.in_bytes = in.span() * point_bytes;
  tile.out_bytes = out.span() * point_bytes;
  tile.points = n * count;
  return tile;
}

// Seconds for a point of these lines. Not collective.
Repeated time_of(Engine& engine, const TileLines& tile, double seconds, Effort effort) {
  Buffer in(tile.in_bytes), out(tile.out_bytes);
  const auto kernel = engine.make(tile.lines, in.data(), out.data(), effort);
  std::memset(in.data(), 0, static_cast<std::size_t>(tile.in_bytes));
  PrefetchQueue nothing;
  const auto run = [&] { kernel->run(in.data(), out.data(), nothing); };
  run();
  const double begin = now();
  run();
  const int runs = 1 + static_cast<int>(least_seconds / std::max(shortest_seconds, now() - begin));
  const double all = runs * static_cast<double>(tile.points);
  const Repeated found = repeat_here({seconds, 3, 25}, [&] {
    const double start = now();
    for (int i = 0; i < runs; ++i) run();
    return now() - start;
  });
  return {found.best / all, found.median / all};
}

// On this rank. Not collective.
EngineMeasurement measure_here(const std::string& name, std::int64_t cache_bytes, double seconds,
                               Effort effort) {
  const auto engine = find_engine(name).make();
  EngineMeasurement found{name, {}, 1};
  constexpr double layouts = 2;
  const double each = seconds / (layouts * std::size(measured_lengths));
  for (const std::int64_t n : measured_lengths) {
    // Input and output together take half of the cache, if that is enough for a few lines.
    const std::int64_t count = std::max(fewest_lines, cache_bytes / 4 / point_bytes / n);
    const bool keeps = engine->keeps_columns(n);
    const Repeated rows = time_of(*engine, lines_of_tile(n, count, false, false), each, effort);
    const Repeated columns = time_of(*engine, lines_of_tile(n, count, true, !keeps), each, effort);
    found.speeds.push_back({n, rows.best, columns.best});
    found.spread = std::max({found.spread, rows.spread(), columns.spread()});
  }
  return found;
}

}  // namespace

std::vector<EngineMeasurement> measure_transforms(const Communicator& comm,
                                                  std::int64_t cache_bytes, double seconds,
                                                  Effort effort) {
  const std::vector<std::string> names = common_engines(comm);
  std::vector<EngineMeasurement> all;
  for (const std::string& name : names) {
    EngineMeasurement found = agree(comm, [&] {
      return measure_here(name, cache_bytes, seconds / static_cast<double>(names.size()), effort);
    });
    for (LineSpeed& speed : found.speeds) {
      speed.rows = comm.max(speed.rows);
      speed.columns = comm.max(speed.columns);
    }
    found.spread = comm.max(found.spread);
    agree(comm, [&] { all.push_back(std::move(found)); });
  }
  return all;
}

}  // namespace weft
