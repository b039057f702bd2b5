// making/sweep_items: cuts passes into tiles, and sweeps into items of work.
// Pure. Keeps: every tile is in one item; the order does not depend on the number of threads.
#pragma once

#include <vector>

#include "weft/program/program.hpp"

namespace weft {

/// Cuts a pass into tiles. Within a block, tiles that complete the same message follow each other,
/// in the order of the messages, and tiles that store to no message come last, so that messages can
/// be sent as early as possible.
PassProgram with_tiles(PassSpec spec);

/// Makes the items of passes over the same boxes. Grains that need the same incoming messages and
/// feed the same ranks form an item; more than `parts` of them are cut into `parts` items, in the
/// order in which they complete messages; with `parts` 0, each message has an item of its own.
/// Items that feed other nodes come first among those that need the same messages. feeds[m] says
/// who waits for outgoing message m.
SweepProgram with_items(std::vector<PassProgram> passes, int parts,
                        const std::vector<Feeds>& feeds);

/// Which messages the tiles of a pass load from and store to. Patches may be thousands.
class TileMessages {
 public:
  /// `pass` must outlive it.
  explicit TileMessages(const PassProgram& pass);

  /// The numbers of the messages that a tile loads from (stores to), ascending.
  std::vector<int> sources(const Tile& tile) const;
  std::vector<int> targets(const Tile& tile) const;

 private:
  const PassProgram* pass_;
  BoxIndex sources_, targets_;  // of the patches
};

}  // namespace weft
