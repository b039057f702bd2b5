// making/whole_pass: what must be true of the one tile.

#include "weft/making/whole_pass.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "weft/base/ensure.hpp"

namespace weft {

namespace {

bool is_one_piece(const Patches& patches, const Box& box) {
  return patches.size() == 1 && intersect(patches.front().box, box) == box;
}

std::optional<std::string> why_not(const PassProgram& pass) {
  const PassSpec& spec = pass.spec;
  if (spec.axes.empty()) return "it transforms nothing";
  if (!spec.lines.empty()) return "not all of its transforms are Fourier transforms";
  if (spec.twiddle) return "one of its axes is a part of a split one";
  const auto is_partly_stored = [](const KeptLine& kept) { return !kept.is_all(); };
  if (std::ranges::any_of(spec.kept, is_partly_stored) || spec.source_points || spec.target_points)
    return "not all points of its lines are stored";
  if (pass.tiles.empty()) return std::nullopt;
  if (pass.tiles.size() > 1) return fmt::format("it consists of {} tiles", pass.tiles.size());
  const Tile& tile = pass.tiles.front();
  if (!is_one_piece(spec.source, spec.forward ? tile.real : tile.spectral))
    return "what it loads is not one piece of an array";
  if (!is_one_piece(spec.target, spec.forward ? tile.spectral : tile.real))
    return "what it stores is not one piece of an array";
  return std::nullopt;
}

}  // namespace

void make_whole(PassSpec& spec) {
  spec.is_whole = true;
  spec.limits = {.points = std::numeric_limits<std::int64_t>::max()};
  spec.streaming = false;
  spec.prefetches = false;
}

void require_whole(const PassProgram& pass, int rank) {
  if (const auto reason = why_not(pass))
    throw Error(Error::invalid,
                fmt::format("a library cannot transform axes {} of rank {} as a whole: {}",
                            fmt::join(pass.spec.axes, ","), rank, *reason),
                "leave out `whole`");
}

}  // namespace weft
