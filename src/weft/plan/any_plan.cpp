// plan/any_plan: making a plan, together on all ranks.

#include "weft/plan/any_plan.hpp"

#include <omp.h>
#include <unistd.h>

#include <cstdlib>
#include <limits>

#include "weft/comm/agreement.hpp"
#include "weft/comm/cores.hpp"
#include "weft/comm/nodes.hpp"
#include "weft/plan/describe.hpp"

namespace weft {

namespace {

// c2r is r2c the other way round: its input is where r2c ends.
Problem as_r2c(Problem problem) {
  if (problem.kind != Kind::c2r) return problem;
  problem.kind = Kind::r2c;
  if (problem.output.form == Distribution::same) {
    if (problem.input.form == Distribution::boxes)
      throw Error(Error::invalid,
                  "the output of c2r cannot be distributed as boxes of its halved input",
                  "give the output's boxes too");
    return problem;
  }
  std::swap(problem.input, problem.output);
  return problem;
}

std::int64_t private_cache_bytes() {
  const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return bytes > 0 ? bytes : Machine{}.cache_bytes;
}

// Of the level-3 cache, this rank's part.
std::int64_t shared_cache_bytes(const Machine& machine, int rank) {
  const long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
  std::int64_t ranks = 0;
  for (int other = 0; other < machine.ranks; ++other)
    ranks += machine.node(other) == machine.node(rank) ? 1 : 0;
  return (bytes > 0 ? bytes : Machine{}.shared_cache_bytes) / ranks;
}

int pretended_node_size(const Options& options) {
  if (options.node_size > 0) return options.node_size;
  const char* text = std::getenv("WEFT_NODE_SIZE");
  if (text == nullptr) return 0;
  const Dims size = parse_dims(text, "WEFT_NODE_SIZE");
  if (size.size() != 1 || size[0] < 1 || size[0] > std::numeric_limits<int>::max())
    throw Error(Error::invalid, fmt::format("WEFT_NODE_SIZE is '{}'", text),
                "set it to the number of ranks a node should hold, or unset it");
  return static_cast<int>(size[0]);
}

void require_threads(int threads) {
  constexpr int most = 4096;
  if (threads < 0 || threads > most)
    throw Error(Error::invalid, fmt::format("{} threads a rank", threads),
                fmt::format("1 to {}, or 0 for as many as there are cores for", most));
}

Choices choices_for(const Options& options, const Problem& problem, const Machine& machine) {
  Choices choices;
  choices.engine = find_engine(options.engine).name;
  for (const ExchangeRow& row : exchanges())
    if (!row.applies(problem, machine)) {
      choices.exchanges.push_back({row.name, row.moves_arrays});
      if (row.for_small_messages) choices.small_exchange = row.name;
      if (row.for_large_messages) choices.large_exchange = row.name;
    }
  if (!options.exchange.empty())
    choices.exchange = find_exchange(options.exchange, problem, machine).name;
  choices.form = options.decomposition;
  choices.grid = options.grid;
  return choices;
}

}  // namespace

std::string to_string(const Options& options) {
  return fmt::format(
      "exchange '{}' engine '{}' decomposition {} grid '{}' strategy '{}' effort {} "
      "threads {} cache bytes {} node size {}",
      options.exchange, options.engine, to_string(options.decomposition), to_string(options.grid),
      options.strategy, options.effort == Effort::measure ? "measure" : "estimate", options.threads,
      options.cache_bytes, options.node_size);
}

AnyPlan::AnyPlan(MPI_Comm comm, const Problem& problem, const Options& options)
    : comm_(std::make_shared<const Communicator>(comm)), problem_(problem) {
  check_same_on_all_ranks(options);
  blueprint_ = std::make_unique<Blueprint>();
  Blueprint& blueprint = *blueprint_;
  blueprint.comm = comm_.get();
  blueprint.effort = options.effort;
  const int pretend = together(*comm_, [&] {
    problem_ = validated(problem);
    require_threads(options.threads);
    blueprint.problem = as_r2c(problem_);
    return pretended_node_size(options);
  });
  require_same(*comm_, std::to_string(pretend), "node size (WEFT_NODE_SIZE)");
  blueprint.machine = {comm_->size(), nodes_of_ranks(*comm_, pretend),
                       options.cache_bytes > 0 ? options.cache_bytes : private_cache_bytes()};
  blueprint.machine.shared_cache_bytes = shared_cache_bytes(blueprint.machine, comm_->rank());

  const int share = cores_per_rank(*comm_);
  blueprint.threads =
      options.threads > 0 ? options.threads : std::min(share, omp_get_max_threads());
  fewest_threads_ = comm_->min(std::int64_t{blueprint.threads});
  most_threads_ = comm_->max(std::int64_t{blueprint.threads});

  const std::string text = together(*comm_, [&] {
    return comm_->rank() == 0 ? planned_text(blueprint.problem, blueprint.machine, options) : "";
  });
  const std::string agreed = comm_->broadcast(text, 0);
  cost_ = comm_->max(cost_);
  together(*comm_, [&] {
    blueprint.strategy = parse_strategy(agreed);
    blueprint.route = route_of(blueprint.strategy, blueprint.problem, comm_->size());
    share_out();
    engine_ = find_engine(blueprint.strategy.engine).make();
  });
  forward_ = std::make_unique<Program>(blueprint, true, *engine_);
  backward_ = std::make_unique<Program>(blueprint, false, *engine_);
  together(*comm_, [&] {
    workspace_ = Buffer(std::max(forward_->workspace_bytes(), backward_->workspace_bytes()),
                        blueprint.threads);
  });
  tile_bytes_ = forward_->tile_bytes() + backward_->tile_bytes();
  largest_workspace_bytes_ = comm_->max(workspace_bytes());
  if (problem_.kind == Kind::c2r) std::swap(forward_, backward_);
}

void AnyPlan::check_same_on_all_ranks(const Options& options) const {
  require_same(*comm_, to_string(problem_), "problem");
  require_same(*comm_, to_string(options), "options");
}

std::string AnyPlan::planned_text(const Problem& r2c, const Machine& machine,
                                  const Options& options) {
  return with_context(
      [&] {
        return fmt::format("planning {} {} over {} rank{}", to_string(problem_.kind),
                           to_string(problem_.extents), machine.ranks,
                           machine.ranks == 1 ? "" : "s");
      },
      [&] {
        const Choices choices = choices_for(options, r2c, machine);
        if (!options.strategy.empty()) {
          const Strategy wanted = parse_strategy(options.strategy);
          find_engine(wanted.engine);
          for (std::size_t i = 0; i < wanted.stages.size(); ++i)
            if (const auto* exchange = std::get_if<ExchangeStage>(&wanted.stages[i])) {
              const bool at_an_end = i == 0 || i + 1 == wanted.stages.size();
              if (!find_exchange(exchange->exchange, r2c, machine).moves_arrays && at_an_end)
                throw Error(Error::invalid,
                            fmt::format("{} does not move arrays, but stands at an end of '{}'",
                                        exchange->exchange, options.strategy),
                            "put a `copy` before it or after it, or take alltoallw");
            }
          return to_string(wanted);
        }
        const Planned planned = plan_strategy(r2c, machine, choices);
        cost_ = planned.cost;
        return to_string(planned.strategy);
      });
}

void AnyPlan::share_out() {
  Blueprint& blueprint = *blueprint_;
  const Problem& r2c = blueprint.problem;
  const Route& route = blueprint.route;
  const int half = half_axis(r2c);
  const bool rows_are_halved = half == r2c.extents.size() - 1;
  const std::int64_t room =
      r2c.in_place && rows_are_halved && half >= 0 && route.user_input.is_whole(half)
          ? 2 * (r2c.extents[half] / 2 + 1)
          : 0;
  const int rank = comm_->rank();
  Share real{route.user_input.boxes(rank), {}, r2c.input_scalar(), r2c.extents};
  Share spectral{route.user_output.boxes(rank), {}, r2c.output_scalar(), halved(r2c.extents, half)};
  real.array = UserArray::packed(real.boxes, room);
  spectral.array = UserArray::packed(spectral.boxes);
  for (Share* share : {&real, &spectral}) share->elements = share->array.field_stride * r2c.batch;
  blueprint.real_array = real.array;
  blueprint.spectral_array = spectral.array;
  if (r2c.in_place) {
    // Either side must hold the other.
    const std::int64_t bytes =
        std::max(real.elements * real.scalar.bytes(), spectral.elements * spectral.scalar.bytes());
    for (Share* share : {&real, &spectral})
      share->elements = (bytes + share->scalar.bytes() - 1) / share->scalar.bytes();
  }
  input_ = problem_.kind == Kind::c2r ? spectral : real;
  output_ = problem_.kind == Kind::c2r ? real : spectral;
}

void AnyPlan::run(Program& program, const void* from, void* to) {
  const bool has_data = input_.elements > 0 || output_.elements > 0;
  if (has_data && (from == to) != problem_.in_place)
    throw Error(Error::invalid,
                problem_.in_place
                    ? "the plan is in place, but was given two arrays"
                    : "input and output are the same array, but the plan is not in place",
                "set Problem::in_place for what the plan is to do");
  if (is_broken_)
    throw Error(Error::system, "an earlier run of this plan failed on the way",
                "make a new plan: messages of the failed run may still be under way");
  is_broken_ = true;
  program.run(from, to, workspace_.data());
  is_broken_ = false;
}

std::vector<AnyPlan::StageTime> AnyPlan::stages(const Program& program) {
  std::vector<StageTime> stages;
  const auto& spans = program.trace().spans();
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const auto& step = program.steps()[i];
    stages.push_back({step.name, spans[i].start, spans[i].seconds, step.bytes, step.messages,
                      step.message_bytes});
  }
  return stages;
}

std::string AnyPlan::describe() const {
  return describe_plan(
      {problem_, *blueprint_, largest_workspace_bytes_, fewest_threads_, most_threads_, cost_});
}

}  // namespace weft
