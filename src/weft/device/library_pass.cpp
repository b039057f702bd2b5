// device/library_pass: decides, item by item, what the library does itself and what is copied.

#include "weft/device/library_pass.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "weft/base/ensure.hpp"
#include "weft/device/fft_layout.hpp"
#include "weft/fft/whole_lines.hpp"
#include "weft/program/library_lines.hpp"

namespace weft {

namespace {

std::int64_t complex_bytes(const PassSpec& spec) {
  return Scalar{spec.real_scalar.precision, true}.bytes();
}

// The part of one patch that holds all of a box; nothing if there is none.
std::optional<Patch> piece_of(const Patches& patches, const BoxIndex& index, const Box& box) {
  const auto found = index.overlapping(box);
  if (found.size() != 1) return std::nullopt;
  Patch part = clipped(patches[found.front()], box);
  if (part.box != box) return std::nullopt;
  return part;
}

// How tiles lie in the room: the axes of the pass innermost, the last of `axes` adjacent. Rows of
// real numbers are as long as those of their spectra, so that both have the same place.
class PackedTile {
 public:
  PackedTile(const PassSpec& spec, std::vector<int> axes, const Tile& tile)
      : spec_(spec), axes_(std::move(axes)), tile_(tile) {}

  // In elements of the real or the spectral side.
  Dims strides(bool real) const {
    Dims strides = Dims::filled(tile_.real.axes(), 0);
    std::int64_t step = 1;
    for (std::size_t i = axes_.size(); i-- > 0;) {
      strides[axes_[i]] = step;
      step *= held(axes_[i], real);
    }
    for (int a = tile_.real.axes() - 1; a >= 0; --a) {
      if (std::ranges::find(axes_, a) != axes_.end()) continue;
      strides[a] = step;
      step *= tile_.real.extent(a);
    }
    return strides;
  }
  // Points of one transform, and how many transforms the tile is.
  std::int64_t points_of_one(bool real) const {
    std::int64_t points = 1;
    for (const int axis : axes_) points *= held(axis, real);
    return points;
  }
  std::int64_t count() const {
    std::int64_t count = 1;
    for (int a = 0; a < tile_.real.axes(); ++a)
      if (std::ranges::find(axes_, a) == axes_.end()) count *= tile_.real.extent(a);
    return count;
  }

 private:
  std::int64_t held(int axis, bool real) const {
    const std::int64_t points = tile_.spectral.extent(axis);
    return axis == spec_.half_axis && real ? 2 * points : points;
  }

  const PassSpec& spec_;
  std::vector<int> axes_;
  const Tile& tile_;
};

// The axes of a pass as a library has them: the halved one last, the others in the order of memory.
std::vector<int> axes_by(const PassSpec& spec, const Dims* strides) {
  std::vector<int> axes = spec.axes;
  std::ranges::sort(axes);
  std::ranges::stable_sort(axes, [&](int a, int b) {
    if ((a == spec.half_axis) != (b == spec.half_axis)) return b == spec.half_axis;
    return strides != nullptr && (*strides)[a] > (*strides)[b];
  });
  return axes;
}

}  // namespace

// Makes the transforms, and lists what is copied.
class LibraryPass::Maker {
 public:
  Maker(LibraryPass& pass, const PassSpec& spec, std::size_t buffers)
      : pass_(pass),
        spec_(spec),
        buffers_(static_cast<int>(buffers)),
        source_index_(index_of(spec_.source)),
        target_index_(index_of(spec_.target)),
        load_(spec_, spec_.source_scalar()),
        store_(spec_, spec_.target_scalar()),
        multiply_(store_) {
    load_.spec.target.clear();
    load_.spec.factor = 1;
    load_.spec.takes_scale = false;
    store_.spec.source.clear();
    multiply_.spec.source = spec_.target;
  }

  void add_item(const std::vector<const Tile*>& tiles) {
    std::optional<Run> run;
    if (!tiles.empty()) run = run_of(tiles);
    pass_.runs_.push_back(run);
    for (Leg* const leg : {&load_, &store_, &multiply_}) leg->end_item();
  }
  void make_legs(DeviceDriver& driver) {
    pass_.load_ = std::move(load_).made(driver);
    pass_.store_ = std::move(store_).made(driver);
    if (spec_.factor != 1 || spec_.takes_scale) pass_.multiply_ = std::move(multiply_).made(driver);
  }

 private:
  // A pass that copies what a pass of the program loads, or what it stores.
  struct Leg {
    PassSpec spec;
    std::vector<Tile> tiles;
    std::vector<std::size_t> first_tiles{0};  // of every item, and of none

    Leg(const PassSpec& pass, const Scalar& scalar) : spec(pass) {
      spec.axes.clear();
      spec.half_axis = -1;
      spec.forward = true;
      spec.real_scalar = spec.spectral_scalar = scalar;
      spec.real_boxes.clear();
      spec.is_whole = false;
    }
    void add(const Box& box) {
      spec.real_boxes.push_back(box);
      tiles.push_back({box, box, 0});
    }
    void end_item() { first_tiles.push_back(tiles.size()); }

    std::optional<DevicePass> made(DeviceDriver& driver) && {
      if (tiles.empty()) return std::nullopt;
      SweepProgram sweep;
      spec.spectral_boxes = spec.real_boxes;
      sweep.order.resize(tiles.size());
      std::iota(sweep.order.begin(), sweep.order.end(), std::size_t{0});
      for (std::size_t i = 0; i + 1 < first_tiles.size(); ++i)
        sweep.items.push_back({first_tiles[i], first_tiles[i + 1], {}});
      sweep.passes.push_back({std::move(spec), std::move(tiles), {}});
      return DevicePass(sweep, 0, driver);
    }
  };

  const Box& source_box(const Tile& tile) const {
    return spec_.forward ? tile.real : tile.spectral;
  }
  const Box& target_box(const Tile& tile) const {
    return spec_.forward ? tile.spectral : tile.real;
  }
  // Of an array that the library can load from, or store to: it may destroy what it loads, and
  // takes no numbers that are not aligned.
  std::optional<Patch> loadable(const Tile& tile) const {
    const LineKind kind = spec_.half_axis < 0 ? LineKind::c2c
                          : spec_.forward     ? LineKind::r2c
                                              : LineKind::c2r;
    if (!pass_.room_->library().keeps_source(kind)) return std::nullopt;
    const auto piece = piece_of(spec_.source, source_index_, source_box(tile));
    return is_aligned(piece, spec_.source_scalar()) ? piece : std::nullopt;
  }
  std::optional<Patch> storable(const Tile& tile) const {
    const auto piece = piece_of(spec_.target, target_index_, target_box(tile));
    return is_aligned(piece, spec_.target_scalar()) ? piece : std::nullopt;
  }
  bool is_aligned(const std::optional<Patch>& piece, const Scalar& scalar) const {
    return piece && piece->offset * scalar.bytes() % complex_bytes(spec_) == 0;
  }
  Run run_of(const std::vector<const Tile*>& tiles) {
    if (tiles.size() > 1) return packed_run(tiles);
    const Tile& tile = *tiles.front();
    const auto from = loadable(tile), to = storable(tile);
    // Where both are one array, points stay where they are (making/step_planner).
    if (from && to)
      if (auto run = made(tile, &*from, &*to)) return *run;
    if (from)
      if (auto run = made(tile, &*from, nullptr)) return *run;
    if (to)
      if (auto run = made(tile, nullptr, &*to)) return *run;
    return packed_run(tiles);
  }

  // The library loads from a piece of an array, or stores to one; null: the room.
  std::optional<Run> made(const Tile& tile, const Patch* from, const Patch* to) {
    const Dims* const known = from != nullptr ? &from->strides : &to->strides;
    const PackedTile packed(spec_, axes_by(spec_, known), tile);
    const Dims in = from != nullptr ? from->strides : packed.strides(spec_.forward),
               out = to != nullptr ? to->strides : packed.strides(!spec_.forward);
    const Lines lines =
        whole_lines({spec_.axes, spec_.half_axis, spec_.forward, spec_.real_scalar.precision, 1,
                     tile.real.extents(), tile.spectral.extents(), in, out});
    if (!fft_layout(lines)) return std::nullopt;
    if (from == nullptr) add_load(tile, packed, 0);
    if (to == nullptr) add_store(tile, packed, 0);
    if (to != nullptr) multiply_.add(target_box(tile));
    if (from == nullptr || to == nullptr) require(packed.count() * packed.points_of_one(false));
    return Run{number_of(lines), place_of(from, spec_.source_scalar()),
               place_of(to, spec_.target_scalar())};
  }

  // All tiles of an item behind each other in the room, where they stay.
  Run packed_run(const std::vector<const Tile*>& tiles) {
    std::int64_t before = 0;
    WholeBox box{{}, -1, spec_.forward, spec_.real_scalar.precision, 1, {0}, {0}, {}, {}};
    for (const Tile* const tile : tiles) {
      const PackedTile packed(spec_, axes_by(spec_, nullptr), *tile);
      add_load(*tile, packed, before);
      add_store(*tile, packed, before);
      before += packed.count();
    }
    const Tile& first = *tiles.front();
    const std::vector<int> axes = axes_by(spec_, nullptr);
    const PackedTile packed(spec_, axes, first);
    const Dims in = packed.strides(spec_.forward), out = packed.strides(!spec_.forward);
    box.real_extents[0] = box.spectral_extents[0] = before;
    box.source_strides = {packed.points_of_one(spec_.forward)};
    box.target_strides = {packed.points_of_one(!spec_.forward)};
    for (const int axis : axes) {
      if (axis == spec_.half_axis) box.half_axis = box.real_extents.size();
      box.axes.push_back(box.real_extents.size());
      box.real_extents.push_back(first.real.extent(axis));
      box.spectral_extents.push_back(first.spectral.extent(axis));
      box.source_strides.push_back(in[axis]);
      box.target_strides.push_back(out[axis]);
    }
    require(before * packed.points_of_one(false));
    return {number_of(whole_lines(box)), {}, {}};
  }

  void add_load(const Tile& tile, const PackedTile& packed, std::int64_t before) {
    const Box& box = source_box(tile);
    const bool real = spec_.forward;
    load_.add(box);
    load_.spec.target.push_back(
        {box, buffers_, before * packed.points_of_one(real), packed.strides(real)});
  }
  void add_store(const Tile& tile, const PackedTile& packed, std::int64_t before) {
    const Box& box = target_box(tile);
    const bool real = !spec_.forward;
    store_.add(box);
    store_.spec.source.push_back(
        {box, buffers_, before * packed.points_of_one(real), packed.strides(real)});
  }
  void require(std::int64_t spectral_points) const {
    pass_.room_->require(spectral_points * complex_bytes(spec_));
  }
  static Place place_of(const Patch* piece, const Scalar& scalar) {
    if (piece == nullptr) return {};
    return {static_cast<std::size_t>(piece->buffer), piece->offset * scalar.bytes()};
  }
  std::size_t number_of(const Lines& lines) {
    const auto known = std::ranges::find(lines_, lines);
    if (known != lines_.end()) return static_cast<std::size_t>(known - lines_.begin());
    pass_.transforms_.push_back(pass_.room_->make(lines));
    lines_.push_back(lines);
    return lines_.size() - 1;
  }

  LibraryPass& pass_;
  const PassSpec& spec_;
  int buffers_;
  BoxIndex source_index_, target_index_;
  Leg load_, store_, multiply_;
  std::vector<Lines> lines_;  // of the transforms
};

LibraryPass::LibraryPass(const SweepProgram& sweep, std::size_t pass, std::size_t buffers,
                         LibraryRoom& room)
    : room_(&room),
      factor_(sweep.passes[pass].spec.factor),
      takes_scale_(sweep.passes[pass].spec.takes_scale) {
  const PassProgram& program = sweep.passes[pass];
  const auto axes = program.spec.axes.size();
  auto why_not = why_not_by_library(program.spec);
  if (!why_not && axes > FftLayout::most_axes)
    why_not = fmt::format("it has {} axes, and libraries take {}", axes, FftLayout::most_axes);
  if (why_not)
    throw Error(Error::unsupported,
                fmt::format("a library for devices cannot transform axes {}: {}",
                            fmt::join(program.spec.axes, ","), *why_not),
                "leave out `by` for this pass");
  Maker maker(*this, program.spec, buffers);
  for (const Item& item : sweep.items) {
    std::vector<const Tile*> tiles;
    for (std::size_t place = item.first; place < item.last; ++place) {
      const std::size_t grain = sweep.order[place];
      for (std::size_t t = sweep.first_tile(pass, grain); t < sweep.first_tile(pass, grain + 1);
           ++t)
        if (!program.tiles[t].real.empty() && !program.tiles[t].spectral.empty())
          tiles.push_back(&program.tiles[t]);
    }
    maker.add_item(tiles);
  }
  maker.make_legs(room.queue().driver());
}

std::byte* LibraryPass::address(const Place& place, const Addresses& addresses) const {
  return (place.buffer ? addresses[*place.buffer] : room_->lines()) + place.offset;
}

void LibraryPass::enqueue(std::size_t item, const Addresses& addresses, std::byte* const* table,
                          double scale) const {
  const std::optional<Run>& run = runs_[item];
  if (!run) return;
  const DeviceStream stream = room_->queue().stream();
  if (load_) load_->enqueue(stream, item, table);
  transforms_[run->transform]->enqueue(address(run->in, addresses), address(run->out, addresses));
  if (store_) store_->enqueue(stream, item, table, scale);
  if (multiply_ && (takes_scale_ ? factor_ * scale : factor_) != 1)
    multiply_->enqueue(stream, item, table, scale);
}

std::int64_t LibraryPass::table_bytes() const {
  std::int64_t bytes = 0;
  for (const auto* const leg : {&load_, &store_, &multiply_})
    if (*leg) bytes += (*leg)->table_bytes();
  return bytes;
}

}  // namespace weft
