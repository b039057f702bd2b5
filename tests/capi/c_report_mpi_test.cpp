// capi/report, lists and reordered: what C reads of plans, of weft and of networks, beside what C++
// reads.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "support/asked.hpp"
#include "support/world.hpp"
#include "weft/networks/machine_file.hpp"
#include "weft/reordered.h"
#include "weft/reordered.hpp"
#include "weft/weft.h"
#include "weft/weft.hpp"

using testing::HasSubstr;
using weft::test::quick;
using weft::test::rank_of_world;
using weft::test::ranks_of_world;

namespace {

constexpr const char* how_to_plan = "effort=estimate; threads=1";

weft_problem field_of_12() {
  weft_problem problem{};
  problem.size = sizeof problem;
  problem.axes = 3;
  for (int a = 0; a < 3; ++a) problem.extents[a] = 12;
  return problem;
}

// A ring of as many nodes as there are ranks, in a file that only rank 0 has.
struct RingFile {
  RingFile() : name("ring-for-c-" + std::to_string(ranks_of_world()) + ".json") {
    if (rank_of_world() != 0) return;
    weft::MachineModel machine;
    machine.name = "ring";
    weft::Torus torus;
    torus.extents = {ranks_of_world()};
    torus.wraps = {true};
    torus.link = {1e8, 1e-6};
    machine.network = torus;
    std::ofstream(name) << weft::print_machine(machine);
  }
  ~RingFile() {
    if (rank_of_world() == 0) std::filesystem::remove(name);
  }

  std::string name;
};

std::set<std::string> names_of(weft_status (*list)(int*, const weft_entry**)) {
  int count = 0;
  const weft_entry* entries = nullptr;
  EXPECT_EQ(list(&count, &entries), WEFT_OK);
  std::set<std::string> names;
  for (int i = 0; i < count; ++i) {
    EXPECT_STRNE(entries[i].summary, "") << entries[i].name;
    EXPECT_TRUE(names.insert(entries[i].name).second) << entries[i].name;
  }
  return names;
}

}  // namespace

TEST(CReport, tells_the_machine_and_the_runs) {
  const weft_problem problem = field_of_12();
  weft_plan* plan = nullptr;
  ASSERT_EQ(
      weft_plan_create(MPI_COMM_WORLD, &problem,
                       "effort=estimate; threads=2; segment_bytes=12345; progress=inline", &plan),
      WEFT_OK)
      << weft_last_error();
  std::int64_t elements[2] = {0, 0};
  for (const weft_side side : {WEFT_INPUT, WEFT_OUTPUT})
    EXPECT_EQ(weft_plan_elements(plan, side, &elements[side]), WEFT_OK);
  std::vector<std::complex<double>> u(static_cast<std::size_t>(elements[0]) + 1),
      v(static_cast<std::size_t>(elements[1]) + 1);
  for (int run = 0; run < 3; ++run)
    EXPECT_EQ(weft_forward(plan, u.data(), v.data(), 1), WEFT_OK) << weft_last_error();
  weft_report report{};
  report.size = sizeof report;
  ASSERT_EQ(weft_plan_report(plan, &report), WEFT_OK) << weft_last_error();
  EXPECT_EQ(report.progress, WEFT_BY_CALLS);
  EXPECT_EQ(report.is_remembered, 0);
  EXPECT_EQ(report.runs[WEFT_FORWARD], 3);
  EXPECT_EQ(report.runs[WEFT_BACKWARD], 0);
  EXPECT_EQ(report.ranks, ranks_of_world());
  for (int rank = 0; rank < report.ranks; ++rank) {
    EXPECT_LT(report.node_of_rank[rank], report.nodes);
    EXPECT_EQ(report.threads_of_rank[rank], 2);
  }
  EXPECT_EQ(report.segment_bytes, 12345);
  EXPECT_GT(report.cache_bytes, 0);
  EXPECT_GT(report.eager_message_bytes, 0);
  EXPECT_EQ(weft_plan_free(&plan), WEFT_OK);
}

TEST(CReport, tells_the_items_of_a_stage) {
  const weft_problem problem = field_of_12();
  weft_plan* plan = nullptr;
  ASSERT_EQ(weft_plan_create_alone(&problem, how_to_plan, &plan), WEFT_OK) << weft_last_error();
  std::vector<std::complex<double>> u(12 * 12 * 12), v = u;
  EXPECT_EQ(weft_forward(plan, u.data(), v.data(), 1), WEFT_OK) << weft_last_error();
  weft_stage stage{};
  stage.size = sizeof stage;
  ASSERT_EQ(weft_plan_stage(plan, WEFT_FORWARD, 0, &stage), WEFT_OK);
  EXPECT_GE(stage.passes, 1);
  std::int64_t count = 0;
  const weft_item* items = nullptr;
  ASSERT_EQ(weft_plan_items(plan, WEFT_FORWARD, 0, &count, &items), WEFT_OK) << weft_last_error();
  EXPECT_GT(count, 0);
  for (std::int64_t i = 0; i < count; ++i) {
    EXPECT_EQ(items[i].feeds, WEFT_FEEDS_NOBODY);
    EXPECT_GE(items[i].start, stage.start);
    EXPECT_GE(items[i].seconds, 0);
  }
  EXPECT_EQ(weft_plan_items(plan, WEFT_FORWARD, 99, &count, &items), WEFT_INVALID);
  EXPECT_THAT(weft_last_error(), HasSubstr("there is no stage 99: the plan has "));
  EXPECT_EQ(weft_plan_items(plan, WEFT_FORWARD, 0, &count, nullptr), WEFT_INVALID);
  EXPECT_EQ(weft_plan_report(plan, nullptr), WEFT_INVALID);
  EXPECT_EQ(weft_plan_free(&plan), WEFT_OK);
}

TEST(CReport, tells_the_axes_and_the_grid_of_a_stage) {
  const weft_problem problem = field_of_12();
  const auto ranks = std::int64_t{ranks_of_world()};
  weft_plan* plan = nullptr;
  ASSERT_EQ(weft_plan_create(MPI_COMM_WORLD, &problem, how_to_plan, &plan), WEFT_OK)
      << weft_last_error();
  int count = 0;
  ASSERT_EQ(weft_plan_stage_count(plan, WEFT_FORWARD, &count), WEFT_OK);
  std::multiset<int> axes;
  for (int i = 0; i < count; ++i) {
    weft_stage stage{};
    stage.size = sizeof stage;
    ASSERT_EQ(weft_plan_stage(plan, WEFT_FORWARD, i, &stage), WEFT_OK);
    EXPECT_EQ(std::string(stage.exchange).empty(), stage.is_exchange == 0);
    axes.insert(stage.axes, stage.axes + stage.axis_count);
    ASSERT_EQ(stage.grid_axes, 3);
    EXPECT_EQ(stage.grid[0] * stage.grid[1] * stage.grid[2], ranks);
  }
  EXPECT_EQ(axes, (std::multiset<int>{0, 1, 2}));
  EXPECT_EQ(weft_plan_free(&plan), WEFT_OK);
}

TEST(CReport, a_summary_has_six_lines_at_most_and_all_has_more) {
  const weft_problem problem = field_of_12();
  weft_plan* plan = nullptr;
  ASSERT_EQ(weft_plan_create_alone(&problem, how_to_plan, &plan), WEFT_OK) << weft_last_error();
  const char *text = "", *all = "";
  EXPECT_EQ(weft_plan_describe(plan, WEFT_DETAIL_SUMMARY, &text), WEFT_OK);
  const std::string summary = text;
  EXPECT_LE(std::count(summary.begin(), summary.end(), '\n'), 5) << summary;
  EXPECT_EQ(weft_plan_describe(plan, WEFT_DETAIL_ALL, &all), WEFT_OK);
  EXPECT_THAT(all, HasSubstr("\n  start "));
  EXPECT_EQ(weft_plan_describe(plan, static_cast<weft_detail>(2), &text), WEFT_INVALID);
  EXPECT_THAT(weft_last_error(), HasSubstr("there is no detail 2"));
  EXPECT_EQ(weft_plan_free(&plan), WEFT_OK);
}

TEST(CReport, lists_what_settings_can_name) {
  const std::set<std::string> engines = names_of(weft_engines),
                              exchanges = names_of(weft_exchanges), all = names_of(weft_settings);
  EXPECT_TRUE(engines.contains("weft")) << "of the engines";
  EXPECT_TRUE(exchanges.contains("p2p")) << "of the exchanges";
  EXPECT_TRUE(all.contains("extents") && all.contains("exchange")) << "of the settings";
  EXPECT_EQ(weft_engines(nullptr, nullptr), WEFT_INVALID);
}

TEST(CReport, an_engine_without_a_note_can_be_used) {
  const weft_problem problem = field_of_12();
  int count = 0;
  const weft_entry* engines = nullptr;
  ASSERT_EQ(weft_engines(&count, &engines), WEFT_OK);
  for (int i = 0; i < count; ++i) {
    weft_plan* plan = nullptr;
    const std::string how = std::string("effort=estimate; engine=") + engines[i].name;
    const weft_status status = weft_plan_create_alone(&problem, how.c_str(), &plan);
    EXPECT_EQ(status == WEFT_OK, engines[i].note == nullptr) << engines[i].name;
    EXPECT_EQ(weft_plan_free(&plan), WEFT_OK);
  }
}

TEST(CReport, ranks_are_reordered_as_from_cpp) {
  const RingFile ring;
  const weft_problem problem = field_of_12();
  weft_network network{};
  ASSERT_EQ(weft_network_init(&network, sizeof network), WEFT_OK);
  network.machine = ring.name.c_str();
  network.node = (rank_of_world() * 5 + 1) % ranks_of_world();
  if (ranks_of_world() % 5 == 0) network.node = rank_of_world();
  network.swaps = 20;
  weft_reordered made{};
  made.size = sizeof made;
  ASSERT_EQ(weft_reorder(MPI_COMM_WORLD, &problem, how_to_plan, &network, &made), WEFT_OK)
      << weft_last_error();
  auto cpp = weft::reordered(MPI_COMM_WORLD, weft::c2c({12, 12, 12}), ring.name, network.node,
                             quick(), 20);
  int same = MPI_UNEQUAL;
  MPI_Comm_compare(made.comm, cpp.comm, &same);
  EXPECT_EQ(same, MPI_CONGRUENT);
  EXPECT_EQ(made.order, cpp.order);
  EXPECT_EQ(made.strategy, cpp.strategy);
  EXPECT_EQ(made.seconds, cpp.seconds);
  EXPECT_LE(made.seconds, made.seconds_before);
  MPI_Comm_free(&made.comm);
  MPI_Comm_free(&cpp.comm);
}

TEST(CReport, what_one_rank_says_wrongly_of_its_network_is_an_error_on_all) {
  const weft_problem problem = field_of_12();
  const bool is_last = rank_of_world() == ranks_of_world() - 1;
  weft_network network{};
  network.size = sizeof network;
  network.machine = is_last ? nullptr : "no-such-machine";
  weft_reordered made{};
  made.size = sizeof made;
  EXPECT_EQ(weft_reorder(MPI_COMM_WORLD, &problem, how_to_plan, &network, &made), WEFT_INVALID);
  EXPECT_THAT(weft_last_error(), HasSubstr("the machine of the network is a null pointer"));
  network.machine = "no-such-machine";
  EXPECT_NE(weft_reorder(MPI_COMM_WORLD, &problem, how_to_plan, &network, &made), WEFT_OK);
  EXPECT_EQ(
      weft_reorder(MPI_COMM_WORLD, &problem, how_to_plan, &network, is_last ? nullptr : &made),
      WEFT_INVALID);
  network.swaps = -2;
  EXPECT_EQ(weft_reorder(MPI_COMM_WORLD, &problem, how_to_plan, &network, &made), WEFT_INVALID);
  EXPECT_THAT(weft_last_error(), HasSubstr("-2 swaps"));
}
