// memory/walk_probe: how fast one thread walks over memory.
#pragma once

namespace weft {

/// Bytes that this thread loads and stores per second when it walks over arrays of 16 MiB as passes
/// do, tile by tile: the fastest of some walks, in about 10 ms. std::bad_alloc if there is no
/// memory.
double probed_walk();

}  // namespace weft
