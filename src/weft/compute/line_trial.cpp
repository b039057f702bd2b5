// compute/line_trial: rows and columns of a tile that fits the cache.

#include "weft/compute/line_trial.hpp"

#include <algorithm>
#include <cstring>

#include "weft/base/trace.hpp"
#include "weft/compute/tile_layout.hpp"

namespace weft {

namespace {

constexpr std::int64_t point_bytes = 16;
// Kernels of weft's own take as many columns at once as a vector has lanes: 8 or fewer.
constexpr std::int64_t fewest_lines = 8;
// A clock and an interruption tell little of what takes less.
constexpr double seconds_of_runs = 5e-5, shortest_seconds = 1e-9;

}  // namespace

LineTrial::LineTrial(Engine& engine, std::int64_t n, std::int64_t cache_bytes, bool are_columns,
                     Effort effort) {
  const std::int64_t count = std::max(fewest_lines, cache_bytes / 4 / point_bytes / n);
  const bool become_rows = are_columns && !engine.keeps_columns(n);
  const Dims extents = are_columns ? Dims{n, count} : Dims{count, n};
  const int along = are_columns ? 0 : 1;
  const Layout in = tile_layout(extents, point_bytes);
  const Layout out = tile_layout(extents, point_bytes, become_rows ? along : -1);
  Lines lines;
  lines.n = n;
  lines.in_stride = in.strides[along];
  lines.out_stride = out.strides[along];
  lines.loops = {{count, in.strides[1 - along], out.strides[1 - along]}};
  in_ = Buffer(in.span() * point_bytes);
  out_ = Buffer(out.span() * point_bytes);
  points_ = n * count;
  kernel_ = engine.make(lines, in_.data(), out_.data(), effort);
  std::memset(in_.data(), 0, static_cast<std::size_t>(in_.bytes()));
  run();
  const double begin = now();
  run();
  runs_ = 1 + static_cast<int>(seconds_of_runs / std::max(shortest_seconds, now() - begin));
}

void LineTrial::run() { kernel_->run(in_.data(), out_.data(), nothing_); }

double LineTrial::seconds() {
  run();  // other lines may have been in the cache
  const double begin = now();
  for (int i = 0; i < runs_; ++i) run();
  return std::max(shortest_seconds, now() - begin);
}

}  // namespace weft
