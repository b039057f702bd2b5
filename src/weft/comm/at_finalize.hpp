// comm/at_finalize: calls a function when the application calls MPI_Finalize, while MPI still
// works.
#pragma once

namespace weft {

/// Registers `action`, to be called at the beginning of MPI_Finalize. Only the first call registers
/// an action; later calls do nothing. May be called by several threads at the same time.
void before_finalize(void (*action)());

}  // namespace weft
