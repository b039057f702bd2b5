// networks/extended_machine: which figures are from which description.

#include "weft/networks/extended_machine.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "weft/base/ensure.hpp"
#include "weft/networks/machine_file.hpp"

using namespace weft;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

namespace {

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

MachineModel measured(int nodes) {
  MachineModel machine;
  machine.name = "here";
  machine.source = "measured";
  machine.memory_bytes_per_second = {1.25e9};
  machine.message_seconds = 7e-6;
  machine.message_speeds = {{1024, 3e9}};
  machine.network = Crossbar{nodes, {5e9, 1e-6}};
  return machine;
}

}  // namespace

TEST(ExtendedMachine, keeps_its_nodes_and_takes_the_messages_of_a_machine) {
  const MachineModel frontera = find_machine("frontera");
  const ExtendedMachine extended = on_network(measured(1), "frontera");
  EXPECT_EQ(extended.machine.memory_bytes_per_second, (std::vector<double>{1.25e9}));
  EXPECT_EQ(extended.machine.ranks_per_node, 1);
  EXPECT_EQ(extended.machine.network, frontera.network);
  EXPECT_EQ(extended.machine.message_seconds, frontera.message_seconds);
  EXPECT_TRUE(extended.machine.message_speeds.empty());
  EXPECT_EQ(extended.machine.name, "here on frontera");
  ASSERT_EQ(extended.origins.size(), 2U);
  EXPECT_EQ(extended.origins[0].source, "'here', measured");
  EXPECT_THAT(extended.origins[0].members, Contains("memory_bytes_per_second"));
  EXPECT_THAT(extended.origins[0].members, Not(Contains("message_seconds")));
  EXPECT_THAT(extended.origins[1].source, HasSubstr("TACC"));
  EXPECT_THAT(extended.origins[1].members, Contains("message_seconds"));
}

TEST(ExtendedMachine, keeps_its_messages_on_a_network_alone) {
  const auto file = std::filesystem::temp_directory_path() / "weft-network-alone.json";
  std::ofstream(file) << R"({"shape": "torus", "extents": [3, 5], "link_bytes_per_second": 1e9,
                             "link_latency_seconds": 1e-6})";
  const ExtendedMachine extended = on_network(measured(2), file.string());
  std::ofstream(file) << R"({"shape": "torus", "extents": [3, 0], "link_bytes_per_second": 1e9,
                             "link_latency_seconds": 1e-6})";
  const std::string error = error_of([&] { on_network(measured(2), file.string()); });
  std::filesystem::remove(file);
  EXPECT_EQ(to_string(extended.machine.network), "torus 3x5");
  EXPECT_EQ(extended.machine.message_seconds, 7e-6);
  EXPECT_EQ(extended.machine.message_speeds, measured(2).message_speeds);
  EXPECT_THAT(extended.origins[0].members, Contains("message_speeds"));
  EXPECT_EQ(extended.origins[1].members, (std::vector<std::string>{"network"}));
  EXPECT_THAT(error, HasSubstr("0 nodes along a dimension"));
}

TEST(ExtendedMachine, grows_where_a_switch_never_limits) {
  EXPECT_EQ(checked_nodes(with_nodes(measured(2), 37).network), 37);
  EXPECT_EQ(with_nodes(measured(2), 1), measured(2));
  EXPECT_THAT(error_of([] { with_nodes(measured(1), 2); }),
              HasSubstr("2 nodes are asked for, and the machine 'here', a crossbar of 1 nodes, has "
                        "1, whose link is between its ranks"));
  EXPECT_THAT(error_of([] { with_nodes(find_machine("blue-gene-l"), 513); }),
              HasSubstr("a torus 8x8x8, has 512"));
}
