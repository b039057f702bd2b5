// making/sweep_items: sorts tiles by the messages that they need and complete.

#include "weft/making/sweep_items.hpp"

#include <algorithm>
#include <tuple>

#include "weft/base/ensure.hpp"
#include "weft/base/simulation.hpp"
#include "weft/grid/split.hpp"

namespace weft {

namespace {

// A tile, or a block of several passes: the messages that its first pass loads, who waits for the
// data that its last pass stores, and the last message that it stores to.
struct Grain {
  std::size_t number = 0;
  std::vector<int> messages;
  Feeds feeds = Feeds::nobody;
  int last_departure = -1;
};

std::vector<int> messages_of(const Patches& patches, const BoxIndex& index, const Box& box) {
  std::vector<int> messages;
  for (const std::size_t number : index.overlapping(box))
    if (patches[number].message != Patch::resident) messages.push_back(patches[number].message);
  std::sort(messages.begin(), messages.end());
  messages.erase(std::unique(messages.begin(), messages.end()), messages.end());
  return messages;
}

Grain grain_of(const SweepProgram& sweep, std::size_t number, const std::vector<Feeds>& feeds,
               const TileMessages& of_first, const TileMessages& of_last) {
  Grain grain;
  grain.number = number;
  const PassProgram& first = sweep.passes.front();
  for (std::size_t t = sweep.first_tile(0, number); t < sweep.first_tile(0, number + 1); ++t)
    for (const int message : of_first.sources(first.tiles[t])) grain.messages.push_back(message);
  std::sort(grain.messages.begin(), grain.messages.end());
  grain.messages.erase(std::unique(grain.messages.begin(), grain.messages.end()),
                       grain.messages.end());
  const std::size_t last = sweep.passes.size() - 1;
  const PassProgram& pass = sweep.passes[last];
  for (std::size_t t = sweep.first_tile(last, number); t < sweep.first_tile(last, number + 1); ++t)
    for (const int message : of_last.targets(pass.tiles[t])) {
      grain.last_departure = std::max(grain.last_departure, message);
      grain.feeds = std::min(grain.feeds, feeds[static_cast<std::size_t>(message)]);
    }
  if (grain.last_departure < 0) grain.last_departure = pass.spec.target_messages;
  if (!keeps_priorities()) return {number, grain.messages, Feeds::other_nodes, 0};
  return grain;
}

void order_tiles(PassProgram& pass) {
  const TileMessages of_tiles(pass);
  const auto last_message = [&](const Tile& tile) {
    if (!keeps_priorities()) return 0;
    const auto messages = of_tiles.targets(tile);
    return messages.empty() ? pass.spec.target_messages : messages.back();
  };
  std::vector<std::pair<int, Tile>> keyed;
  keyed.reserve(pass.tiles.size());
  for (const Tile& tile : pass.tiles) keyed.emplace_back(last_message(tile), tile);
  std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) {
    return std::tie(a.second.block, a.first) < std::tie(b.second.block, b.first);
  });
  for (std::size_t t = 0; t < keyed.size(); ++t) pass.tiles[t] = keyed[t].second;
}

}  // namespace

TileMessages::TileMessages(const PassProgram& pass)
    : pass_(&pass), sources_(index_of(pass.spec.source)), targets_(index_of(pass.spec.target)) {}

std::vector<int> TileMessages::sources(const Tile& tile) const {
  const PassSpec& spec = pass_->spec;
  return messages_of(spec.source, sources_, spec.forward ? tile.real : tile.spectral);
}

std::vector<int> TileMessages::targets(const Tile& tile) const {
  const PassSpec& spec = pass_->spec;
  return messages_of(spec.target, targets_, spec.forward ? tile.spectral : tile.real);
}

PassProgram with_tiles(PassSpec spec) {
  PassProgram pass;
  std::size_t blocks = 0;  // of the boxes before
  for (std::size_t box = 0; box < spec.real_boxes.size(); ++box) {
    for (const Box& real : tiles_of(spec.real_boxes[box], spec.axes, spec.limits, spec.cuts)) {
      Tile tile{real, real, 0};
      // Along transformed axes a tile is as long as its box.
      for (const int axis : spec.axes)
        tile.spectral.set(axis, spec.spectral_boxes[box].range(axis));
      if (!spec.blocks.empty()) tile.block = blocks + spec.blocks[box].number_of(real.lo);
      pass.tiles.push_back(tile);
    }
    if (!spec.blocks.empty()) blocks += spec.blocks[box].count();
  }
  pass.first_tiles.assign(spec.blocks.empty() ? 2 : blocks + 1, 0);
  for (const Tile& tile : pass.tiles) ++pass.first_tiles[tile.block + 1];
  for (std::size_t b = 1; b < pass.first_tiles.size(); ++b)
    pass.first_tiles[b] += pass.first_tiles[b - 1];
  pass.spec = std::move(spec);
  order_tiles(pass);
  return pass;
}

SweepProgram with_items(std::vector<PassProgram> passes, int parts,
                        const std::vector<Feeds>& feeds) {
  SweepProgram sweep;
  sweep.passes = std::move(passes);
  for (const PassProgram& pass : sweep.passes)
    ensure(pass.blocks() == sweep.passes.front().blocks());
  std::vector<Grain> grains;
  const PassProgram& front = sweep.passes.front();
  const std::size_t count = sweep.passes.size() == 1 ? front.tiles.size() : front.blocks();
  const TileMessages of_first(front), of_last(sweep.passes.back());
  for (std::size_t i = 0; i < count; ++i)
    grains.push_back(grain_of(sweep, i, feeds, of_first, of_last));
  std::stable_sort(grains.begin(), grains.end(), [](const Grain& a, const Grain& b) {
    return std::tie(a.messages, a.feeds, a.last_departure) <
           std::tie(b.messages, b.feeds, b.last_departure);
  });
  for (const Grain& grain : grains) sweep.order.push_back(grain.number);
  for (std::size_t first = 0; first < grains.size();) {
    std::size_t last = first;
    while (last < grains.size() && grains[last].messages == grains[first].messages &&
           grains[last].feeds == grains[first].feeds &&
           (parts > 0 || grains[last].last_departure == grains[first].last_departure))
      ++last;
    const std::size_t cuts = std::min(static_cast<std::size_t>(std::max(1, parts)), last - first);
    for (std::size_t i = 0; i < cuts; ++i) {
      const auto range = split(static_cast<std::int64_t>(last - first),
                               static_cast<std::int64_t>(cuts), static_cast<std::int64_t>(i));
      sweep.items.push_back({first + static_cast<std::size_t>(range.lo),
                             first + static_cast<std::size_t>(range.hi), grains[first].messages,
                             grains[first].feeds});
    }
    first = last;
  }
  return sweep;
}

}  // namespace weft
