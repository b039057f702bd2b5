// cli/plan_choices: the command-line options that control planning.
#pragma once

#include <string>

#include "weft/plan/plan_body.hpp"

namespace CLI {
class App;
}

namespace weft::cli {

/// The values of these options. By default there are no trial runs, which are not worthwhile for a
/// single transform; benchmarks change this.
struct PlanChoices {
  std::string exchange, engine, decomposition, grid, strategy, effort = "estimate", node_size;
  int threads = 0, use_ranks = 0;
  bool reproducible = false;
};

/// Adds the options to `app`.
void add_plan_choices(CLI::App& app, PlanChoices& choices);
/// The same without --strategy, for a command that takes several.
void add_choices_but_strategy(CLI::App& app, PlanChoices& choices);

/// The options of a plan. Error::invalid if a value cannot be parsed.
Options plan_options(const PlanChoices& choices);

/// Error::invalid if there are options that have no meaning for predictions: a machine has its
/// nodes, and nothing is tried.
void require_predictable(const PlanChoices& choices);

/// Parses a process grid such as 2x3. Error::invalid, naming `option`.
Dims parse_grid(const std::string& text, const std::string& option);

}  // namespace weft::cli
