// weft/who_waits: who waits for what a pass computes.
// Floor: program.
#pragma once

namespace weft {

/// Who waits for the data that an item of work stores, the most urgent first.
enum class Feeds {
  other_nodes,  ///< ranks of other nodes
  ring,         ///< ranks of this node that may store the next cell of a ring when this one is read
  this_node,    ///< other ranks of this node
  nobody        ///< no other rank
};
/// "other nodes", "a ring", "this node" or "nobody".
const char* to_string(Feeds feeds);

}  // namespace weft
