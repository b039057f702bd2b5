// cli/place: `weft place` - which nodes a job should have, and in which order its ranks should be
// on them.

#include <CLI/CLI.hpp>

#include <algorithm>
#include <fstream>
#include <limits>
#include <numeric>
#include <optional>
#include <random>

#include "weft/cli/command.hpp"
#include "weft/cli/integers.hpp"
#include "weft/cli/machine_file.hpp"
#include "weft/cli/output_file.hpp"
#include "weft/cli/plan_choices.hpp"
#include "weft/cli/problem_options.hpp"
#include "weft/cli/rank_file.hpp"
#include "weft/cli/report_parts.hpp"
#include "weft/model/rank_order.hpp"
#include "weft/plan/chosen_strategy.hpp"
#include "weft/plan/ranking.hpp"

namespace weft::cli {

namespace {

constexpr const char* place_examples =
    "  weft place 64x64x64 --ranks 64 --machine blue-gene-l\n"
    "  weft place 128x128x64 --ranks 128 --machine blue-gene-l --write torus --file ranks.map\n"
    "  weft place 96x96x96 --ranks 384 --machine shaheen-ii --free 0-3,40-47,400-419\n";

struct PlaceArguments {
  ProblemArguments problem;
  PlanChoices choices;
  std::string machine = "cluster-100g", free, form, output, hosts, json;
  int ranks = 0;
  std::int64_t swaps = -1;
};

// A choice of nodes, an order of the ranks on them, and what is predicted for it.
struct Placed {
  std::string nodes;
  RankOrder order;
  StrategyCost cost;
  double links = 0;
};

// Numbers and ranges, as 0-3,8.
std::vector<int> nodes_of(const std::string& text, int there) {
  std::vector<int> nodes;
  if (text.empty()) {
    nodes.resize(static_cast<std::size_t>(there));
    std::iota(nodes.begin(), nodes.end(), 0);
    return nodes;
  }
  const char* const hint = "write it like --free 0-3,8";
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string part = text.substr(at, end - at);
    const std::size_t dash = part.find('-', 1);
    const int first = parse_integers("--free", part.substr(0, dash), hint).front();
    const int last = dash == std::string::npos
                         ? first
                         : parse_integers("--free", part.substr(dash + 1), hint).front();
    for (int node = first; node <= last; ++node) {
      if (node < 0 || node >= there)
        throw Error(Error::invalid,
                    fmt::format("node {} is free, but the network has {}", node, there),
                    fmt::format("give nodes from 0 to {}", there - 1));
      nodes.push_back(node);
    }
    at = end + 1;
  }
  return nodes;
}

std::vector<std::string> host_names(const std::string& path, int nodes) {
  std::vector<std::string> names;
  if (path.empty()) {
    for (int node = 0; node < nodes; ++node) names.push_back(fmt::format("node{}", node));
    return names;
  }
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) names.push_back(line);
  if (static_cast<int>(names.size()) != nodes)
    throw Error(Error::invalid,
                fmt::format("'{}' has {} lines for {} nodes", path, names.size(), nodes),
                "give the name of a host on a line for each node, in their order");
  return names;
}

// Rows and columns of the nodes of a job, by the first process grid of its strategy.
Dims node_grid(const Strategy& strategy, int nodes, int ranks_per_node) {
  std::vector<Place> places{strategy.from};
  for (const Stage& stage : strategy.stages)
    if (const auto* exchange = std::get_if<ExchangeStage>(&stage)) places.push_back(exchange->to);
  for (const Place& place : places) {
    Dims divided;
    for (const auto parts : place.grid.parts)
      if (parts > 1) divided.push_back(parts);
    if (divided.size() == 2 && divided[1] % ranks_per_node == 0 &&
        divided[0] * (divided[1] / ranks_per_node) == nodes)
      return {divided[0], divided[1] / ranks_per_node};
  }
  return {1, nodes};
}

class Placements {
 public:
  Placements(const PlaceArguments& arguments, const MachineModel& machine)
      : machine_(machine),
        network_(network_of(machine.network)),
        free_(nodes_of(arguments.free, network_->nodes())),
        ranks_(arguments.ranks > 0 ? arguments.ranks : all_ranks()),
        threads_(std::max(1, arguments.choices.threads)),
        options_(plan_options(arguments.choices)),
        swaps_(arguments.swaps) {
    nodes_ = ranks_of(machine, ranks_, threads_).nodes();
    if (nodes_ > static_cast<int>(free_.size()))
      throw Error(
          Error::invalid,
          fmt::format("{} ranks need {} nodes, and {} are free", ranks_, nodes_, free_.size()),
          "use fewer ranks, or more nodes");
  }

  void find(const Problem& problem) {
    const std::vector<int> first(free_.begin(), free_.begin() + nodes_);
    predictor_.emplace(machine_, ranks_, threads_, first);
    problem_ = with_placed_columns(as_r2c(validated(problem)), predictor_->ranks(), options_);
    strategy = ranked_strategies(problem_, *predictor_, options_).front().strategy;
    messages_ = predictor_->messages(strategy, problem_);
    add_orders("first free", first);
    if (nodes_ < static_cast<int>(free_.size())) {
      std::vector<int> any = free_;
      std::mt19937_64 random(1);
      for (std::size_t i = any.size() - 1; i > 0; --i) std::swap(any[i], any[random() % (i + 1)]);
      any.resize(first.size());
      add("random", {"launched", any});
      add_orders("connected", connected_nodes(*network_, free_, nodes_));
    }
    const auto best =
        std::min_element(placed.begin(), placed.end(),
                         [](const Placed& a, const Placed& b) { return a.links < b.links; });
    const std::int64_t swaps = swaps_ >= 0 ? swaps_ : std::int64_t{100} * nodes_;
    const Placed start = *best;
    add(start.nodes, {"search", improved_order(*network_, messages_, start.order.places, swaps)});
    std::stable_sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) {
      return a.cost.seconds() < b.cost.seconds();
    });
  }

  Strategy strategy;
  std::vector<Placed> placed;  // the fastest first
  int ranks() const { return ranks_; }
  int nodes() const { return nodes_; }
  int all_nodes() const { return network_->nodes(); }

 private:
  int all_ranks() const {
    const std::int64_t all = static_cast<std::int64_t>(free_.size()) * machine_.ranks_per_node;
    return static_cast<int>(std::min<std::int64_t>(all, std::numeric_limits<int>::max()));
  }
  void add_orders(const std::string& nodes, const std::vector<int>& places) {
    const Dims grid = node_grid(strategy, nodes_, machine_.ranks_per_node);
    for (RankOrder& order : named_orders(machine_.network, grid, places))
      add(nodes, std::move(order));
  }
  void add(const std::string& nodes, RankOrder order) {
    Placed& one = placed.emplace_back();
    one.nodes = nodes;
    one.cost = predictor_->on(order.places).cost(strategy, problem_, exchange_kinds());
    one.links = link_seconds(*network_, messages_, order.places);
    one.order = std::move(order);
  }

  const MachineModel& machine_;
  std::unique_ptr<const Network> network_;
  std::vector<int> free_;
  int ranks_, threads_;
  Options options_;
  std::int64_t swaps_;
  int nodes_ = 0;
  std::optional<CostPredictor> predictor_;  // on the first of the free nodes
  Problem problem_;
  std::vector<NodeMessages> messages_;
};

std::string text_of(const Problem& problem, const MachineModel& machine, const Placements& found) {
  std::string text = fmt::format("{} on {} ranks, {} nodes of '{}', a {}\n  strategy: {}\n",
                                 to_string(problem), found.ranks(), found.nodes(), machine.name,
                                 to_string(machine.network), to_string(found.strategy));
  std::vector<std::vector<std::string>> rows{{"nodes", "order of ranks", "links ms", "all ms"}};
  for (const Placed& one : found.placed)
    rows.push_back(
        {one.nodes, one.order.name, milliseconds(one.links), milliseconds(one.cost.seconds())});
  text += aligned(rows, 2);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

std::string json_of(const Problem& problem, const MachineModel& machine, const Placements& found) {
  Json all = Json::array();
  for (const Placed& one : found.placed)
    all.push_back({{"nodes", one.nodes},
                   {"order", one.order.name},
                   {"link_seconds", one.links},
                   {"predicted_seconds", one.cost.seconds()},
                   {"places", one.order.places}});
  return Json{{"weft", WEFT_VERSION},
              {"machine", machine.name},
              {"network", to_string(machine.network)},
              {"problem", to_string(problem)},
              {"ranks", found.ranks()},
              {"strategy", to_string(found.strategy)},
              {"placements", all}}
      .dump(1);
}

void run(const PlaceArguments& arguments, const Surroundings& here) {
  if (arguments.ranks < 0)
    throw Error(Error::invalid, fmt::format("--ranks is {}", arguments.ranks),
                "give the number of ranks, or 0 for all of the free nodes");
  require_predictable(arguments.choices);
  if (arguments.form.empty() != arguments.output.empty())
    throw Error(Error::invalid, "--write and --file belong together",
                "give the form and the name of the file, or neither");
  const RankFileEntry* form = arguments.form.empty() ? nullptr : &find_rank_file(arguments.form);
  const MachineModel machine = find_machine(arguments.machine);
  const Options options = plan_options(arguments.choices);
  const Problem problem = problems_of(arguments.problem, options.grid).front();
  here.console.start_activity(fmt::format("placing {}", to_string(problem.extents)));
  Placements found(arguments, machine);
  const auto hosts = host_names(arguments.hosts, found.all_nodes());
  found.find(problem);
  here.console.start_activity("");
  here.console.say(text_of(problem, machine, found));
  write_text(here.comm, arguments.json, json_of(problem, machine, found));
  if (form == nullptr) return;
  const Placed& best = found.placed.front();
  write_text(here.comm, arguments.output,
             form->text({machine, found.ranks(), best.order.places, hosts}));
  here.console.say(fmt::format("{}: the order '{}' on the {} nodes, for {}", arguments.output,
                               best.order.name, best.nodes, form->summary));
}

void add_place_options(CLI::App& app, PlaceArguments& a) {
  std::string forms;
  for (const RankFileEntry& entry : rank_files())
    forms += (forms.empty() ? "" : ", ") + std::string(entry.name);
  app.add_option("EXTENTS", a.problem.extents, "points per axis, for example 256x256x256")
      ->required()
      ->expected(1)
      ->type_name("");
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
                 "how many swaps of two nodes the search tries (default: 100 for each node)")
      ->type_name("K");
  app.add_option("--write", a.form, "write the best order as a file for: " + forms)
      ->type_name("FORM");
  app.add_option("--file", a.output, "the name of this file")->type_name("FILE");
  app.add_option("--hosts", a.hosts,
                 "a file with the names of the nodes, one on a line (default: node0, node1, ...)")
      ->type_name("FILE");
  app.add_option("--json", a.json, "write all placements to FILE, as JSON")->type_name("FILE");
}

}  // namespace

Command place_command() {
  return {"place", "choose nodes for a job, and the order of its ranks on them, by prediction",
          place_examples, [](CLI::App& app) {
            const auto arguments = std::make_shared<PlaceArguments>();
            add_place_options(app, *arguments);
            add_problem_options(app, arguments->problem);
            add_plan_choices(app, arguments->choices);
            return [arguments](const Surroundings& here) { run(*arguments, here); };
          }};
}

}  // namespace weft::cli
