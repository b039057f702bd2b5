// comm/bindings: cores of processors, and the processors of control groups, in a tree that stands
// for the system's.

#include "weft/comm/bindings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

using namespace weft;
using testing::ElementsAre;

namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

// A folder with these files, which is removed at the end.
class Tree {
 public:
  explicit Tree(const Files& files) : root_(testing::TempDir() + "weft_bindings") {
    std::filesystem::remove_all(root_);
    for (const auto& [name, text] : files) {
      std::filesystem::create_directories(std::filesystem::path(root_ + name).parent_path());
      std::ofstream(root_ + name) << text << "\n";
    }
  }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;
  ~Tree() { std::filesystem::remove_all(root_); }
  const std::string& root() const { return root_; }

 private:
  std::string root_;
};

std::string siblings(int processor) {
  return "/sys/devices/system/cpu/cpu" + std::to_string(processor) +
         "/topology/thread_siblings_list";
}

}  // namespace

TEST(CoreBindings, know_which_processors_share_a_core) {
  const Tree tree(
      {{siblings(0), "0,2"}, {siblings(1), "1,3"}, {siblings(2), "0,2"}, {siblings(3), "1,3"}});
  EXPECT_EQ(binding_of({3, 0, 2}, tree.root()), (CoreBinding{{0, 2, 3}, {0, 1}}));
}

TEST(CoreBindings, take_processors_for_cores_where_nothing_is_told) {
  const Tree tree(Files{});
  EXPECT_EQ(binding_of({5, 4}, tree.root()), (CoreBinding{{4, 5}, {4, 5}}));
}

TEST(CoreBindings, of_a_host_are_all_that_are_on) {
  const Tree tree(Files{{"/sys/devices/system/cpu/online", "0-2,5"}});
  EXPECT_THAT(binding_of_host(tree.root()).processors, ElementsAre(0, 1, 2, 5));
}

TEST(CoreBindings, of_a_host_are_those_of_its_control_group) {
  const Tree tree(Files{{"/sys/devices/system/cpu/online", "0-7"},
                        {"/proc/self/cgroup", "0::/job"},
                        {"/sys/fs/cgroup/job/cpuset.cpus.effective", "2-3"}});
  EXPECT_THAT(binding_of_host(tree.root()).processors, ElementsAre(2, 3));
}

TEST(CoreBindings, of_this_process_are_among_those_of_its_host) {
  const CoreBinding here = binding_here();
  ASSERT_FALSE(here.processors.empty());
  EXPECT_LE(here.cores.size(), here.processors.size());
}
