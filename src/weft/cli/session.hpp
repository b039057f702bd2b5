// cli/session: starts and ends MPI around the program.
// Keeps: the program ends with at most one error message, and with the same exit status on all
// ranks.
#pragma once

#include <functional>

#include "weft/comm/communicator.hpp"

namespace weft::cli {

/// Starts MPI, runs `body` on every rank with a communicator of all ranks, and ends MPI. Returns
/// the exit status: 0 for success, 2 for wrong usage or input, 1 for a failure while running. The
/// lowest rank on which `body` throws prints the error. If `body` throws on some ranks only, which
/// is a bug, these ranks end the others. MPI is asked to support several threads, which may make it
/// slower, only if a progress thread or --mpi-threads is requested, and for `weft doctor`. A closed
/// pipe is an error of what writes to it, and ends nothing.
int run_under_mpi(int argc, char** argv, const std::function<void(const Communicator&)>& body);

}  // namespace weft::cli
