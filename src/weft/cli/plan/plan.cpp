// cli/plan/plan: `weft plan` - which strategy is predicted to be fastest on a machine, and why.

#include <CLI/CLI.hpp>

#include <algorithm>
#include <limits>

#include "weft/base/trace.hpp"
#include "weft/choose/chosen_strategy.hpp"
#include "weft/cli/command.hpp"
#include "weft/cli/given.hpp"
#include "weft/cli/output_file.hpp"
#include "weft/cli/plan/plan_report.hpp"
#include "weft/faces/integers.hpp"
#include "weft/networks/machine_file.hpp"
#include "weft/networks/network_of.hpp"

namespace weft::cli {

namespace {

constexpr const char* plan_examples =
    "  weft plan 256x256x256 --ranks 64\n"
    "  weft plan 512x512x128 --ranks 512 --machine blue-gene-l --others 8\n"
    "  weft plan 1024x1024x1024 --kind r2c --ranks 384 --machine shaheen-ii --json plan.json\n"
    "  weft plan 300x300x300 --machine two-hosts-1g --grid 1x2 --replay 3\n"
    "  weft plan --print-machine two-hosts-1g\n";

struct PlanArguments {
  Given given;
  std::string machine = "cluster-100g", nodes, printed, json;
  int ranks = 0, others = 4, replays = 0;
  bool as_list = false;
};

MachineModel machine_of(const PlanArguments& arguments) {
  MachineModel machine = find_machine(arguments.machine);
  check(machine);
  return machine;
}

CostPredictor predictor_of(const PlanArguments& arguments, const MachineModel& machine,
                           const Options& options) {
  const std::int64_t all = std::int64_t{checked_nodes(machine.network)} * machine.ranks_per_node;
  const int most = static_cast<int>(std::min<std::int64_t>(all, std::numeric_limits<int>::max()));
  const std::vector<int> nodes =
      arguments.nodes.empty()
          ? std::vector<int>()
          : parse_integers("--nodes", arguments.nodes, "write it like --nodes 0,1,8,9");
  return {machine, network_of(machine.network), arguments.ranks == 0 ? most : arguments.ranks,
          std::max(1, options.threads), nodes};
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
  const MachineModel machine = machine_of(arguments);
  const CostPredictor predictor = predictor_of(arguments, machine, options);
  if (here.comm.rank() == 0) warn_of_findings(machine);
  if (arguments.replays > 0) require_replayable(predictor.ranks().ranks);
  std::vector<Forecast> forecasts;
  for (const Problem& problem : problems_of(arguments.given)) {
    here.console.start_activity(fmt::format("planning {}", to_string(problem.extents)));
    const double start = now();
    const Problem known =
        with_placed_columns(as_r2c(validated(problem)), predictor.ranks(), options);
    Forecast& forecast = forecasts.emplace_back();
    forecast.problem = problem;
    std::vector<Ranked> ranked = ranked_strategies(known, predictor, options);
    forecast.plan_seconds = now() - start;
    if (arguments.replays > 0)
      here.console.start_activity(fmt::format("replaying {}", to_string(problem.extents)));
    forecast.ranked = replay_best(std::move(ranked), static_cast<std::size_t>(arguments.replays),
                                  known, predictor, options);
    forecast.replay_seconds = now() - start - forecast.plan_seconds;
  }
  here.console.start_activity("");
  const ForecastReport report(machine, predictor, arguments.others);
  for (const Forecast& forecast : forecasts) here.console.say(report.text(forecast));
  write_text(here.comm, arguments.json, report.json(forecasts));
}

void add_machine_options(CLI::App& app, PlanArguments& a) {
  add_extents(app, a.given, false);
  app.add_option("--ranks", a.ranks, "number of ranks (default: all of the machine)")
      ->type_name("N");
  app.add_option("--machine", a.machine,
                 "a machine file, or the name of a machine that weft knows (default "
                 "cluster-100g: 64 nodes of 16 cores, each with a link of 100 Gbit/s)")
      ->type_name("FILE");
  app.add_option("--nodes", a.nodes,
                 "the nodes that the ranks are on, in the order of the ranks (default: the first)")
      ->type_name("LIST");
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
