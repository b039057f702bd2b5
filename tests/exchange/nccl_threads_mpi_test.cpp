// exchange/nccl_channel: a communicator of NCCL outlives the thread that has made it.
// Keeps: MPI is initialised with MPI_THREAD_SERIALIZED; without it the test is skipped.

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "support/late_nccl_here.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/exchange/nccl_channel.hpp"

using namespace weft;
using test::LateNcclHere;

// Asked by support/mpi_main.
int wanted_thread_level() { return MPI_THREAD_SERIALIZED; }

// Before version 2.22, what NCCL has begun is in memory of the thread that has called it.
TEST(NcclThreads, that_make_a_channel_may_end) {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  if (level < MPI_THREAD_SERIALIZED) GTEST_SKIP() << "no MPI_THREAD_SERIALIZED";
  const Communicator comm(MPI_COMM_WORLD);
  LateDriver driver({});
  const LateNcclHere nccl(driver);
  late_nccl_faults().version = 21800;
  const std::vector<int> me{comm.rank()}, next{(comm.rank() + 1) % comm.size()},
      before{(comm.rank() + comm.size() - 1) % comm.size()};
  std::unique_ptr<NcclChannel> channel;
  const auto make = [&] {
    channel = std::make_unique<NcclChannel>(comm, nccl_library("late"), Device{&driver, 0});
    channel->try_messages(comm, me, me, 8);
  };
  std::thread(make).join();
  channel->try_messages(comm, next, before, 8);
}
