// support/random_strategy: see the header.
#include "support/random_strategy.hpp"

namespace weft::test {

void choose_randomly(Strategy& strategy, const std::vector<std::string>& engines, Dice& dice) {
  const auto maybe = [&] {
    return dice.chance(50) ? std::optional(dice.chance(50)) : std::nullopt;
  };
  for (Stage& stage : strategy.stages) {
    auto* pass = std::get_if<PassStage>(&stage);
    if (pass == nullptr || dice.chance(30)) continue;
    pass->choice = {{}, maybe(), maybe(), maybe(), maybe(), maybe(), false};
    if (dice.chance(30)) continue;
    for (std::size_t axis = 0; axis < pass->axes.size(); ++axis)
      pass->choice.engines.push_back(dice.pick(engines));
  }
}

namespace {

// Those that solve the problem.
std::vector<Strategy> other_walks(const Problem& problem, const Strategy& strategy,
                                  const Machine& machine) {
  std::vector<Strategy> others = with_other_walks(strategy);
  std::erase_if(others, [&](const Strategy& other) {
    try {
      Blueprint::of(problem, other, machine);
      return false;
    } catch (const Error& error) {
      if (error.code() == Error::bug) throw;
      return true;
    }
  });
  return others;
}

}  // namespace

Strategy varied(const Problem& problem, Strategy strategy, Dice& dice, const Machine& machine) {
  std::vector<std::string> names;
  for (const ExchangeEntry& entry : exchanges())
    if (!entry.applies(Problem{}, machine)) names.push_back(entry.name);
  const bool one_way = dice.chance(50);
  const std::string only = dice.pick(names);
  const auto vary_exchange = [&](ExchangeStage& stage) {
    if (dice.chance(60)) stage.exchange = one_way ? only : dice.pick(names);
    if (dice.chance(30)) stage.chunks = static_cast<int>(dice.between(1, 4));
  };
  if (const auto others = other_walks(problem, strategy, machine);
      !others.empty() && dice.chance(40))
    strategy = dice.pick(others);
  std::vector<Stage> stages;
  for (const Stage& stage : strategy.stages) {
    if (const auto* pass = std::get_if<PassStage>(&stage)) {
      if (pass->axes.size() > 1 && dice.chance(40))
        for (const int axis : pass->axes) stages.emplace_back(PassStage{{axis}});
      else
        stages.push_back(stage);
      if (dice.chance(10)) stages.emplace_back(PassStage{});
      continue;
    }
    ExchangeStage exchange = std::get<ExchangeStage>(stage);
    vary_exchange(exchange);
    if (dice.chance(15) && exchange.to.form == Place::on_grid) {
      ExchangeStage detour = exchange;
      for (auto& parts : detour.to.grid.parts) parts = 1;
      detour.to.grid.owners.clear();
      const int axis = static_cast<int>(dice.between(0, detour.to.grid.parts.size() - 1));
      detour.to.grid.parts[axis] = dice.between(1, machine.ranks);
      vary_exchange(detour);
      stages.emplace_back(detour);
      if (dice.chance(70)) stages.emplace_back(PassStage{});
    }
    stages.emplace_back(exchange);
  }
  // Without the copies at the ends, which only some exchanges need.
  const auto is_copy = [](const Stage& stage) {
    const auto* pass = std::get_if<PassStage>(&stage);
    return pass != nullptr && pass->axes.empty();
  };
  if (stages.size() > 1 && is_copy(stages.front()) && dice.chance(50)) stages.erase(stages.begin());
  if (stages.size() > 1 && is_copy(stages.back()) && dice.chance(50)) stages.pop_back();
  strategy.stages = std::move(stages);
  return strategy;
}

Blueprint varied_blueprint(const Problem& problem, const Strategy& strategy, const Machine& machine,
                           Dice& dice) {
  for (int attempt = 0; attempt < 3 && dice.chance(80); ++attempt) try {
      Blueprint blueprint =
          Blueprint::of(problem, varied(problem, strategy, dice, machine), machine);
      check_ends(blueprint);
      blueprint.shares_memory();  // every exchange applies
      return blueprint;
    } catch (const Error& error) {
      if (error.code() == Error::bug) throw;
      // Not every variation is an answer.
    }
  // `shared` is for one node; of several, `node` does the same in each.
  Strategy known = strategy;
  for (Stage& stage : known.stages)
    if (auto* exchange = std::get_if<ExchangeStage>(&stage))
      if (exchange->exchange == "shared" && machine.nodes() > 1) exchange->exchange = "node";
  Blueprint blueprint = Blueprint::of(problem, known, machine);
  check_ends(blueprint);
  return blueprint;
}

}  // namespace weft::test
