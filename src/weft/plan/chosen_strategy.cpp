// plan/chosen_strategy: asking the planner.

#include "weft/plan/chosen_strategy.hpp"

#include <utility>

#include "weft/fft/engine.hpp"
#include "weft/model/chunks.hpp"
#include "weft/program/exchange_table.hpp"

namespace weft {

namespace {

std::vector<std::string> cuttable_exchanges() {
  std::vector<std::string> names;
  for (const ExchangeEntry& entry : exchanges())
    if (entry.cuts) names.push_back(entry.name);
  return names;
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

Planned chosen_strategy(const Problem& problem, const Machine& machine, const Options& options) {
  const Choices choices = choices_for(options, problem, machine);
  if (!options.strategy.empty()) {
    Planned given;
    given.strategy = parse_strategy(options.strategy);
    find_engine(given.strategy.engine);
    return given;
  }
  Planned planned = plan_strategy(problem, machine, choices);
  ChunkRule rule;
  rule.chunks = options.chunks;
  planned.strategy = chunked(planned.strategy, problem, machine, cuttable_exchanges(), rule);
  return planned;
}

}  // namespace weft
