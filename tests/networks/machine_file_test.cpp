// networks/machine_file: what is written is read again, to the last bit; what is no machine is
// refused.

#include "weft/networks/machine_file.hpp"

#include <gtest/gtest.h>

#include "support/processor_seconds.hpp"
#include "weft/base/ensure.hpp"
#include "weft/networks/machine_presets.hpp"

using namespace weft;
using namespace weft;

namespace {

std::string error_in_machine(const std::string& text) {
  try {
    parse_machine(text, "here");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// A machine file in which `old` is `replaced`.
std::string blue_gene_with(const std::string& old, const std::string& replaced) {
  std::string text = print_machine(find_machine("blue-gene-l"));
  const auto at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), replaced);
}

void expect(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

}  // namespace

TEST(MachineFile, of_every_preset_and_shape_is_read_as_it_was_written) {
  std::vector<MachineModel> machines = machine_presets();
  MachineModel odd = machines.front();
  odd.name = "odd \"name\"\n\xc3\xa9";
  odd.source = "a \"table\"\n";
  odd.devices = {3, std::int64_t{1} << 40, 1e12 / 3, 1e10 / 7};
  odd.message_seconds = 0.1 + 0.2;
  odd.message_seconds_per_byte = 1e-10 / 3;
  odd.transforms = {{2, 1e-9 / 3}, {1024, 1e-9, 2e-9 / 3}};
  odd.transforms[0].real_part = 2.0 / 3;
  odd.transforms[1].single_part = 4.0 / 7;
  odd.message_speeds = {{1, 1e6 / 3}, {std::int64_t{1} << 40, 2e17}};
  odd.memory_bytes_per_second = {1.0 / 3, 2e17};
  odd.shared_cache_bytes_per_second = {1.0 / 7};
  odd.alltoallv = AlltoallvWay::pairwise;
  odd.findings = {{"busy", "the machine is \"busy\"", "run again"}, {"", "", ""}};
  FatTree tree;
  tree.below = {18, 16};
  tree.above = {1, 18};
  tree.parallel = {1, 2};
  Torus torus;
  torus.extents = {4, 3};
  torus.wraps = {true, false};
  torus.ties = Torus::Ties::up;
  Dragonfly cards;
  cards.node_links = 4;
  Graph graph;
  graph.nodes = 2;
  graph.switches = 1;
  graph.cables = {{0, 2, {1e9, 1e-6}}, {2, 1, {1e9 / 7, 0}}};
  for (const NetworkShape& shape : std::initializer_list<NetworkShape>{tree, torus, cards, graph}) {
    machines.push_back(odd);
    machines.back().network = shape;
  }
  for (const MachineModel& machine : machines) {
    const MachineModel read = parse_machine(print_machine(machine), "here");
    EXPECT_EQ(read, machine) << print_machine(machine);
  }
}

TEST(MachineFile, that_is_wrong_is_refused_with_the_member) {
  expect(error_in_machine("{"), "the file is no JSON");
  expect(error_in_machine("[]"), "the machine is no object");
  expect(error_in_machine("{}"), "the machine has no 'weft_machine'");
  expect(error_in_machine(blue_gene_with("\"weft_machine\": 1", "\"weft_machine\": 2")),
         "has version 2");
  expect(error_in_machine(blue_gene_with("\"ranks_per_node\": 1", "\"ranks_per_node\": 1.5")),
         "'ranks_per_node' of the machine is 1.5");
  expect(
      error_in_machine(blue_gene_with("\"ranks_per_node\": 1", "\"ranks_per_node\": 99999999999")),
      "'ranks_per_node' of the machine is 99999999999");
  expect(error_in_machine(blue_gene_with("\"ranks_per_node\": 1", "\"ranks_per_node\": -1")),
         "is -1");
  expect(error_in_machine(blue_gene_with("\"message_seconds\"", "\"message_ms\"")),
         "has no 'message_seconds'");
  expect(error_in_machine(blue_gene_with("\"name\"", "\"colour\": \"red\", \"name\"")),
         "has an unknown 'colour'");
  expect(error_in_machine(blue_gene_with("\"torus\"", "\"sphere\"")),
         "no network of the shape 'sphere'");
  expect(
      error_in_machine(blue_gene_with("\"network\"", "\"alltoallv\": \"in a row\", \"network\"")),
      "there is no way of alltoallv 'in a row'");
  expect(error_in_machine(blue_gene_with("\"split\"", "\"sideways\"")),
         "'ties' of the torus is 'sideways'");
  expect(error_in_machine(blue_gene_with("\"seconds_per_point\"", "\"seconds\"")),
         "an entry of 'transforms' of the machine has no 'seconds_per_point'");
  expect(error_in_machine(blue_gene_with("\"seconds_per_point\"", "\"rows_seconds_per_point\"")),
         "an entry of 'transforms' of the machine has no 'columns_seconds_per_point'");
  expect(error_in_machine(blue_gene_with("\"points\": 64", "\"real_part\": 0, \"points\": 64")),
         "real_part of the machine 'blue-gene-l' is 0");
  expect(error_in_machine(blue_gene_with("\"network\": ", "\"findings\": 3, \"network\": ")),
         "'findings' of the machine is 3");
  expect(error_in_machine(blue_gene_with("\"network\": ", "\"findings\": [{}], \"network\": ")),
         "an entry of 'findings' of the machine has no 'name'");
  expect(error_in_machine(blue_gene_with("\"network\": ", "\"devices\": {}, \"network\": ")),
         "the devices has no 'devices_per_node'");
  expect(error_in_machine(blue_gene_with(
             "\"network\": ",
             R"("devices": {"devices_per_node": 2, "memory_bytes": 0, "memory_bytes_per_second": 1,
                "bus_bytes_per_second": 1}, "network": )")),
         "memory_bytes of devices of the machine 'blue-gene-l' is 0");
  expect(error_in_machine(blue_gene_with("\"points\": 64", "\"points\": \"64\"")),
         "'points' of an entry of");
  expect(error_in_machine(blue_gene_with("\"extents\": [", "\"extents\": [0, ")),
         "0 nodes along a dimension");
  expect(error_in_machine(blue_gene_with("\"link_bytes_per_second\": 175000000.0",
                                         "\"link_bytes_per_second\": -1")),
         "carries -1 bytes per second");
}

TEST(MachineFile, may_be_within_what_doctor_tells) {
  const MachineModel machine = find_machine("blue-gene-l");
  EXPECT_EQ(parse_machine("{\"weft\": \"1\", \"machine\": " + print_machine(machine) + "}", "here"),
            machine);
  expect(error_in_machine("{\"machine\": {}}"), "the machine has no 'weft_machine'");
  expect(error_in_machine("{\"machine\": 3}"), "the machine has no 'weft_machine'");
}

TEST(MachineFile, that_is_not_there_is_refused_with_what_there_is) {
  try {
    find_machine("nowhere.json");
    FAIL() << "no error";
  } catch (const Error& error) {
    expect(error.what(), "there is no machine file 'nowhere.json'");
    expect(error.what(), "blue-gene-l");
  }
}

TEST(MachineFile, is_read_in_time_that_grows_with_its_cables) {
  const auto of = [](int cables) {
    MachineModel machine = find_machine("blue-gene-l");
    Graph graph;
    graph.nodes = 16;
    for (int i = 0; i < cables; ++i) graph.cables.push_back({i % 16, (i + 1) % 16, {1e9, 1e-6}});
    machine.network = graph;
    return print_machine(machine);
  };
  test::expect_linear(1000, of, [](const std::string& text) { parse_machine(text, "here"); });
}

TEST(MachineFile, with_a_name_for_a_terminal_or_of_a_megabyte_is_told_in_a_line) {
  expect(error_in_machine(blue_gene_with("{", "{\"\\u001b[31m\": 1, ")),
         "has an unknown '\\u001b[31m'");
  std::string text = blue_gene_with("\"message_seconds\": ", "\"message_seconds\": -");
  text.replace(text.find("blue-gene-l"), 11, "\\u001b[31m\\u202e" + std::string(1 << 20, 'x'));
  const std::string told = error_in_machine(text);
  expect(told, "message_seconds of the machine '\\u001b[31m\\u202exxx");
  EXPECT_LT(told.size(), 300U);
}

TEST(MachineFile, with_findings_is_warned_of_once_with_what_to_do) {
  MachineModel machine = find_machine("blue-gene-l");
  testing::internal::CaptureStderr();
  warn_of_findings(machine);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  machine.findings = {{"busy", "it was busy", "run again"},
                      {"same_core", "they take turns", "bind"}};
  testing::internal::CaptureStderr();
  warn_of_findings(machine);
  EXPECT_EQ(
      testing::internal::GetCapturedStderr(),
      "weft warn: the figures of the machine 'blue-gene-l' may be wrong, and so may what they "
      "predict\n"
      "weft warn: busy: it was busy\n"
      "weft warn:   try: run again\n"
      "weft warn: same_core: they take turns\n"
      "weft warn:   try: bind\n");
}
