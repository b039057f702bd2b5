// program/sweep_items: the tiles of a pass, and the items of work of a sweep.
// Pure. Keeps: every tile is in one item; the order does not depend on the number of threads.
#pragma once

#include <vector>

#include "weft/program/program.hpp"

namespace weft {

/// The pass and its tiles: of a block, tiles that complete the same message follow each other, and
/// those that store to no message come last, so that a message leaves as early as it can.
PassProgram with_tiles(PassSpec spec);

/// Passes over the same boxes, and their items: pieces that need the same messages and feed the
/// same ranks, what feeds other nodes first. Where more than `parts` pieces do, they are cut into
/// that many items of pieces that complete the same messages. `feeds`: of each outgoing message.
SweepProgram with_items(std::vector<PassProgram> passes, int parts,
                        const std::vector<Feeds>& feeds);

/// The messages that a tile of the pass loads from (stores to), ascending; Patch::resident is none.
std::vector<int> source_messages(const PassProgram& pass, const Tile& tile);
std::vector<int> target_messages(const PassProgram& pass, const Tile& tile);

}  // namespace weft
