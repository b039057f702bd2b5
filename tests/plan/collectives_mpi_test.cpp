// plan: how often the ranks meet while a plan is made. Where they take turns on the cores, or are
// far apart, making a small plan takes as long as these calls do.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "support/tested_driver.hpp"
#include "weft/fft/lanes/lanes.hpp"
#include "weft/fft/processor_family.hpp"
#include "weft/plan.hpp"

using namespace weft;

// ---- MPI's profiling interface: the collective calls that make no communicators, and those that
// make some.

namespace {
int meetings = 0, made = 0;
}

extern "C" {
int MPI_Allreduce(const void* mine, void* all, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
  ++meetings;
  return PMPI_Allreduce(mine, all, count, type, op, comm);
}
int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  ++meetings;
  return PMPI_Bcast(data, count, type, root, comm);
}
int MPI_Barrier(MPI_Comm comm) {
  ++meetings;
  return PMPI_Barrier(comm);
}
int MPI_Allgather(const void* mine, int count, MPI_Datatype type, void* all, int each,
                  MPI_Datatype type_of_all, MPI_Comm comm) {
  ++meetings;
  return PMPI_Allgather(mine, count, type, all, each, type_of_all, comm);
}
int MPI_Allgatherv(const void* mine, int count, MPI_Datatype type, void* all, const int* counts,
                   const int* starts, MPI_Datatype type_of_all, MPI_Comm comm) {
  ++meetings;
  return PMPI_Allgatherv(mine, count, type, all, counts, starts, type_of_all, comm);
}
int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* copy) {
  ++made;
  return PMPI_Comm_dup_with_info(comm, info, copy);
}
int MPI_Comm_split(MPI_Comm comm, int colour, int key, MPI_Comm* part) {
  ++made;
  return PMPI_Comm_split(comm, colour, key, part);
}
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* part) {
  ++made;
  return PMPI_Comm_split_type(comm, type, key, info, part);
}
}

namespace {

// A call more here is a call more in every plan of every user. Devices are found, and tried, anew.
const int most_meetings = test::driver_of_environment().empty() ? 11 : 26;

class Meetings : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    // The first plan of a communicator finds out what never changes.
    make();
    meetings = made = 0;
  }
  static void make() {
    Options options;
    options.exchange = GetParam();
    options.effort = Effort::estimate;
    options.threads = 1;
    const Plan<std::complex<double>, std::complex<double>> plan(MPI_COMM_WORLD, c2c({12, 12, 12}),
                                                                options);
  }
};

}  // namespace

TEST_P(Meetings, of_a_plan_are_few) {
  make();
  EXPECT_LE(meetings, most_meetings);
  EXPECT_EQ(made, 1) << "communicators";
}

// The engine that is preferred to others does not apply then.
TEST_P(Meetings, are_as_few_on_other_processors) {
  pretend_at_most(VectorSet::baseline);
  make();
  pretend_at_most(VectorSet::avx512);
  EXPECT_LE(meetings, most_meetings);
}

INSTANTIATE_TEST_SUITE_P(Plans, Meetings, testing::Values("", "shared", "node", "p2p"),
                         [](const auto& test) {
                           return std::string(test.param).empty() ? "of_the_planner" : test.param;
                         });
