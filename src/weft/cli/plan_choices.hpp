// cli/plan_choices: the options with which a user tells the planner what to do.
#pragma once

#include <string>

#include "weft/plan/plan_body.hpp"

namespace CLI {
class App;
}

namespace weft::cli {

/// What stands on the command line. A single transform is not worth trial runs; a benchmark is.
struct PlanChoices {
  std::string exchange, engine, decomposition, grid, strategy, effort = "estimate", node_size;
  int threads = 0, use_ranks = 0;
};

/// Adds --engine, --decomposition, --grid and the others; --exchange too.
void add_plan_choices(CLI::App& app, PlanChoices& choices);

/// Error::invalid for what cannot be read.
Options plan_options(const PlanChoices& choices);

/// A process grid like 2x3. Error::invalid, naming `option`.
Dims parse_grid(const std::string& text, const std::string& option);

}  // namespace weft::cli
