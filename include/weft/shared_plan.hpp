// weft/shared_plan: plans that are kept with a communicator, and found again.
// Floor: plan.
#pragma once

#include <mpi.h>

#include <memory>

#include "weft/any_plan.hpp"

namespace weft {

/// The plan for `problem` with `options` that the communicator keeps; if it keeps none, one is made
/// as with AnyPlan, and kept. Collective over `comm`: one reduction of two numbers where the plan
/// is there. For programs that plan anew wherever they transform.
///
///     const auto plan = weft::shared_plan(comm, weft::c2c({128, 128, 128}));
///     plan->forward(u, v);
///
/// A plan is found if all ranks pass what they passed when it was made: equal problems, where the
/// boxes of Distribution::of_my_boxes are each rank's own, and equal options, the stream included.
/// With a Placement, whose function cannot be compared, a plan is made each time, and not kept. A
/// plan that was found may have been made with another environment (OMP_NUM_THREADS,
/// WEFT_NODE_SIZE, the cores of the process), or before Effort::tune remembered something else. A
/// plan of which a run has failed on the way on any rank is not found again.
///
/// The communicator keeps the 16 plans that were used last, with their workspace; if there is not
/// enough memory for another one, it lets go of all, and tries again. It lets go of what it keeps
/// when it is freed and, as for MPI_COMM_WORLD, when MPI ends. Duplicates that the application
/// makes of it keep nothing. What this returns lives on as long as somebody holds it; the last one
/// to let go does so on all ranks, as destroying a plan is collective, or after MPI_Finalize.
///
/// All who hold a plan run the same one: up to Options::in_flight transforms of it can be under
/// way, and one more waits for the first to end; so starts are the same on all ranks in their
/// order, and report() tells of everybody's runs.
///
/// Errors are those of AnyPlan, the same on every rank.
std::shared_ptr<AnyPlan> shared_plan(MPI_Comm comm, const Problem& problem,
                                     const Options& options = {});

}  // namespace weft
