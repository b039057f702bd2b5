// choose/chosen_strategy: asking the planner.

#include "weft/choose/chosen_strategy.hpp"

#include <utility>

#include "weft/choose/common_engine.hpp"
#include "weft/grid/redistribution.hpp"
#include "weft/making/exchange_table.hpp"
#include "weft/planning/chunks.hpp"
#include "weft/planning/placed.hpp"
#include "weft/problem/columns.hpp"
#include "weft/problem/distribution.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

namespace {

std::vector<std::string> cuttable_exchanges() {
  std::vector<std::string> names;
  for (const ExchangeEntry& entry : exchanges())
    if (entry.cuts) names.push_back(entry.name);
  return names;
}

// Parts go from where they are to where they must be, with a copy before and one after: both may be
// in one array, which MPI does not allow for its collectives.
Strategy strategy_of_parts(const Problem& problem, const Machine& machine, const Choices& choices) {
  const Decomposition from = resolve(problem.input, problem.extents, machine.ranks, "input");
  const Decomposition to = resolve(problem.output, problem.extents, machine.ranks, "output");
  const Redistribution moves(from, to);
  for (int rank = 0; rank < machine.ranks; ++rank) {
    std::int64_t sent = 0, received = 0;
    for (const Transfer& transfer : moves.sends(rank)) sent += transfer.box.volume();
    for (const Transfer& transfer : moves.receives(rank)) received += transfer.box.volume();
    if (sent != from.volume(rank) || received != to.volume(rank))
      throw Error(Error::invalid,
                  fmt::format("of its {} points of the input, rank {} sends {}, and of {} of the "
                              "output it receives {}",
                              from.volume(rank), rank, sent, to.volume(rank), received),
                  "let the parts of input and output be those of the same points");
  }
  const int nodes = machine.nodes();
  std::string name = choices.exchange;
  if (name.empty() && nodes < machine.ranks)
    name = nodes == 1 ? choices.exchange_in_nodes : choices.exchange_between_nodes;
  if (name.empty()) name = choices.large_exchange;
  Strategy strategy;
  strategy.engine = choices.engine;
  strategy.from = {Place::input, {}};
  strategy.stages = {PassStage{}, ExchangeStage{name, {Place::output, {}}}, PassStage{}};
  return strategy;
}

}  // namespace

Problem as_r2c(Problem problem) {
  if (problem.kind != Kind::c2r) return problem;
  problem.kind = Kind::r2c;
  if (problem.output.form == Distribution::same) {
    if (problem.input.form == Distribution::boxes)
      throw Error(Error::invalid,
                  "the output of c2r cannot be distributed as boxes of its halved input",
                  "give the output's boxes too");
    std::swap(problem.input.storage, problem.output.storage);
    return problem;
  }
  std::swap(problem.input, problem.output);
  return problem;
}

Problem with_placed_columns(Problem problem, const Machine& machine, const Options& options) {
  for (const int owner : problem.cutoff.owners())
    if (owner < 0 || owner >= machine.ranks)
      throw Error(Error::invalid,
                  fmt::format("the cut-off has a share for rank {}, but there are {} rank{}", owner,
                              machine.ranks, machine.ranks == 1 ? "" : "s"),
                  "leave the shares to the plan");
  if (problem.cutoff.form() == Cutoff::Form::sphere && problem.cutoff.owners().empty()) {
    const Placement placement = choices_for(options, problem, machine).placement;
    problem.cutoff = problem.cutoff.placed(slab_owners(3, placement, machine.ranks));
  }
  return with_columns(std::move(problem), machine.ranks);
}

Problem with_columns_of(const Problem& placed, Problem problem) {
  problem.cutoff = problem.cutoff.placed(placed.cutoff.owners());
  return problem;
}

Strategy planned_strategy(const Problem& problem, const CostPredictor& predictor,
                          const Options& options) {
  const Choices choices = choices_for(options, problem, predictor.ranks());
  if (!options.strategy.empty()) {
    Strategy given = parse_strategy(options.strategy);
    known_engine(given.engine);
    return given;
  }
  if (problem.input.is_of_parts()) return strategy_of_parts(problem, predictor.ranks(), choices);
  return with_chunks(plan_strategy(problem, predictor, choices).strategy, problem, predictor,
                     options);
}

Strategy with_chunks(Strategy strategy, const Problem& problem, const CostPredictor& predictor,
                     const Options& options) {
  return chunked(std::move(strategy), problem, predictor, cuttable_exchanges(), options.chunks);
}

}  // namespace weft
