// device/device_pass: cuts tiles into adjacent lines, and finds the parts of patches that hold
// them.

#include "weft/device/device_pass.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "weft/base/ensure.hpp"
#include "weft/device/kernels.hpp"
#include "weft/device/line_tables.hpp"

namespace weft {

namespace {

// What lines of a pass are: their axis, the axis of adjacent lines, and the form of the transform.
struct LinesOf {
  int axis = 0, adjacent = -1;  // adjacent: -1 if the boxes have no other axis
  LineWork work;
  LineTransform sum;  // if work.sum is one
  KeptPoints real, spectral;
};

LineSum sum_of(Basis kind) {
  switch (kind) {
    case Basis::dct1:
      return LineSum::dct1;
    case Basis::dct2:
      return LineSum::dct2;
    case Basis::dct3:
      return LineSum::dct3;
    case Basis::dct4:
      return LineSum::dct4;
    case Basis::dst1:
      return LineSum::dst1;
    case Basis::dst2:
      return LineSum::dst2;
    case Basis::dst3:
      return LineSum::dst3;
    case Basis::dst4:
      return LineSum::dst4;
    default:
      return LineSum::none;
  }
}

// What is copied is cut along the axis whose points are stored side by side, so that a tile also
// holds rows that are loaded side by side (adjacent_axis) where the data change their order.
int copied_axis(const PassSpec& spec) {
  const Patch& patch = spec.target.front();
  int closest = patch.box.axes() - 1;
  if (spec.source_points || spec.target_points) return closest;
  for (int a = closest - 1; a >= 0; --a)
    if (patch.box.extent(a) > 1 &&
        (patch.box.extent(closest) == 1 || patch.strides[a] < patch.strides[closest]))
      closest = a;
  return closest;
}

int any_axis(const PassSpec& spec) {
  return spec.axes.empty() ? copied_axis(spec) : spec.axes.front();
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

// Lines that are copied are cut into pieces, of which a tile has about as many points as a block of
// threads holds at once.
std::int64_t points_at_once(const PassSpec& spec, const LinesOf& lines) {
  constexpr std::int64_t most_points = 4096, most_lines = 64, longest_piece = 1024;
  std::int64_t longest = 1;
  for (const Box& box : spec.real_boxes) longest = std::max(longest, box.extent(lines.axis));
  return std::min({longest, longest_piece, most_points / std::min(most_lines, lines.work.lines)});
}

LinesOf lines_of(const PassSpec& spec) {
  LinesOf lines;
  lines.axis = any_axis(spec);
  lines.adjacent = adjacent_axis(spec, lines.axis);
  std::int64_t points = spec.real_boxes.front().extent(lines.axis);
  const KeptLine kept = spec.axes.empty() ? KeptLine{} : kept_along(spec.kept, lines.axis);
  LineWork& work = lines.work;
  work.form = form_of(spec, lines.axis);
  work.backward = !spec.forward;
  work.precision = spec.real_scalar.precision;
  work.is_copy = spec.axes.empty();
  if (lines.adjacent >= 0)
    for (const Box& box : spec.real_boxes)
      work.lines = std::max(work.lines, box.extent(lines.adjacent));
  if (work.is_copy) points = points_at_once(spec, lines);
  work.points = kept.is_all() ? points : kept.points;
  if (!spec.axes.empty() && !spec.lines.empty())
    lines.sum = spec.lines[static_cast<std::size_t>(lines.axis)];
  work.sum = sum_of(lines.sum.kind);
  if (spec.twiddle) work.split_points = spec.twiddle->points;
  const std::int64_t coefficients =
      work.form == LineForm::r2c || work.form == LineForm::c2r ? work.points / 2 + 1 : work.points;
  lines.real = kept.is_all() ? KeptPoints::all(work.points) : kept.real;
  lines.spectral = kept.is_all() ? KeptPoints::all(coefficients) : kept.spectral;
  if (lines.adjacent < 0) return lines;
  const Dims& strides = spec.source.front().strides;
  work.lines_first = strides[lines.adjacent] < strides[lines.axis];
  work.turns_by_line = spec.twiddle && lines.adjacent == lines.axis + 1;
  return lines;
}

}  // namespace

std::optional<std::string> DevicePass::why_not(const PassSpec& spec, const BlockLimits& limits) {
  if (spec.axes.size() > 1)
    return fmt::format("a pass on a device transforms one axis, and this one {}", spec.axes.size());
  if (spec.real_boxes.empty()) return std::nullopt;
  const LineWork work = lines_of(spec).work;
  if (!line_launch(work, limits))
    return fmt::format(
        "a line of {} points does not fit a block of threads, which shares {} bytes and has at "
        "most "
        "{} threads; the longest line of this kind that does has {}",
        work.points, limits.shared_bytes, limits.threads, longest_line(work, limits));
  return std::nullopt;
}

namespace {

// Lists the tiles of a device, and their parts, on the processor.
class LineLists {
 public:
  LineLists(const PassSpec& spec, const LinesOf& lines, const LineShape& shape)
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
  // Whether a bundle has all of an axis, else how much of it.
  bool is_whole(int axis) const { return axis == lines_.axis && !lines_.work.is_copy; }
  std::int64_t step(int axis) const {
    return axis == lines_.axis ? shape_.points : axis == lines_.adjacent ? shape_.lines : 1;
  }
  // The next bundle; false after the last.
  bool advance(Dims& corner, const Box& box) const {
    for (int a = box.axes() - 1; a >= 0; --a) {
      if (is_whole(a)) continue;
      corner[a] += step(a);
      if (corner[a] < box.hi[a]) return true;
      corner[a] = box.lo[a];
    }
    return false;
  }
  Box bundle(Box box, const Dims& corner) const {
    for (int a = 0; a < box.axes(); ++a) {
      if (is_whole(a)) continue;
      box.set(a, {corner[a], std::min(corner[a] + step(a), box.hi[a])});
    }
    return box;
  }
  void add_bundle(const Tile& tile, const Dims& corner) {
    const Box real = bundle(tile.real, corner), spectral = bundle(tile.spectral, corner);
    const Box &from = spec_.forward ? real : spectral, &to = spec_.forward ? spectral : real;
    LineTile made;
    made.lines = lines_.adjacent < 0 ? 1 : static_cast<std::int32_t>(real.extent(lines_.adjacent));
    made.first_source = static_cast<std::int32_t>(parts.size());
    if (spec_.twiddle) made.turn = static_cast<std::int32_t>(corner[lines_.axis + 1]);
    const std::int64_t loaded =
        add_parts({spec_.source, source_index_, spec_.source_points.get()}, from, spec_.forward);
    made.sources = static_cast<std::int32_t>(parts.size()) - made.first_source;
    const std::int64_t all =
        lines_.work.is_copy ? from.extent(lines_.axis) : points_of(spec_.forward);
    made.loads_all = loaded == made.lines * all ? 1 : 0;
    made.first_target = static_cast<std::int32_t>(parts.size());
    add_parts({spec_.target, target_index_, spec_.target_points.get()}, to, !spec_.forward);
    made.targets = static_cast<std::int32_t>(parts.size()) - made.first_target;
    tiles.push_back(made);
  }
  // Points of a whole line on the real or the spectral side.
  std::int64_t points_of(bool real) const {
    const bool is_half =
        !real && (lines_.work.form == LineForm::r2c || lines_.work.form == LineForm::c2r);
    return is_half ? lines_.work.points / 2 + 1 : lines_.work.points;
  }

  // Where a tile is loaded from, or stored to.
  struct Side {
    const Patches& patches;
    const BoxIndex& index;
    const PointMap* map;
  };
  // Adds what patches hold of the lines in `box`; returns the number of points.
  std::int64_t add_parts(const Side& side, const Box& box, bool real) {
    const KeptPoints& kept = real ? lines_.real : lines_.spectral;
    std::int64_t points = 0;
    for (const std::size_t number : side.index.overlapping(box)) {
      const Patch part = clipped(side.patches[number], box);
      points += part.box.volume();
      // Stored points before the tail of those that are kept, and those in it.
      const Range range = part.box.range(lines_.axis);
      const std::int64_t tail = lines_.work.is_copy ? range.hi : kept.count - kept.tail;
      const std::size_t before = parts.size();
      add_part(part, {range.lo, std::min(range.hi, tail)}, box, kept, points_of(real));
      add_part(part, {std::max(range.lo, tail), range.hi}, box, kept, points_of(real));
      if (side.map != nullptr)
        for (std::size_t i = before; i < parts.size(); ++i) find_field(*side.map, parts[i]);
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
    part.first_point = static_cast<std::int32_t>(
        lines_.work.is_copy ? range.lo - box.lo[lines_.axis] : kept.position(range.lo, points));
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

  // Numbers of points become those of a field, and where its elements are. Fields of a batch are
  // adjacent lines, or all lines are in one.
  static void find_field(const PointMap& map, LinePart& part) {
    const auto points = static_cast<std::int64_t>(map.elements.size());
    part.field = part.far / points * map.field_stride;
    part.far %= points;
    if (part.lines == 1 || part.far_line % points != 0) return;
    part.field_line = part.far_line / points * map.field_stride;
    part.far_line = 0;
  }

  const PassSpec& spec_;
  const LinesOf& lines_;
  const LineShape& shape_;
  BoxIndex source_index_, target_index_;
};

// Copies tables to a device.
class Upload {
 public:
  explicit Upload(DeviceDriver& driver) : driver_(driver), stream_(driver.make_stream(0)) {}
  Upload(const Upload&) = delete;
  Upload& operator=(const Upload&) = delete;
  ~Upload() { driver_.destroy(stream_); }

  // `values` must live until finish().
  template <class T>
  DeviceBuffer copy(const std::vector<T>& values) {
    if (values.empty()) return {};
    const auto size = static_cast<std::int64_t>(values.size() * sizeof(T));
    DeviceBuffer buffer(driver_, size);
    driver_.copy(stream_, buffer.data(), values.data(), size);
    bytes_ += size;
    return buffer;
  }
  // Waits until all is on the device; returns how many bytes there are.
  std::int64_t finish() {
    driver_.await(stream_);
    return bytes_;
  }

 private:
  DeviceDriver& driver_;
  DeviceStream stream_;
  std::int64_t bytes_ = 0;
};

template <class Real>
LineArguments<Real> with_ends(LineArguments<Real> arguments, const LineTransform& sum) {
  arguments.first_in = static_cast<Real>(sum.first_in);
  arguments.last_in = static_cast<Real>(sum.last_in);
  arguments.first_out = static_cast<Real>(sum.first_out);
  arguments.last_out = static_cast<Real>(sum.last_out);
  return arguments;
}

}  // namespace

DevicePass::DevicePass(const SweepProgram& sweep, std::size_t pass, DeviceDriver& driver)
    : driver_(&driver) {
  const PassProgram& program = sweep.passes[pass];
  const PassSpec& spec = program.spec;
  const BlockLimits limits = block_limits(driver.traits(driver.selected()));
  if (const auto reason = why_not(spec, limits)) throw Error(Error::unsupported, *reason);
  factor_ = spec.factor;
  takes_scale_ = spec.takes_scale;
  processors_ = driver.traits(driver.selected()).processors;
  first_tiles_.assign(sweep.items.size() + 1, 0);
  if (spec.real_boxes.empty()) return;

  const LinesOf lines = lines_of(spec);
  launch_ = *line_launch(lines.work, limits);
  LineLists lists(spec, lines, launch_.shape);
  for (std::size_t i = 0; i < sweep.items.size(); ++i) {
    for (std::size_t place = sweep.items[i].first; place < sweep.items[i].last; ++place) {
      const std::size_t grain = sweep.order[place];
      for (std::size_t t = sweep.first_tile(pass, grain); t < sweep.first_tile(pass, grain + 1);
           ++t)
        lists.add(program.tiles[t]);
    }
    first_tiles_[i + 1] = static_cast<std::int64_t>(lists.tiles.size());
  }

  driver.prepare(lines_kernel(spec.real_scalar.precision));
  Upload upload(driver);
  tiles_ = upload.copy(lists.tiles);
  parts_ = upload.copy(lists.parts);
  if (spec.source_points) source_elements_ = upload.copy(spec.source_points->elements);
  if (spec.target_points) target_elements_ = upload.copy(spec.target_points->elements);
  const auto make_arguments = [&]<class Real>(LineArguments<Real> arguments) {
    const LineTables<Real> tables(launch_.shape, lines.work.split_points);
    numbers_ = upload.copy(tables.numbers());
    places_ = upload.copy(tables.places());
    table_bytes_ = upload.finish();
    tables.bind(arguments, static_cast<const Real*>(numbers_.data()),
                static_cast<const std::int32_t*>(places_.data()));
    arguments.shape = launch_.shape;
    arguments.tiles = static_cast<const LineTile*>(tiles_.data());
    arguments.parts = static_cast<const LinePart*>(parts_.data());
    arguments.source_elements = static_cast<const std::int32_t*>(source_elements_.data());
    arguments.target_elements = static_cast<const std::int32_t*>(target_elements_.data());
    arguments_ = with_ends(arguments, lines.sum);
  };
  if (spec.real_scalar.precision == Precision::single_precision)
    make_arguments(LineArguments<float>());
  else
    make_arguments(LineArguments<double>());
}

void DevicePass::enqueue(DeviceStream stream, std::size_t item, std::byte* const* addresses,
                         double scale, std::int64_t share) const {
  const std::int64_t tiles = first_tiles_[item + 1] - first_tiles_[item];
  if (tiles == 0) return;
  const auto launch = [&]<class Real>(LineArguments<Real> arguments) {
    arguments.factor = static_cast<Real>(takes_scale_ ? factor_ * scale : factor_);
    arguments.buffers = addresses;
    arguments.first_tile = first_tiles_[item];
    arguments.tile_count = tiles;
    // Several blocks on each processor, which share out the tiles.
    constexpr std::int64_t blocks_of_processor = 8;
    const std::int64_t most_blocks =
        share == 1 ? processors_ * blocks_of_processor : (processors_ + share - 1) / share;
    constexpr auto precision =
        std::is_same_v<Real, float> ? Precision::single_precision : Precision::double_precision;
    driver_->launch(stream, {lines_kernel(precision), std::min(tiles, most_blocks), launch_.threads,
                             launch_.shared_bytes, &arguments});
  };
  std::visit(launch, arguments_);
}

}  // namespace weft
