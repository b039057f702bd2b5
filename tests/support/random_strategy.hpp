// support/random_strategy: strategies that a user could write, out of the planner's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/dice.hpp"
#include "weft/making/blueprint.hpp"
#include "weft/making/exchange_table.hpp"
#include "weft/planning/other_walks.hpp"
#include "weft/planning/strategy.hpp"

namespace weft::test {

/// Random choices for all passes, of these engines.
void choose_randomly(Strategy& strategy, const std::vector<std::string>& engines, Dice& dice);

/// Exchanges by other means and in other chunks, passes of fewer and of more axes, copies, and
/// detours over other process grids, some of fewer ranks: not always an answer to the problem.
Strategy varied(const Problem& problem, Strategy strategy, Dice& dice, const Machine& machine);

/// The blueprint of a varied strategy, or, where that is no answer, of the strategy itself.
/// Error::invalid if neither is an answer on this machine.
Blueprint varied_blueprint(const Problem& problem, const Strategy& strategy, const Machine& machine,
                           Dice& dice);

}  // namespace weft::test
