// cli/bench/bench_setup: describes a plan, and counts operations.

#include "weft/cli/bench/bench_setup.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "weft/any_plan.hpp"
#include "weft/cli/error_limit.hpp"
#include "weft/comm/agreement.hpp"

namespace weft::cli {

namespace {

// The names of the exchanges that a strategy uses.
std::string exchanges_of(const Strategy& strategy) {
  std::set<std::string> names;
  for (const Stage& stage : strategy.stages)
    if (const auto* exchange = std::get_if<ExchangeStage>(&stage)) names.insert(exchange->exchange);
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, "+"));
}

int largest_number_of_chunks(const Strategy& strategy) {
  int most = 1;
  for (const Stage& stage : strategy.stages)
    if (const auto* exchange = std::get_if<ExchangeStage>(&stage))
      most = std::max(most, exchange->chunks);
  return most;
}

}  // namespace

Times times_of(std::vector<double> seconds) {
  if (seconds.empty()) return {};
  std::sort(seconds.begin(), seconds.end());
  const std::size_t half = seconds.size() / 2;
  const double median =
      seconds.size() % 2 == 1 ? seconds[half] : (seconds[half - 1] + seconds[half]) / 2;
  return {seconds.front(), median, seconds.back()};
}

Setup setup_of(const Problem& problem, const PlanReport& plan, const Options& options,
               const Repetition& repetition) {
  const Strategy strategy = parse_strategy(plan.strategy);
  Setup setup;
  setup.problem = problem;
  setup.ranks = plan.machine.ranks;
  setup.nodes = plan.machine.nodes;
  setup.threads = std::ranges::max(plan.machine.threads_of_rank);
  setup.progress = plan.progress;
  setup.engine = plan.engine;
  setup.exchange = options.exchange.empty() ? exchanges_of(strategy) : options.exchange;
  setup.strategy = plan.strategy;
  setup.repetition = repetition;
  setup.chunks = largest_number_of_chunks(strategy);
  setup.error_limit = error_limit(problem.precision);
  return setup;
}

double flops_of(const Problem& problem) {
  double lines = 1;
  for (int axis : problem.axes) lines *= static_cast<double>(problem.extents[axis]);
  const double all =
      static_cast<double>(volume(problem.extents)) * static_cast<double>(problem.batch);
  return (problem.input_scalar().is_complex && problem.output_scalar().is_complex ? 5 : 2.5) * all *
         std::log2(lines);
}

namespace {

std::shared_ptr<std::byte> any_memory(std::int64_t bytes) {
  const auto values =
      std::make_shared<std::vector<double>>(static_cast<std::size_t>(bytes) / 8 + 1);
  return {values, reinterpret_cast<std::byte*>(values->data())};
}

}  // namespace

Fields::Fields(const Communicator& comm, const AnyPlan* plan, Arrays arrays,
               std::optional<Memory> kind) {
  agree(comm, [&] {
    if (plan == nullptr) return;
    const auto bytes = [](const Share& share) { return share.elements * share.scalar.bytes(); };
    const auto memory = [&](const Share& share) {
      if (arrays == Arrays::any) return any_memory(bytes(share));
      return plan->allocate(bytes(share), kind.value_or(plan->usual_memory()));
    };
    input_ = memory(plan->input());
    output_ = plan->problem().in_place ? input_ : memory(plan->output());
  });
}

}  // namespace weft::cli
