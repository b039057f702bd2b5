// compute/line_trial: rows and columns of a tile that fits the cache.

#include "weft/compute/line_trial.hpp"

#include <algorithm>
#include <cstring>

#include "weft/base/ensure.hpp"
#include "weft/base/trace.hpp"
#include "weft/compute/tile_layout.hpp"

namespace weft {

namespace {

// Kernels of weft's own take as many columns at once as a vector of 64 bytes has lanes, and tiles
// of passes have rows of as many points, or more.
std::int64_t fewest_lines(Precision precision) {
  return precision == Precision::single_precision ? 16 : 8;
}
// A clock and an interruption tell little of what takes less.
constexpr double seconds_of_runs = 5e-5, shortest_seconds = 1e-9;

}  // namespace

LineTrial::LineTrial(Engine& engine, const TrialLines& asked, std::int64_t cache_bytes,
                     Effort effort) {
  ensure(!asked.are_real || !asked.are_columns, asked.n);
  const std::int64_t n = asked.n, out_points = asked.are_real ? n / 2 + 1 : n;
  const Scalar from{asked.precision, !asked.are_real}, to{asked.precision, true};
  // Full vectors, of which the last one would be of little use otherwise.
  const std::int64_t fewest = fewest_lines(asked.precision);
  const std::int64_t fit = cache_bytes / 2 / (n * from.bytes() + out_points * to.bytes());
  const std::int64_t count = std::max<std::int64_t>(1, fit / fewest) * fewest;
  const bool become_rows = asked.are_columns && !engine.keeps_columns(n);
  const int along = asked.are_columns ? 0 : 1;
  const auto extents = [&](std::int64_t points) {
    return asked.are_columns ? Dims{points, count} : Dims{count, points};
  };
  const Layout in = tile_layout(extents(n), from.bytes());
  const Layout out = tile_layout(extents(out_points), to.bytes(), become_rows ? along : -1);
  Lines lines;
  lines.kind = asked.are_real ? LineKind::r2c : LineKind::c2c;
  lines.precision = asked.precision;
  lines.n = n;
  lines.in_stride = in.strides[along];
  lines.out_stride = out.strides[along];
  lines.loops = {{count, in.strides[1 - along], out.strides[1 - along]}};
  in_ = Buffer(in.span() * from.bytes());
  out_ = Buffer(out.span() * to.bytes());
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
