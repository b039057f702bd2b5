// cli/plan_choices: the command-line options that control planning.
#pragma once

#include <span>
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
  std::string arrays = "weft";
};

/// Adds the options to `app`.
void add_plan_choices(CLI::App& app, PlanChoices& choices);
/// The same without --strategy, for a command that takes several.
void add_choices_but_strategy(CLI::App& app, PlanChoices& choices);

/// The options of a plan. Error::invalid if a value cannot be parsed.
Options plan_options(const PlanChoices& choices);

/// An option of which a command has no use.
struct UnusedChoice {
  const char* option;
  bool (*is_given)(const PlanChoices& choices);
};
/// Leaves `unused`, which are options of `app`, out of its help. They are still known, so that
/// refuse can say why they are of no use.
void hide(CLI::App& app, std::span<const UnusedChoice> unused);
/// Error::invalid, with the option and `reason`, if one of `unused` is given.
void refuse(std::span<const UnusedChoice> unused, const PlanChoices& choices, const char* reason,
            const char* hint);

/// Adds the options to a command that predicts: a machine has its nodes, and nothing is tried.
void add_choices_for_predictions(CLI::App& app, PlanChoices& choices);
/// Error::invalid if there are options that have no meaning for predictions.
void require_predictable(const PlanChoices& choices);

/// Parses a process grid such as 2x3. Error::invalid, naming `option`.
Dims parse_grid(const std::string& text, const std::string& option);

}  // namespace weft::cli
