// cli/plan_choices: from words to weft::Options.

#include "weft/cli/plan_choices.hpp"

#include <CLI/CLI.hpp>

#include "weft/comm/nodes.hpp"

namespace weft::cli {

void add_plan_choices(CLI::App& app, PlanChoices& choices) {
  app.add_option("--exchange", choices.exchange, "how data move between ranks; see weft exchanges")
      ->type_name("NAME");
  app.add_option("--engine", choices.engine, "the local FFT library; see weft engines")
      ->type_name("NAME");
  app.add_option("--decomposition", choices.decomposition,
                 "stages of this form only: slab, pencil or brick")
      ->type_name("FORM");
  app.add_option("--grid", choices.grid, "the process grid of the stages")->type_name("AxB");
  app.add_option("--use-ranks", choices.use_ranks,
                 "how many ranks compute, where the grid is too small for all: on as few nodes as "
                 "can hold them (default 0: all)")
      ->type_name("R");
  app.add_option("--strategy", choices.strategy,
                 "just this strategy, as weft prints it; 'from 4x1x1 on 0,0,1,1' also says which "
                 "rank holds which piece")
      ->type_name("TEXT");
  app.add_option("--effort", choices.effort,
                 "how engines look for fast code: estimate (at once) or measure (trial runs)")
      ->type_name("WORD")
      ->capture_default_str();
  app.add_option("--threads", choices.threads,
                 "threads of each rank (default: its share of the cores it may run on)")
      ->type_name("T");
  app.add_option("--node-size", choices.node_size,
                 "pretend that nodes hold R ranks; 1,3 for uneven ones")
      ->type_name("R");
}

Options plan_options(const PlanChoices& choices) {
  Options options;
  options.exchange = choices.exchange;
  options.engine = choices.engine;
  options.strategy = choices.strategy;
  options.ranks = choices.use_ranks;
  options.node_sizes = choices.node_size.empty()
                           ? node_sizes_of_environment()
                           : parse_node_sizes(choices.node_size, "--node-size");
  if (choices.threads < 0)
    throw Error(Error::invalid, fmt::format("--threads is {}", choices.threads),
                "give the number of threads each rank should run, or 0 for its share of the cores");
  options.threads = choices.threads;
  if (!choices.decomposition.empty()) {
    options.decomposition = parse_form(choices.decomposition);
    if (options.decomposition == Distribution::same || options.decomposition == Distribution::boxes)
      throw Error(Error::invalid,
                  fmt::format("there is no decomposition '{}'", choices.decomposition),
                  "one of: slab, pencil, brick");
  }
  if (!choices.grid.empty()) options.grid = parse_grid(choices.grid, "--grid");
  if (choices.effort != "estimate" && choices.effort != "measure")
    throw Error(Error::invalid, fmt::format("there is no effort '{}'", choices.effort),
                "one of: estimate, measure");
  options.effort = choices.effort == "measure" ? Effort::measure : Effort::estimate;
  return options;
}

Dims parse_grid(const std::string& text, const std::string& option) {
  const Dims grid = parse_dims(text, option);
  for (auto count : grid)
    if (count < 1)
      throw Error(Error::invalid,
                  fmt::format("{} is '{}': {} ranks along an axis", option, text, count),
                  "every entry must be at least 1");
  return grid;
}

}  // namespace weft::cli
