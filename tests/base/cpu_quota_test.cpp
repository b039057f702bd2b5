// base/cpu_quota: limits in trees of files like those of containers and batch systems.

#include "weft/base/cpu_quota.hpp"

#include <gtest/gtest.h>

#include "support/file_tree.hpp"

using namespace weft;
using namespace weft::test;

namespace {

const std::string v2_mount = "30 23 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw\n";

std::vector<std::int64_t> millicores(const std::string& root) {
  std::vector<std::int64_t> all;
  for (const CpuQuota& quota : cpu_quotas(root)) all.push_back(quota.millicores);
  return all;
}

using Millicores = std::vector<std::int64_t>;

}  // namespace

TEST(CpuQuota, of_version_2_is_read_from_all_groups_around_the_process) {
  const FileTree tree({{"/proc/self/mountinfo", v2_mount},
                       {"/proc/self/cgroup", "0::/batch/job7/step0\n"},
                       {"/sys/fs/cgroup/batch/cpu.max", "1600000 100000\n"},
                       {"/sys/fs/cgroup/batch/job7/cpu.max", "max 100000\n"},
                       {"/sys/fs/cgroup/batch/job7/step0/cpu.max", "250000 100000\n"}});
  EXPECT_EQ(millicores(tree.root()), (Millicores{2500, 16000}));
}

TEST(CpuQuota, of_version_1_is_two_files) {
  const FileTree tree(
      {{"/proc/self/mountinfo",
        "32 25 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
        "33 25 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"},
       {"/proc/self/cgroup", "5:memory:/other\n4:cpu,cpuacct:/job7\n"},
       {"/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n"},
       {"/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"},
       {"/sys/fs/cgroup/cpu,cpuacct/job7/cpu.cfs_quota_us", "300000\n"},
       {"/sys/fs/cgroup/cpu,cpuacct/job7/cpu.cfs_period_us", "200000\n"}});
  EXPECT_EQ(millicores(tree.root()), Millicores{1500});
}

TEST(CpuQuota, of_a_container_is_at_the_mount_whatever_the_path_of_the_process) {
  // Docker with version 1: the mount shows the container's group, the path is the host's.
  const FileTree docker({{"/proc/self/mountinfo",
                          "33 25 0:29 /docker/ab /sys/fs/cgroup/cpu rw - cgroup cgroup cpu\n"},
                         {"/proc/self/cgroup", "4:cpu:/docker/ab\n"},
                         {"/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "400000\n"},
                         {"/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"}});
  EXPECT_EQ(millicores(docker.root()), Millicores{4000});
  const FileTree moved({{"/proc/self/mountinfo", v2_mount},
                        {"/proc/self/cgroup", "0::/../../batch\n"},
                        {"/sys/fs/cgroup/cpu.max", "700000 100000\n"}});
  EXPECT_EQ(millicores(moved.root()), Millicores{7000});
}

TEST(CpuQuota, is_none_where_nothing_is_limited_or_readable) {
  EXPECT_EQ(millicores("/this/folder/is/not/there"), Millicores{});
  const FileTree broken({{"/proc/self/mountinfo", "nonsense\n" + v2_mount},
                         {"/proc/self/cgroup", "nonsense\n0::/a\n"},
                         {"/sys/fs/cgroup/a/cpu.max", "nonsense\n"}});
  EXPECT_EQ(millicores(broken.root()), Millicores{});
}

TEST(CpuQuota, tells_groups_apart_by_number) {
  const FileTree tree({{"/proc/self/mountinfo", v2_mount},
                       {"/proc/self/cgroup", "0::/a\n"},
                       {"/sys/fs/cgroup/cpu.max", "200000 100000\n"},
                       {"/sys/fs/cgroup/a/cpu.max", "200000 100000\n"}});
  const auto quotas = cpu_quotas(tree.root());
  ASSERT_EQ(quotas.size(), 2U);
  EXPECT_NE(quotas[0].group, quotas[1].group);
  EXPECT_EQ(quotas, cpu_quotas(tree.root()));
}

TEST(CoresWithin, are_the_smallest_share_of_any_quota) {
  const CpuQuota container{1, 2500}, machine{2, 8000};
  const std::vector<CpuQuota> mine{container, machine};
  EXPECT_EQ(cores_within({}, {}, 16), 16);
  EXPECT_EQ(cores_within(mine, mine, 16), 2);
  EXPECT_EQ(cores_within(mine, mine, 1), 1);
  // Four processes in containers of their own share the quota around them.
  const std::vector<CpuQuota> others{container, machine, {3, 9000}, machine,
                                     {4, 9000}, machine, {5, 9000}, machine};
  EXPECT_EQ(cores_within(mine, others, 16), 2);
  EXPECT_EQ(cores_within(std::vector<CpuQuota>{{3, 9000}, machine}, others, 16), 2);
  EXPECT_EQ(cores_within(std::vector<CpuQuota>{{3, 9000}}, others, 16), 9);
  // Two processes in one container of two and a half cores.
  EXPECT_EQ(cores_within(mine, std::vector<CpuQuota>{container, machine, container, machine}, 16),
            1);
}

TEST(CoresWithin, are_never_none) {
  const std::vector<CpuQuota> half{{1, 500}};
  EXPECT_EQ(cores_within(half, half, 4), 1);
}
