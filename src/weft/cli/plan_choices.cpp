// cli/plan_choices: converts command-line options to weft::Options.

#include "weft/cli/plan_choices.hpp"

#include <CLI/CLI.hpp>

#include <array>

#include "weft/comm/nodes.hpp"
#include "weft/plan/checked_options.hpp"

namespace weft::cli {

namespace {

constexpr std::array unused_by_predictions{
    UnusedChoice{"--node-size", [](const PlanChoices& c) { return !c.node_size.empty(); }},
    UnusedChoice{"--effort", [](const PlanChoices& c) { return c.effort != PlanChoices().effort; }},
    UnusedChoice{"--reproducible", [](const PlanChoices& c) { return c.reproducible; }}};

}  // namespace

void add_plan_choices(CLI::App& app, PlanChoices& choices) {
  add_choices_but_strategy(app, choices);
  app.add_option("--strategy", choices.strategy,
                 "use this strategy, in the form in which weft prints strategies; 'from 4x1x1 on "
                 "0,0,1,1' also gives the rank of each piece")
      ->type_name("TEXT");
}

void add_choices_but_strategy(CLI::App& app, PlanChoices& choices) {
  app.add_option("--exchange", choices.exchange,
                 "how data move between ranks; `weft exchanges` lists the names")
      ->type_name("NAME");
  app.add_option("--engine", choices.engine,
                 "the local FFT library; `weft engines` lists the names")
      ->type_name("NAME");
  app.add_option("--decomposition", choices.decomposition,
                 "form of all stages: slab, pencil or brick (default: the planner chooses)")
      ->type_name("FORM");
  app.add_option("--grid", choices.grid,
                 "process grid of the stages (default: the planner chooses)")
      ->type_name("AxB");
  app.add_option("--use-ranks", choices.use_ranks,
                 "number of ranks that compute, for a field that is too small for all ranks; they "
                 "are on as few nodes as possible (default 0: all ranks)")
      ->type_name("R");
  app.add_option(
         "--effort", choices.effort,
         "how engines choose code and plans choose how to run passes: estimate (immediately), "
         "measure (with trial runs, or as `weft tune` has found) or tune (with races of whole "
         "plans, "
         "whose result is remembered)")
      ->type_name("WORD")
      ->capture_default_str();
  app.add_flag(
      "--reproducible", choices.reproducible,
      "make no choice by trial runs, whatever --effort says: every run gives the same bits");
  app.add_option("--arrays", choices.arrays,
                 "whose arrays are transformed: weft (its own, default) or any (memory of the "
                 "application's)")
      ->type_name("WORD");
  app.add_option("--threads", choices.threads,
                 "number of threads of each rank (default: the cores on which it may run, divided "
                 "by the ranks that share them)")
      ->type_name("T");
  app.add_option("--node-size", choices.node_size,
                 "pretend that each node has R ranks; 1,3 for nodes of different sizes")
      ->type_name("R");
}

Options plan_options(const PlanChoices& choices) {
  Options options;
  options.exchange = choices.exchange;
  options.engine = choices.engine;
  options.strategy = choices.strategy;
  options.ranks = choices.use_ranks;
  options.pretend.node_sizes = choices.node_size.empty()
                                   ? node_sizes_of_environment()
                                   : parse_node_sizes(choices.node_size, "--node-size");
  if (choices.threads < 0 || choices.threads > most_threads)
    throw Error(Error::invalid, fmt::format("--threads is {}", choices.threads),
                fmt::format("give the number of threads of each rank, at most {}, or 0 for its "
                            "share of the cores",
                            most_threads));
  options.threads = choices.threads;
  if (!choices.decomposition.empty()) {
    options.decomposition = parse_form(choices.decomposition);
    if (options.decomposition == Distribution::same || options.decomposition == Distribution::boxes)
      throw Error(Error::invalid,
                  fmt::format("there is no decomposition '{}'", choices.decomposition),
                  "one of: slab, pencil, brick");
  }
  if (!choices.grid.empty()) options.grid = parse_grid(choices.grid, "--grid");
  if (choices.arrays != "weft" && choices.arrays != "any")
    throw Error(Error::invalid, fmt::format("--arrays is '{}'", choices.arrays),
                "one of: weft, any");
  options.arrays = choices.arrays == "any" ? Arrays::any : Arrays::of_weft;
  options.effort = parse_effort(choices.effort);
  options.reproducible = choices.reproducible;
  return options;
}

void hide(CLI::App& app, std::span<const UnusedChoice> unused) {
  for (const UnusedChoice& choice : unused) app.get_option(choice.option)->group("");
}

void refuse(std::span<const UnusedChoice> unused, const PlanChoices& choices, const char* reason,
            const char* hint) {
  for (const UnusedChoice& choice : unused)
    if (choice.is_given(choices))
      throw Error(Error::invalid, fmt::format("{} {}", choice.option, reason), hint);
}

void add_choices_for_predictions(CLI::App& app, PlanChoices& choices) {
  add_plan_choices(app, choices);
  hide(app, unused_by_predictions);
}

void require_predictable(const PlanChoices& choices) {
  refuse(unused_by_predictions, choices, "has no meaning for predictions",
         "omit it; a machine file has ranks_per_node");
}

Dims parse_grid(const std::string& text, const std::string& option) {
  const Dims grid = parse_dims(text, option);
  for (auto count : grid)
    if (count < 1)
      throw Error(Error::invalid,
                  fmt::format("{} is '{}': {} ranks along an axis", option, text, count),
                  "every number must be at least 1");
  return grid;
}

}  // namespace weft::cli
