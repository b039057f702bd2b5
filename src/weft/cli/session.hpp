// cli/session: MPI from start to end, and how the program ends - with one message and the same exit
// status on all ranks.
#pragma once

#include <functional>

namespace weft::cli {

/// Starts MPI, runs `body` on every rank, ends MPI. Returns the exit status: 0; 2 for wrong usage
/// or input; 1 for what failed while running. What `body` throws is printed once, by the lowest
/// rank that has it. A rank that fails alone, which only a bug can bring about, ends all the
/// others. Where a progress thread is asked for, MPI is asked to serve several threads, which may
/// make it slower.
int run_under_mpi(int argc, char** argv, const std::function<void()>& body);

}  // namespace weft::cli
