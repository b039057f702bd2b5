// device/device_pass: cuts tiles into adjacent lines, and finds the parts of patches that hold
// them.

#include "weft/device/device_pass.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/ensure.hpp"
#include "weft/device/kernels.hpp"

namespace weft {

namespace {

// What lines of a pass are: their axis, the axis of adjacent lines, and the form of the transform.
struct LinesOf {
  int axis = 0, adjacent = -1;  // adjacent: -1 if the boxes have no other axis
  LineWork work;
  KeptPoints real, spectral;
};

int any_axis(const PassSpec& spec) {
  return spec.axes.empty() ? spec.real_boxes.front().axes() - 1 : spec.axes.front();
}

// The other axis along which the points of the source are closest to each other.
int adjacent_axis(const PassSpec& spec, int axis) {
  int adjacent = -1;
  const Patch& patch = spec.source.front();
  for (int a = 0; a < patch.box.axes(); ++a) {
    if (a == axis) continue;
    const bool is_longer = adjacent >= 0 && patch.box.extent(adjacent) == 1;
    const bool is_closer = adjacent >= 0 && patch.strides[a] < patch.strides[adjacent];
    if (adjacent < 0 || is_longer || (is_closer && patch.box.extent(a) > 1)) adjacent = a;
  }
  return adjacent;
}

LineForm form_of(const PassSpec& spec, int axis) {
  const bool halves = spec.half_axis == axis && !spec.axes.empty();
  if (halves) return spec.forward ? LineForm::r2c : LineForm::c2r;
  return spec.source_scalar().is_complex ? LineForm::c2c : LineForm::r2r;
}

LinesOf lines_of(const PassSpec& spec) {
  LinesOf lines;
  lines.axis = any_axis(spec);
  lines.adjacent = adjacent_axis(spec, lines.axis);
  const std::int64_t points = spec.real_boxes.front().extent(lines.axis);
  const KeptLine kept = spec.axes.empty() ? KeptLine{} : kept_along(spec.kept, lines.axis);
  LineWork& work = lines.work;
  work.form = form_of(spec, lines.axis);
  work.backward = !spec.forward;
  work.precision = spec.real_scalar.precision;
  work.points = kept.is_all() ? points : kept.points;
  work.is_copy = spec.axes.empty();
  const std::int64_t coefficients =
      work.form == LineForm::r2c || work.form == LineForm::c2r ? work.points / 2 + 1 : work.points;
  lines.real = kept.is_all() ? KeptPoints::all(work.points) : kept.real;
  lines.spectral = kept.is_all() ? KeptPoints::all(coefficients) : kept.spectral;
  if (lines.adjacent < 0) return lines;
  for (const Box& box : spec.real_boxes)
    work.lines = std::max(work.lines, box.extent(lines.adjacent));
  const Dims& strides = spec.source.front().strides;
  work.lines_first = strides[lines.adjacent] < strides[lines.axis];
  return lines;
}

}  // namespace

std::optional<std::string> DevicePass::why_not(const PassSpec& spec, const BlockLimits& limits) {
  if (spec.axes.size() > 1)
    return fmt::format("a pass on a device transforms one axis, and this one {}", spec.axes.size());
  if (spec.source_points || spec.target_points)
    return "arrays on devices hold all points of their boxes, not some that are listed";
  if (spec.twiddle) return "axes in two halves are not transformed on devices";
  if (spec.real_boxes.empty()) return std::nullopt;
  const LinesOf lines = lines_of(spec);
  if (!spec.axes.empty() && !spec.lines.empty() &&
      spec.lines[static_cast<std::size_t>(lines.axis)].kind != Basis::fourier)
    return "sums of sines and cosines are not computed on devices";
  if (!line_launch(lines.work, limits))
    return fmt::format(
        "lines of {} points are not transformed on devices: a prime factor is above "
        "13, or a line has more bytes than the {} that a block of threads shares",
        lines.work.points, limits.shared_bytes);
  return std::nullopt;
}

namespace {

// Lists the tiles of a device, and their parts, on the processor.
class LineTables {
 public:
  LineTables(const PassSpec& spec, const LinesOf& lines, const LineShape& shape)
      : spec_(spec),
        lines_(lines),
        shape_(shape),
        source_index_(index_of(spec.source)),
        target_index_(index_of(spec.target)) {}

  // Cuts a tile of the program.
  void add(const Tile& tile) {
    const Box& box = tile.real;
    if (box.empty() || tile.spectral.empty()) return;
    // The corner of every bundle of adjacent lines.
    Dims corner = box.lo;
    do {
      add_bundle(tile, corner);
    } while (advance(corner, box));
  }

  std::vector<LineTile> tiles;
  std::vector<LinePart> parts;

 private:
  // The next bundle; false after the last.
  bool advance(Dims& corner, const Box& box) const {
    for (int a = box.axes() - 1; a >= 0; --a) {
      if (a == lines_.axis) continue;
      corner[a] += a == lines_.adjacent ? shape_.lines : 1;
      if (corner[a] < box.hi[a]) return true;
      corner[a] = box.lo[a];
    }
    return false;
  }
  Box bundle(Box box, const Dims& corner) const {
    for (int a = 0; a < box.axes(); ++a) {
      if (a == lines_.axis) continue;
      const std::int64_t count = a == lines_.adjacent ? shape_.lines : 1;
      box.set(a, {corner[a], std::min(corner[a] + count, box.hi[a])});
    }
    return box;
  }
  void add_bundle(const Tile& tile, const Dims& corner) {
    const Box real = bundle(tile.real, corner), spectral = bundle(tile.spectral, corner);
    const Box &from = spec_.forward ? real : spectral, &to = spec_.forward ? spectral : real;
    LineTile made;
    made.lines = lines_.adjacent < 0 ? 1 : static_cast<std::int32_t>(real.extent(lines_.adjacent));
    made.first_source = static_cast<std::int32_t>(parts.size());
    const std::int64_t loaded = add_parts(spec_.source, source_index_, from, spec_.forward);
    made.sources = static_cast<std::int32_t>(parts.size()) - made.first_source;
    made.loads_all = loaded == made.lines * points_of(spec_.forward) ? 1 : 0;
    made.first_target = static_cast<std::int32_t>(parts.size());
    add_parts(spec_.target, target_index_, to, !spec_.forward);
    made.targets = static_cast<std::int32_t>(parts.size()) - made.first_target;
    tiles.push_back(made);
  }
  // Points of a whole line on the real or the spectral side.
  std::int64_t points_of(bool real) const {
    const bool is_half =
        !real && (lines_.work.form == LineForm::r2c || lines_.work.form == LineForm::c2r);
    return is_half ? lines_.work.points / 2 + 1 : lines_.work.points;
  }

  // Adds what patches hold of the lines in `box`; returns the number of points.
  std::int64_t add_parts(const Patches& patches, const BoxIndex& index, const Box& box, bool real) {
    const KeptPoints& kept = real ? lines_.real : lines_.spectral;
    std::int64_t points = 0;
    for (const std::size_t number : index.overlapping(box)) {
      const Patch part = clipped(patches[number], box);
      points += part.box.volume();
      // Stored points before the tail of those that are kept, and those in it.
      const std::int64_t tail = kept.count - kept.tail;
      const Range range = part.box.range(lines_.axis);
      add_part(part, {range.lo, std::min(range.hi, tail)}, box, kept, points_of(real));
      add_part(part, {std::max(range.lo, tail), range.hi}, box, kept, points_of(real));
    }
    return points;
  }
  void add_part(const Patch& patch, Range range, const Box& box, const KeptPoints& kept,
                std::int64_t points) {
    if (range.empty()) return;
    Dims first = patch.box.lo;
    first[lines_.axis] = range.lo;
    LinePart part;
    part.far = patch.at(first);
    part.far_point = patch.strides[lines_.axis];
    part.buffer = patch.buffer;
    part.first_point = static_cast<std::int32_t>(kept.position(range.lo, points));
    part.points = static_cast<std::int32_t>(range.size());
    part.lines = 1;
    if (lines_.adjacent >= 0) {
      part.far_line = patch.strides[lines_.adjacent];
      part.first_line =
          static_cast<std::int32_t>(patch.box.lo[lines_.adjacent] - box.lo[lines_.adjacent]);
      part.lines = static_cast<std::int32_t>(patch.box.extent(lines_.adjacent));
    }
    part.lines_first = part.lines > 1 && part.far_line < part.far_point ? 1 : 0;
    part.by_fastest = Divisor(part.lines_first != 0 ? part.lines : part.points);
    parts.push_back(part);
  }

  const PassSpec& spec_;
  const LinesOf& lines_;
  const LineShape& shape_;
  BoxIndex source_index_, target_index_;
};

// The device of a driver, as far as line_launch() asks.
BlockLimits limits_of(DeviceDriver& driver) {
  const DeviceTraits traits = driver.traits(driver.selected());
  return {traits.shared_bytes, traits.threads, traits.warp};
}

template <class T>
DeviceBuffer uploaded(DeviceDriver& driver, DeviceStream stream, const std::vector<T>& values,
                      std::int64_t& bytes) {
  const auto size = static_cast<std::int64_t>(values.size() * sizeof(T));
  DeviceBuffer buffer(driver, size);
  driver.copy(stream, buffer.data(), values.data(), size);
  bytes += size;
  return buffer;
}

}  // namespace

DevicePass::DevicePass(const SweepProgram& sweep, std::size_t pass, DeviceDriver& driver)
    : driver_(&driver) {
  const PassProgram& program = sweep.passes[pass];
  const PassSpec& spec = program.spec;
  const BlockLimits limits = limits_of(driver);
  if (const auto reason = why_not(spec, limits)) throw Error(Error::unsupported, *reason);
  precision_ = spec.real_scalar.precision;
  factor_ = spec.factor;
  takes_scale_ = spec.takes_scale;
  processors_ = driver.traits(driver.selected()).processors;
  first_tiles_.assign(sweep.items.size() + 1, 0);
  if (spec.real_boxes.empty()) return;

  const LinesOf lines = lines_of(spec);
  launch_ = *line_launch(lines.work, limits);
  LineTables tables(spec, lines, launch_.shape);
  for (std::size_t i = 0; i < sweep.items.size(); ++i) {
    for (std::size_t place = sweep.items[i].first; place < sweep.items[i].last; ++place) {
      const std::size_t grain = sweep.order[place];
      for (std::size_t t = sweep.first_tile(pass, grain); t < sweep.first_tile(pass, grain + 1);
           ++t)
        tables.add(program.tiles[t]);
    }
    first_tiles_[i + 1] = static_cast<std::int64_t>(tables.tiles.size());
  }

  const auto upload_roots = [&]<class Real>(DeviceStream stream, std::int64_t points,
                                            std::int64_t count) {
    const std::vector<Real> roots = roots_of_unity<Real>(points, count);
    DeviceBuffer buffer = uploaded(driver, stream, roots, table_bytes_);
    driver.await(stream);
    return buffer;
  };
  const DeviceStream stream = driver.make_stream(0);
  tiles_ = uploaded(driver, stream, tables.tiles, table_bytes_);
  parts_ = uploaded(driver, stream, tables.parts, table_bytes_);
  const std::int64_t points = launch_.shape.complex_points, half = lines.work.points / 2 + 1;
  if (precision_ == Precision::single_precision) {
    roots_ = upload_roots.template operator()<float>(stream, points, points);
    real_roots_ = upload_roots.template operator()<float>(stream, lines.work.points, half);
  } else {
    roots_ = upload_roots.template operator()<double>(stream, points, points);
    real_roots_ = upload_roots.template operator()<double>(stream, lines.work.points, half);
  }
  driver.await(stream);
  driver.destroy(stream);
}

template <class Real>
void DevicePass::enqueue_as(DeviceStream stream, std::size_t item, std::byte* const* addresses,
                            double factor) const {
  LineArguments<Real> arguments;
  arguments.shape = launch_.shape;
  arguments.factor = static_cast<Real>(factor);
  arguments.buffers = addresses;
  arguments.tiles = static_cast<const LineTile*>(tiles_.data());
  arguments.first_tile = first_tiles_[item];
  arguments.tile_count = first_tiles_[item + 1] - first_tiles_[item];
  arguments.parts = static_cast<const LinePart*>(parts_.data());
  arguments.roots = static_cast<const Real*>(roots_.data());
  arguments.real_roots = static_cast<const Real*>(real_roots_.data());
  // Several blocks on each processor, which share out the tiles.
  constexpr std::int64_t blocks_of_processor = 8;
  driver_->launch(stream, {lines_kernel(precision_),
                           std::min(arguments.tile_count, processors_ * blocks_of_processor),
                           launch_.threads, launch_.shared_bytes, &arguments});
}

void DevicePass::enqueue(DeviceStream stream, std::size_t item, std::byte* const* addresses,
                         double scale) const {
  if (first_tiles_[item] == first_tiles_[item + 1]) return;
  const double factor = takes_scale_ ? factor_ * scale : factor_;
  if (precision_ == Precision::single_precision)
    enqueue_as<float>(stream, item, addresses, factor);
  else
    enqueue_as<double>(stream, item, addresses, factor);
}

}  // namespace weft
