// cli/plan/plan: `weft plan` - which strategy is predicted to be fastest on a machine, and why.

#include <CLI/CLI.hpp>

#include <algorithm>
#include <limits>

#include "weft/base/trace.hpp"
#include "weft/choose/chosen_strategy.hpp"
#include "weft/cli/command.hpp"
#include "weft/cli/given.hpp"
#include "weft/cli/plan/plan_report.hpp"
#include "weft/faces/integers.hpp"
#include "weft/files/output_file.hpp"
#include "weft/networks/extended_machine.hpp"
#include "weft/networks/machine_file.hpp"
#include "weft/networks/network_of.hpp"
#include "weft/predicting/idle_ranks.hpp"
#include "weft/predicting/on_devices.hpp"

namespace weft::cli {

namespace {

constexpr const char* plan_examples =
    "  weft plan 256x256x256 --ranks 64\n"
    "  weft plan 512x512x128 --ranks 512 --machine blue-gene-l --others 8\n"
    "  weft plan 1024x1024x1024 --kind r2c --ranks 384 --machine shaheen-ii --json plan.json\n"
    "  weft plan 300x300x300 --machine two-hosts-1g --grid 1x2 --replay 3\n"
    "  weft plan 1024x1024x1024 --machine two-hosts-1g --network frontier --nodes 128\n"
    "  weft plan --print-machine two-hosts-1g\n";

struct PlanArguments {
  Given given;
  std::string machine, network, nodes, printed, json;
  int ranks = 0, others = 4, replays = 0;
  bool as_list = false;
};

// The machine, the ranks on it, and the nodes of its network that they are on, if these are given.
struct PlannedJob {
  ExtendedMachine machine;
  int ranks = 0;
  std::vector<int> nodes;
};

// On so many nodes, ranks are shared out evenly, but for the last one, which may have fewer.
void set_nodes(MachineModel& machine, int nodes, int ranks) {
  if (nodes < 1)
    throw Error(Error::invalid, fmt::format("--nodes is {}", nodes),
                "give the number of nodes, or several nodes as in --nodes 0,1,8,9");
  machine = with_nodes(std::move(machine), nodes);
  if (ranks == 0) return;
  machine.ranks_per_node = (ranks - 1) / nodes + 1;
  const int filled = (ranks - 1) / machine.ranks_per_node + 1;
  if (filled < nodes)
    throw Error(Error::invalid,
                fmt::format("{} ranks cannot be shared out evenly to {} nodes: with {} on each, "
                            "they fill {}",
                            ranks, nodes, machine.ranks_per_node, filled),
                fmt::format("ask for {} ranks, or for {} nodes",
                            std::int64_t{machine.ranks_per_node} * nodes, filled));
}

PlannedJob job_of(const PlanArguments& arguments) {
  const bool is_default = arguments.machine.empty();
  PlannedJob job;
  job.ranks = arguments.ranks;
  job.machine.machine = is_default ? cluster_100g() : find_machine(arguments.machine);
  MachineModel& machine = job.machine.machine;
  if (!arguments.network.empty()) job.machine = on_network(machine, arguments.network);
  std::vector<int> nodes;
  if (!arguments.nodes.empty())
    nodes = parse_integers("--nodes", arguments.nodes, "write it like --nodes 4, or 0,1,8,9");
  std::int64_t there = checked_nodes(machine.network);
  if (nodes.size() == 1) {
    there = nodes.front();
    set_nodes(machine, nodes.front(), job.ranks);
  } else if (!nodes.empty()) {
    there = static_cast<std::int64_t>(nodes.size());
    job.nodes = nodes;
  } else if (is_default && arguments.network.empty() && job.ranks > 0) {
    require_predictable(job.ranks);
    machine = with_nodes(std::move(machine), (job.ranks - 1) / machine.ranks_per_node + 1);
  }
  check(machine);
  if (job.ranks == 0)
    job.ranks = static_cast<int>(
        std::min<std::int64_t>(there * machine.ranks_per_node, std::numeric_limits<int>::max()));
  return job;
}

Forecast forecast_of(const Problem& problem, const PlanArguments& arguments,
                     const CostPredictor& predictor, const Options& options) {
  const double start = now();
  const int ranks = predictor.ranks().ranks;
  const Problem known = with_placed_columns(as_r2c(validated(problem)), predictor.ranks(), options);
  std::vector<Ranked> ranked = ranked_strategies(known, predictor, options);
  Forecast forecast;
  forecast.problem = problem;
  forecast.plan_seconds = now() - start;
  forecast.devices = on_devices(ranked, known, predictor);
  forecast.working = working_ranks(ranked.front().strategy, known, ranks);
  forecast.usable = usable_ranks(known, ranks);
  const double began = now();
  forecast.ranked = replay_best(std::move(ranked), static_cast<std::size_t>(arguments.replays),
                                known, predictor, options);
  forecast.replay_seconds = now() - began;
  return forecast;
}

void run(const PlanArguments& arguments, const Surroundings& here) {
  if (arguments.as_list) {
    here.console.say(list_of_machines());
    return;
  }
  if (!arguments.printed.empty()) {
    here.console.say(print_machine(find_machine(arguments.printed)));
    return;
  }
  if (arguments.given.extents.empty())
    throw Error(Error::invalid, "EXTENTS is missing", "write it like weft plan 256x256x256");
  if (arguments.others < 0)
    throw Error(Error::invalid, fmt::format("--others is {}", arguments.others),
                "it must be at least 0");
  if (arguments.replays < 0)
    throw Error(Error::invalid, fmt::format("--replay is {}", arguments.replays),
                "give the number of strategies that are replayed, or 0");
  if (arguments.ranks < 0)
    throw Error(Error::invalid, fmt::format("--ranks is {}", arguments.ranks),
                "give the number of ranks, or 0 for all of the machine");
  refuse(arguments.given, unused_by_predictions);
  const Options options = plan_options(arguments.given);
  const PlannedJob job = job_of(arguments);
  const MachineModel& machine = job.machine.machine;
  require_predictable(job.ranks);
  const CostPredictor predictor(machine, network_of(machine.network), job.ranks,
                                std::max(1, options.threads), job.nodes);
  if (here.comm.rank() == 0) warn_of_findings(machine);
  if (arguments.replays > 0) require_replayable(predictor.ranks().ranks);
  std::vector<Forecast> forecasts;
  for (const Problem& problem : problems_of(arguments.given)) {
    here.console.start_activity(fmt::format("planning {}{}",
                                            arguments.replays > 0 ? "and replaying " : "",
                                            to_string(problem.extents)));
    forecasts.push_back(forecast_of(problem, arguments, predictor, options));
  }
  here.console.start_activity("");
  const ForecastReport report(job.machine, predictor, arguments.others);
  for (const Forecast& forecast : forecasts) here.console.say(report.text(forecast));
  write_text(here.comm, arguments.json, report.json(forecasts));
}

void add_machine_options(CLI::App& app, PlanArguments& a) {
  add_extents(app, a.given, false);
  app.add_option("--ranks", a.ranks, "number of ranks (default: all of the machine)")
      ->type_name("N");
  app.add_option("--machine", a.machine,
                 "a machine file, what `weft doctor --json` told, or the name of a machine that "
                 "weft knows (default cluster-100g: nodes of 16 cores, 64 or as many as the ranks "
                 "need, each with a link of 100 Gbit/s)")
      ->type_name("FILE");
  app.add_option("--network", a.network,
                 "connect the nodes of the machine by this network instead of their own: a machine "
                 "file, the member `network` of one as a file, or the name of a machine that weft "
                 "knows")
      ->type_name("FILE");
  app.add_option(
         "--nodes", a.nodes,
         "how many nodes the ranks are on, the first ones, evenly; or which, as 0,1,8,9, in "
         "the order of the ranks, filled one after the other (default: the first, filled)")
      ->type_name("N|LIST");
  app.add_option("--others", a.others, "number of other strategies that are shown (default 4)")
      ->type_name("N");
  app.add_option(
         "--replay", a.replays,
         "replay the programs of all ranks for the best K strategies, event by event, and "
         "order these by what that takes (default 0); it knows what overlaps, chooses how many "
         "chunks exchanges have, and takes seconds for hundreds of ranks")
      ->type_name("K");
  app.add_option("--json", a.json, "write all predictions to FILE, as JSON")->type_name("FILE");
  app.add_flag("--list-machines", a.as_list, "list the machines that weft knows, and stop");
  app.add_option("--print-machine", a.printed,
                 "print a machine that weft knows, or a file, as a machine file, and stop")
      ->type_name("NAME");
}

}  // namespace

Command plan_command() {
  return {"plan", "predict the fastest strategy on a machine, which need not be this one",
          plan_examples, [](CLI::App& app) {
            const auto arguments = std::make_shared<PlanArguments>();
            add_machine_options(app, *arguments);
            add_problem_settings(app, arguments->given);
            add_plan_settings(app, arguments->given);
            hide(app, unused_by_predictions);
            return [arguments](const Surroundings& here) { run(*arguments, here); };
          }};
}

}  // namespace weft::cli
