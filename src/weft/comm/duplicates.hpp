// comm/duplicates: one duplicate of every communicator that plans are made with.
// Keeps: MPI libraries have few communicators (MPICH 2048), so plans share what they can.
#pragma once

#include <memory>

#include "weft/comm/communicator.hpp"

namespace weft {

/// The duplicate of `user` that all plans made with `user` share. The first call makes it. It is
/// freed when `user` is and nothing else holds it. Collective; errors are those of Communicator.
std::shared_ptr<const Communicator> shared_duplicate(CommHandle user);

/// A place for what is to be kept until `user` is freed, which frees it before the duplicate; at
/// first there is nothing. Null if `user` has no duplicate yet, and in a simulation. Not
/// collective.
std::shared_ptr<void>* kept_with(CommHandle user);

}  // namespace weft
