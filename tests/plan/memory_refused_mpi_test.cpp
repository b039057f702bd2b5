// plan: a system that refuses shared memory to one rank, as a container's seccomp filter may. The
// filter stays for the rest of the process, so this is a program of its own.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstddef>

#include "support/check_plan.hpp"
#include "support/world.hpp"
#include "weft/comm/mpi_comm.hpp"

using namespace weft;
using namespace weft::test;
using testing::HasSubstr;

namespace {

// From now on memfd_create fails with EPERM. Returns whether the filter is in place.
bool refuse_memory() {
  std::array<sock_filter, 4> lines{
      sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 0, 1),
      sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog program{lines.size(), lines.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

}  // namespace

TEST(MemoryRefused, to_one_rank_makes_it_a_node_of_its_own) {
  if (ranks_of_world() == 1) GTEST_SKIP() << "one rank shares with nobody";
  const int last = ranks_of_world() - 1;
  const bool is_in_place = rank_of_world() != last || refuse_memory();
  if (Communicator(MPI_COMM_WORLD).min(std::int64_t{is_in_place}) == 0)
    GTEST_SKIP() << "this system has no seccomp filters";
  Problem problem;
  problem.extents = {5, 6, 7};
  Options options;
  options.effort = Effort::estimate;
  options.pretend.node_sizes = {ranks_of_world()};
  AnyPlan plan(MPI_COMM_WORLD, problem, options);
  EXPECT_EQ(plan.report().machine.nodes, 2);
  EXPECT_THAT(plan.describe(Detail::all),
              HasSubstr(fmt::format("rank 0 cannot use the memory of rank {} on its node: it can "
                                    "make none",
                                    last)));
  const auto failure = check_plan(plan, Reference(plan.problem(), 5));
  EXPECT_FALSE(failure) << *failure;
}
