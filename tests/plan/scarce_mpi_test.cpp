// plan: memory that ends on one rank while a plan is made is an error on all ranks.

#include <gtest/gtest.h>
#include <mpi.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "support/world.hpp"
#include "weft/device/late.hpp"
#include "weft/weft.hpp"

using namespace weft;
using test::rank_of_world;
using test::ranks_of_world;

namespace {

// How many more allocations succeed on this rank; below 0: all do. Those of the late device always
// do, as it is no part of weft.
std::atomic<long> left{-1};

bool fails_now() { return left >= 0 && !LateDriver::is_called_here() && left-- == 0; }

}  // namespace

void* operator new(std::size_t bytes) {
  if (fails_now()) throw std::bad_alloc();
  if (void* const memory = std::malloc(bytes > 0 ? bytes : 1)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  if (fails_now()) return nullptr;
  return std::malloc(bytes > 0 ? bytes : 1);
}
// GCC takes these for a mismatch where it inlines one of a pair alone.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

// Makes a plan, on rank 1 with `allowed` allocations; below 0: with all that it needs. Returns
// whether it is made, and leaves in `left` how many more would have succeeded.
bool is_made(const Problem& problem, const Options& options, long allowed) {
  if (rank_of_world() == 1) left = allowed;
  try {
    const AnyPlan plan(MPI_COMM_WORLD, problem, options);
    return true;
  } catch (const std::exception&) {
    left = -1;
    return false;
  }
}

// How many allocations rank 1 makes for a plan.
long allocations(const Problem& problem, const Options& options) {
  constexpr long enough = 1000000;
  EXPECT_TRUE(is_made(problem, options, enough));
  long count = enough - left.exchange(-1);
  MPI_Bcast(&count, 1, MPI_LONG, 1, MPI_COMM_WORLD);
  return count;
}

}  // namespace

// A rank that leaves alone lets the others wait for ever: the barrier would never be reached. Nor
// must others wait where it makes what one of two transforms in flight needs.
TEST(Scarce, memory_for_any_allocation_of_one_rank_is_an_error_of_all_ranks) {
  if (ranks_of_world() == 1) GTEST_SKIP() << "one rank has nobody to tell";
  auto problem = c2c({6, 5, 4});
  problem.axes = {0, 1, 2};
  for (const int node_size : {1, ranks_of_world()}) {
    Options options;
    options.effort = Effort::estimate;
    options.pretend.node_sizes = {node_size};
    options.threads = 1;
    options.in_flight = 2;
    const long all = allocations(problem, options);
    long tried = 0, refused = 0;
    for (long allowed = 0; allowed < all; allowed += 3, ++tried) {
      const bool fails = !is_made(problem, options, allowed);
      left = -1;
      MPI_Barrier(MPI_COMM_WORLD);
      int anywhere = fails ? 1 : 0, everywhere = anywhere;
      MPI_Allreduce(MPI_IN_PLACE, &anywhere, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
      MPI_Allreduce(MPI_IN_PLACE, &everywhere, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
      EXPECT_EQ(anywhere, everywhere) << allowed;
      refused += everywhere;
    }
    EXPECT_GT(refused, tried / 2) << node_size;
  }
}
