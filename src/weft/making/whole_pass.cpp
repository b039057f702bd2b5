// making/whole_pass: what must be true of the one tile.

#include "weft/making/whole_pass.hpp"

#include <limits>
#include <optional>
#include <string>

#include "weft/base/ensure.hpp"
#include "weft/program/library_lines.hpp"

namespace weft {

namespace {

bool is_one_piece(const Patches& patches, const Box& box) {
  return patches.size() == 1 && intersect(patches.front().box, box) == box;
}

std::optional<std::string> why_not(const PassProgram& pass) {
  const PassSpec& spec = pass.spec;
  if (auto reason = why_not_by_library(spec)) return reason;
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
