// cli/place/place: `weft place` - which nodes a job should have, and in which order its ranks
// should be on them.

#include <CLI/CLI.hpp>

#include <algorithm>
#include <limits>

#include "weft/cli/command.hpp"
#include "weft/cli/given.hpp"
#include "weft/cli/pages/machine_page.hpp"
#include "weft/cli/place/host_names.hpp"
#include "weft/cli/place/node_marks.hpp"
#include "weft/cli/place/rank_file.hpp"
#include "weft/cli/report_parts.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/files/output_file.hpp"
#include "weft/networks/machine_file.hpp"
#include "weft/predicting/placements.hpp"

namespace weft::cli {

namespace {

constexpr const char* place_examples =
    "  weft place 64x64x64 --ranks 64 --machine blue-gene-l\n"
    "  weft place 128x128x64 --ranks 128 --machine blue-gene-l --write torus --file ranks.map\n"
    "  weft place 96x96x96 --ranks 384 --machine shaheen-ii --free 0-3,40-47,400-419 \\\n"
    "      --page machine.html\n";

// More take hours for any network.
constexpr std::int64_t most_swaps = 1'000'000'000;

struct PlaceArguments {
  Given given;
  std::string machine = "cluster-100g", free, form, output, hosts, marks, page, json;
  int ranks = 0;
  std::int64_t swaps = -1;
};

// Those of --free; unless it is given, all that compute. Error::invalid for others.
std::vector<int> free_nodes(const std::string& text, const NodeMarks& marks, int there) {
  if (!text.empty()) {
    std::vector<int> free = parse_nodes("--free", text, there, "free");
    require_computing(marks, free);
    return free;
  }
  std::vector<int> free;
  for (int node = 0; node < there; ++node)
    if (marks.computes(node)) free.push_back(node);
  return free;
}

// What `weft place` says of a job.
struct Job {
  Problem problem;
  MachineModel machine;
  int ranks = 0, nodes = 0;
};

std::string text_of(const Job& job, const Placements& found) {
  std::string text =
      fmt::format("{} on {} ranks, {} nodes of '{}', a {}\n  strategy: {}\n",
                  to_string(job.problem), job.ranks, job.nodes, shown_name(job.machine),
                  to_string(job.machine.network), to_string(found.strategy));
  std::vector<std::vector<std::string>> rows{{"nodes", "order of ranks", "links ms", "all ms"}};
  for (const PlacedJob& one : found.placed)
    rows.push_back({one.nodes, one.order.name, milliseconds(one.link_seconds),
                    milliseconds(one.cost.seconds())});
  text += aligned(rows, 2);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

std::string json_of(const Job& job, const Placements& found) {
  Json all = Json::array();
  for (const PlacedJob& one : found.placed)
    all.push_back({{"nodes", one.nodes},
                   {"order", one.order.name},
                   {"link_seconds", one.link_seconds},
                   {"predicted_seconds", one.cost.seconds()},
                   {"places", one.order.places}});
  const Json object{{"weft", WEFT_VERSION},
                    {"machine", job.machine.name},
                    {"network", to_string(job.machine.network)},
                    {"problem", to_string(job.problem)},
                    {"ranks", job.ranks},
                    {"strategy", to_string(found.strategy)},
                    {"placements", all}};
  return json_text(object, 1);
}

// Before the time is spent: whether what is found can be written.
void require_outputs(const PlaceArguments& arguments, const Surroundings& here) {
  agree(here.comm, [&] {
    if (here.comm.rank() != 0) return;
    for (const std::string& path : {arguments.json, arguments.page, arguments.output})
      if (!path.empty()) require_writable(path);
  });
}

void run(const PlaceArguments& arguments, const Surroundings& here) {
  if (arguments.ranks < 0)
    throw Error(Error::invalid, fmt::format("--ranks is {}", arguments.ranks),
                "give the number of ranks, or 0 for all of the free nodes");
  refuse(arguments.given, unused_by_predictions);
  if (arguments.swaps < -1 || arguments.swaps > most_swaps)
    throw Error(Error::invalid, fmt::format("--swaps is {}", arguments.swaps),
                fmt::format("give 0 to {}; leave it out for the default", most_swaps));
  if (arguments.form.empty() != arguments.output.empty())
    throw Error(Error::invalid, "--write and --file belong together",
                "give the form and the name of the file, or neither");
  require_outputs(arguments, here);
  const RankFileEntry* form = arguments.form.empty() ? nullptr : &find_rank_file(arguments.form);
  Job job;
  job.machine = find_machine(arguments.machine);
  if (here.comm.rank() == 0) warn_of_findings(job.machine);
  const int there = checked_nodes(job.machine.network);
  const NodeMarks marks = read_node_marks(arguments.marks, there);
  const std::vector<int> free = free_nodes(arguments.free, marks, there);
  const std::int64_t all = static_cast<std::int64_t>(free.size()) * job.machine.ranks_per_node;
  job.ranks = arguments.ranks > 0
                  ? arguments.ranks
                  : static_cast<int>(std::min<std::int64_t>(all, std::numeric_limits<int>::max()));
  const Options options = plan_options(arguments.given);
  job.nodes = ranks_of(job.machine, job.ranks).nodes();
  job.problem = problems_of(arguments.given).front();
  const auto hosts = read_host_names(arguments.hosts, there);
  here.console.start_activity(fmt::format("placing {}", to_string(job.problem.extents)));
  const Placements found =
      find_placements(job.problem, job.machine, job.ranks, free, options, arguments.swaps);
  here.console.start_activity("");
  const PlacedJob& best = found.placed.front();
  const std::string ranks =
      form == nullptr ? "" : form->text({job.machine, job.ranks, best.order.places, hosts});
  here.console.say(text_of(job, found));
  write_text(here.comm, arguments.json, json_of(job, found));
  if (!arguments.page.empty())
    write_text(here.comm, arguments.page,
               machine_page({job.machine, to_string(job.problem), job.ranks, found, free, marks}));
  if (form == nullptr) return;
  write_text(here.comm, arguments.output, ranks);
  here.console.say(fmt::format("{}: the order '{}' on the {} nodes, for {}", arguments.output,
                               best.order.name, best.nodes, form->summary));
}

void add_place_options(CLI::App& app, PlaceArguments& a) {
  std::string forms;
  for (const RankFileEntry& entry : rank_files())
    forms += (forms.empty() ? "" : ", ") + std::string(entry.name);
  add_extents(app, a.given);
  app.get_option("EXTENTS")->expected(1);
  app.add_option("--ranks", a.ranks, "number of ranks (default: all of the free nodes)")
      ->type_name("N");
  app.add_option("--machine", a.machine,
                 "a machine file, or the name of a machine that weft knows: `weft plan "
                 "--list-machines` (default cluster-100g)")
      ->type_name("FILE");
  app.add_option("--free", a.free,
                 "the nodes that the job may have, as 0-3,8 (default: all of the machine); with "
                 "more than it needs, the first, random ones and connected ones are compared")
      ->type_name("LIST");
  app.add_option("--swaps", a.swaps,
                 "how many swaps of two nodes the search tries (default: 100 for each node, or "
                 "as many as take some seconds)")
      ->type_name("K");
  app.add_option("--write", a.form, "write the best order as a file for: " + forms)
      ->type_name("FORM");
  app.add_option("--file", a.output, "the name of this file")->type_name("FILE");
  app.add_option("--hosts", a.hosts,
                 "a file with the names of the nodes, one on a line (default: node0, node1, ...)")
      ->type_name("FILE");
  app.add_option(
         "--marks", a.marks,
         "a file with lines like 0-31,40: service, which say what nodes are for (the others: "
         "compute); those that are service or empty cannot be free")
      ->type_name("FILE");
  app.add_option(
         "--page", a.page,
         "write a page to FILE that shows the machine, the ranks on its nodes and the loads "
         "of its links")
      ->type_name("FILE");
  app.add_option("--json", a.json, "write all placements to FILE, as JSON")->type_name("FILE");
}

}  // namespace

Command place_command() {
  return {"place", "choose nodes for a job, and the order of its ranks on them, by prediction",
          place_examples, [](CLI::App& app) {
            const auto arguments = std::make_shared<PlaceArguments>();
            add_place_options(app, *arguments);
            add_problem_settings(app, arguments->given);
            add_plan_settings(app, arguments->given);
            hide(app, unused_by_predictions);
            return [arguments](const Surroundings& here) { run(*arguments, here); };
          }};
}

}  // namespace weft::cli
