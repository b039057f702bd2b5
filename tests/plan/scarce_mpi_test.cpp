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

// A rank that leaves alone lets the others wait for ever: the barrier would never be reached.
TEST(Scarce, memory_for_any_allocation_of_one_rank_is_an_error_of_all_ranks) {
  if (ranks_of_world() == 1) GTEST_SKIP() << "one rank has nobody to tell";
  auto problem = c2c({6, 5, 4});
  problem.axes = {0, 1, 2};
  for (const int node_size : {1, ranks_of_world()}) {
    Options options;
    options.effort = Effort::estimate;
    options.pretend.node_sizes = {node_size};
    options.threads = 1;
    int refused = 0;
    for (long allowed = 0; allowed < 300; ++allowed) {
      bool fails = false;
      if (rank_of_world() == 1) left = allowed;
      try {
        const Plan plan(MPI_COMM_WORLD, problem, options);
        left = -1;
      } catch (const std::exception&) {
        left = -1;
        fails = true;
      }
      MPI_Barrier(MPI_COMM_WORLD);
      int anywhere = fails ? 1 : 0, everywhere = anywhere;
      MPI_Allreduce(MPI_IN_PLACE, &anywhere, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
      MPI_Allreduce(MPI_IN_PLACE, &everywhere, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
      EXPECT_EQ(anywhere, everywhere) << allowed;
      refused += everywhere;
    }
    EXPECT_GT(refused, 200) << node_size;
  }
}
