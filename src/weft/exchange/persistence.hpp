// exchange/persistence: what this MPI has, for callers that do not include mpi.h.
#pragma once

namespace weft {

/// Whether this MPI has persistent collectives: MPI 4 has, and Open MPI 4.1 with its extension
/// pcollreq.
bool has_persistent_collectives();

}  // namespace weft
