// making/sample: chooses grains, and lays out what they load and store.

#include "weft/making/sample.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "weft/base/pages.hpp"
#include "weft/making/step_plan.hpp"

namespace weft {

namespace {

// The numbers of the chosen grains, ascending.
std::vector<std::size_t> chosen_grains(const SweepProgram& sweep, std::int64_t least_bytes) {
  const PassProgram& pass = sweep.passes.front();
  const auto corner = [&](std::size_t grain) {
    return pass.tiles[sweep.first_tile(0, grain)].real.lo;
  };
  std::vector<std::size_t> grains(sweep.order.size());
  std::iota(grains.begin(), grains.end(), std::size_t{0});
  std::stable_sort(grains.begin(), grains.end(),
                   [&](std::size_t a, std::size_t b) { return corner(a) < corner(b); });
  std::int64_t bytes = 0;
  std::size_t count = 0;
  for (; count < grains.size() && bytes < least_bytes; ++count)
    for (std::size_t t = sweep.first_tile(0, grains[count]);
         t < sweep.first_tile(0, grains[count] + 1); ++t)
      bytes += (pass.spec.forward ? pass.tiles[t].real : pass.tiles[t].spectral).volume() *
               pass.spec.source_scalar().bytes();
  grains.resize(count);
  std::sort(grains.begin(), grains.end());
  return grains;
}

// The smallest box that holds one side of all tiles.
Box bounds_of(const std::vector<Tile>& tiles, bool real) {
  Box bounds = real ? tiles.front().real : tiles.front().spectral;
  for (const Tile& tile : tiles) {
    const Box& box = real ? tile.real : tile.spectral;
    for (int a = 0; a < box.axes(); ++a) {
      bounds.lo[a] = std::min(bounds.lo[a], box.lo[a]);
      bounds.hi[a] = std::max(bounds.hi[a], box.hi[a]);
    }
  }
  return bounds;
}

// A step of at least `least` elements that takes the place of one of `step` elements: as far apart
// in their pages, so that rows share cache lines and pages as before.
std::int64_t shortened(std::int64_t step, std::int64_t least, std::int64_t element_bytes) {
  // A choice: arrays may have as many points between rows as in them, as padded ones have, and
  // of sparser ones a row may take a page.
  constexpr std::int64_t most = 4;
  if (step <= most * least) return step;
  const std::int64_t in_pages = least + (step - least) % (page_bytes / element_bytes);
  return in_pages <= most * least ? in_pages : least;
}

// `step`, or a step of a few elements more with which rows lie in their pages as with `whole`: it
// matters whether they share sets of a cache.
std::int64_t as_in_pages(std::int64_t whole, std::int64_t step, std::int64_t element_bytes) {
  constexpr std::int64_t most_part = 4;  // of the step may be added; a choice
  const std::int64_t page = page_bytes / element_bytes;
  const std::int64_t more = ((whole - step) % page + page) % page;
  return more <= step / most_part ? step + more : step;
}

// The strides of `part`, which is what is left of `whole`, without the gaps where the rest was,
// and with small ones where an array has large ones.
Dims pushed_together(const Patch& whole, const Patch& part, std::int64_t element_bytes) {
  // The stride of an axis of one point is not the step to anything.
  std::vector<int> inner_first;
  for (int a = 0; a < part.box.axes(); ++a)
    if (whole.box.extent(a) > 1) inner_first.push_back(a);
  if (inner_first.empty()) return whole.strides;
  std::stable_sort(inner_first.begin(), inner_first.end(),
                   [&](int a, int b) { return whole.strides[a] < whole.strides[b]; });
  Dims strides = whole.strides;
  // Points that are further apart take a cache line each, as they do here.
  constexpr std::int64_t line_bytes = 64;
  std::int64_t& innermost = strides[inner_first.front()];
  innermost = std::min(innermost, line_bytes / element_bytes);
  for (std::size_t i = 1; i < inner_first.size(); ++i) {
    const int inner = inner_first[i - 1], outer = inner_first[i];
    const bool is_cut = part.box.extent(inner) != whole.box.extent(inner);
    const std::int64_t gap =
        is_cut || whole.strides[inner] == 0 || whole.strides[outer] % whole.strides[inner] != 0
            ? part.box.extent(inner)
            : whole.strides[outer] / whole.strides[inner];
    const std::int64_t least = strides[inner] * part.box.extent(inner);
    strides[outer] = shortened(std::max(strides[inner] * gap, least), least, element_bytes);
    if (is_cut) strides[outer] = as_in_pages(whole.strides[outer], strides[outer], element_bytes);
  }
  return strides;
}

// Gives patches their places in buffers. Equal patches have the same place, so that a pass that
// works in place does so in the sample, too; and what begins two buffers begins two buffers there.
class Places {
 public:
  // The user's two arrays may be one.
  explicit Places(bool in_place) : in_place_(in_place) {}

  Patches placed(const Patches& patches, const Box& bounds, std::int64_t element_bytes) {
    Patches parts;
    for (const Patch& whole : patches) {
      if (intersect(whole.box, bounds).empty()) continue;
      Patch part = clipped(whole, bounds);
      const int buffer = in_place_ && whole.buffer == target_role ? source_role : whole.buffer;
      part.strides = pushed_together(whole, part, element_bytes);
      const Key key{buffer, part.offset * element_bytes, element_bytes, part.box, part.strides};
      part.buffer = numbers_.try_emplace(buffer, static_cast<int>(bytes_.size())).first->second;
      part.message = Patch::resident;
      bytes_.resize(numbers_.size());
      std::int64_t& bytes = bytes_[static_cast<std::size_t>(part.buffer)];
      const auto [place, is_new] = places_.try_emplace(key, bytes);
      part.offset = place->second / element_bytes;
      if (is_new) {
        std::int64_t span = 1;
        for (int a = 0; a < part.box.axes(); ++a)
          span += (part.box.extent(a) - 1) * part.strides[a];
        // The first tile of every patch begins on a page, as arrays usually do.
        bytes += (span * element_bytes + page_bytes - 1) / page_bytes * page_bytes;
      }
      parts.push_back(part);
    }
    return parts;
  }
  // The bytes of each buffer.
  const std::vector<std::int64_t>& bytes() const { return bytes_; }

 private:
  // Buffer, byte, bytes of an element, box and strides.
  struct Key {
    int buffer;
    std::int64_t byte, element_bytes;
    Box box;
    Dims strides;
    friend bool operator<(const Key& a, const Key& b) {
      return std::tie(a.buffer, a.byte, a.element_bytes, a.box.lo, a.box.hi, a.strides) <
             std::tie(b.buffer, b.byte, b.element_bytes, b.box.lo, b.box.hi, b.strides);
    }
  };
  bool in_place_;
  std::map<Key, std::int64_t> places_;
  std::map<int, int> numbers_;  // of buffers
  std::vector<std::int64_t> bytes_;
};

}  // namespace

Sample sample_of(const SweepProgram& sweep, std::int64_t least_bytes, bool in_place) {
  Sample sample;
  const std::vector<std::size_t> grains = chosen_grains(sweep, least_bytes);
  Places places(in_place);
  for (std::size_t p = 0; p < sweep.passes.size(); ++p) {
    const PassProgram& whole = sweep.passes[p];
    PassProgram part;
    part.first_tiles = {0};
    for (const std::size_t grain : grains) {
      for (std::size_t t = sweep.first_tile(p, grain); t < sweep.first_tile(p, grain + 1); ++t)
        part.tiles.push_back(whole.tiles[t]);
      if (sweep.passes.size() > 1) part.first_tiles.push_back(part.tiles.size());
    }
    if (sweep.passes.size() == 1) part.first_tiles.push_back(part.tiles.size());
    part.spec = whole.spec;
    part.spec.source_messages = part.spec.target_messages = 0;
    // What is in a list of points is moved by copies.
    if (part.spec.source_points) part.spec.loads_directly = false;
    if (part.spec.target_points) part.spec.stores_directly = false;
    part.spec.source_points = part.spec.target_points = nullptr;
    if (!part.tiles.empty()) {
      const bool forward = whole.spec.forward;
      part.spec.source = places.placed(whole.spec.source, bounds_of(part.tiles, forward),
                                       whole.spec.source_scalar().bytes());
      part.spec.target = places.placed(whole.spec.target, bounds_of(part.tiles, !forward),
                                       whole.spec.target_scalar().bytes());
    }
    sample.sweep.passes.push_back(std::move(part));
  }
  for (const std::size_t number : sweep.order) {
    const auto found = std::lower_bound(grains.begin(), grains.end(), number);
    if (found != grains.end() && *found == number)
      sample.sweep.order.push_back(static_cast<std::size_t>(found - grains.begin()));
  }
  sample.sweep.items.push_back({0, sample.sweep.order.size(), {}, Feeds::nobody});
  for (const std::int64_t bytes : places.bytes()) {
    sample.buffers.push_back(sample.bytes);
    sample.bytes += bytes;
  }
  if (!grains.empty())
    sample.whole_bytes = sample.bytes * std::ssize(sweep.order) / std::ssize(grains);
  return sample;
}

}  // namespace weft
