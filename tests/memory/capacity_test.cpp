// memory/capacity: limits of memory in trees of files like those of containers and batch systems.

#include "weft/memory/capacity.hpp"

#include <gtest/gtest.h>

#include "support/file_tree.hpp"

using namespace weft;
using namespace weft::test;

namespace {

constexpr std::int64_t mebibyte = std::int64_t{1} << 20;
const std::pair<const std::string, std::string> status{
    "/proc/self/status", "VmSize:\t  300000 kB\nVmRSS:\t   21504 kB\n"};

}  // namespace

TEST(Capacity, is_that_of_the_control_group_with_the_least_limit) {
  const FileTree tree({{"/proc/self/cgroup", "0::/batch/job7\n"},
                       {"/sys/fs/cgroup/batch/memory.max", "268435456\n"},
                       {"/sys/fs/cgroup/batch/job7/memory.max", "max\n"},
                       status});
  const Capacity capacity = memory_capacity(tree.root());
  EXPECT_EQ(capacity.group, 256 * mebibyte);
  EXPECT_EQ(capacity.least(), 256 * mebibyte);
  EXPECT_EQ(capacity.held, 21 * mebibyte);
  EXPECT_GT(capacity.machine, capacity.group);
  EXPECT_NE(capacity.group_number, 0);
}

TEST(Capacity, of_version_1_and_of_a_container_is_found_as_well) {
  const FileTree job({{"/proc/self/cgroup", "5:memory:/job7\n"},
                      {"/sys/fs/cgroup/memory/job7/memory.limit_in_bytes", "134217728\n"},
                      status});
  EXPECT_EQ(memory_capacity(job.root()).group, 128 * mebibyte);
  const FileTree container(
      {{"/proc/self/cgroup", "0::/\n"}, {"/sys/fs/cgroup/memory.max", "67108864\n"}, status});
  EXPECT_EQ(memory_capacity(container.root()).group, 64 * mebibyte);
}

TEST(Capacity, without_a_control_group_that_limits_it_is_that_of_the_machine) {
  const FileTree free({{"/proc/self/cgroup", "0::/\n5:memory:/\n"},
                       {"/sys/fs/cgroup/memory.max", "max\n"},
                       {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"},
                       status});
  const Capacity capacity = memory_capacity(free.root());
  EXPECT_EQ(capacity.group, 0);
  EXPECT_EQ(capacity.group_number, 0);
  EXPECT_EQ(capacity.least(), capacity.process);
}
