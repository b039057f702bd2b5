// making/user_arrays: where the points of a field are in the arrays that users give to a run.
// Pure.
#pragma once

#include <cstdint>

#include "weft/grid/patches.hpp"
#include "weft/making/step_list.hpp"

namespace weft {

/// Roles of the user's arrays (see BufferSpec::role).
constexpr int source_role = 0, target_role = 1;

/// The source or target array of any rank, as patches of `buffer`.
Patches user_array(const StepList& steps, int rank, int role, int buffer);
/// Bytes of a rank's source or target array.
std::int64_t user_array_bytes(const StepList& steps, int rank, int role);
/// Whether every point has the same address in the source and in the target, on all ranks. Then a
/// pass may overwrite its source tile by tile.
bool user_arrays_match(const StepList& steps);

}  // namespace weft
