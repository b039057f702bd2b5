// support/wisdom_here: a file of wisdom for each test, and entries in it that the test writes.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "support/check_plan.hpp"
#include "weft/choose/remembering.hpp"
#include "weft/choose/wisdom_file.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/faces/plan_access.hpp"
#include "weft/weft.hpp"

namespace weft::test {

/// A file that all ranks name alike.
class WisdomHere : public testing::Test {
 protected:
  WisdomHere() {
    const Communicator world(MPI_COMM_WORLD);
    const std::string folder = std::filesystem::temp_directory_path();
    path_ = world.broadcast(fmt::format("{}/weft-tuning-{}.json", folder, getpid()), 0);
    clear();
    setenv("WEFT_WISDOM", path_.c_str(), 1);
  }
  ~WisdomHere() override {
    setenv("WEFT_WISDOM", "", 1);
    clear();
  }

  void clear() const {
    barrier();
    if (rank() == 0)
      for (const char* end : {"", ".lock"}) std::filesystem::remove(path_ + end);
    barrier();
  }
  void write(const std::string& text) const {
    barrier();
    if (rank() == 0) std::ofstream(path_) << text;
    barrier();
  }
  void write(const WisdomEntry& entry) const {
    Wisdom wisdom;
    wisdom.learn(entry);
    write(to_text(wisdom));
  }
  /// What a plan with these options finds, with the strategy that it has without wisdom.
  static WisdomEntry entry_for(const Problem& problem, const Options& options) {
    const AnyPlan untuned(MPI_COMM_WORLD, problem, options);
    const PlanBody& body = PlanAccess::body(untuned);
    WisdomEntry entry;
    entry.key = key_of(*body.comm(), body.problem(), body.machine(), options);
    entry.strategy = untuned.strategy();
    entry.cache_bytes = body.machine().cache_bytes;
    entry.shared_cache_bytes = body.machine().shared_cache_bytes;
    entry.tuned_at = "2026-01-31T12:00:00Z";
    return entry;
  }
  static void barrier() { MPI_Barrier(MPI_COMM_WORLD); }
  static int rank() { return Communicator(MPI_COMM_WORLD).rank(); }
  static int ranks() { return Communicator(MPI_COMM_WORLD).size(); }

  std::string path_;
};

/// One thread a rank, and as little time as there can be.
inline Options tuning() {
  Options options;
  options.threads = 1;
  options.effort = Effort::tune;
  options.tune_seconds = 0.1;
  return options;
}

/// The same options with no race that ends before all have run, however busy the machine is. Races
/// have few turns, so that those of small fields take seconds all the same.
inline Options with_time_for_all_rounds(Options options) {
  options.tune_seconds = 86400;
  return options;
}

inline Options measuring() {
  Options options = tuning();
  options.effort = Effort::measure;
  return options;
}

inline bool is_remembered(const AnyPlan& plan) {
  return plan.describe(Detail::all).find("and remembered in") != std::string::npos;
}

inline void expect_right(AnyPlan& plan) {
  const auto failure = check_plan(plan, Reference(plan.problem(), 42));
  EXPECT_FALSE(failure) << *failure << "\n" << plan.describe(Detail::all);
}

}  // namespace weft::test
