// comm/at_finalize: being told when the application calls MPI_Finalize, while MPI still works.
#pragma once

namespace weft {

/// Has `action` called at the beginning of MPI_Finalize. The first action stays; more calls do
/// nothing.
void before_finalize(void (*action)());

}  // namespace weft
