// plan/plan_body: making a plan, together on all ranks.

#include "weft/plan/plan_body.hpp"

#include <omp.h>

#include <algorithm>

#include "weft/comm/agreement.hpp"
#include "weft/comm/cores.hpp"
#include "weft/comm/nodes.hpp"
#include "weft/memory/caches.hpp"
#include "weft/model/chunks.hpp"
#include "weft/model/traffic.hpp"
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
  return caches().level_2 > 0 ? caches().level_2 : Machine{}.cache_bytes;
}

// Of the level-3 caches, this rank's part.
std::int64_t shared_cache_bytes(const Machine& machine, int rank) {
  const std::int64_t bytes = caches().level_3;
  const auto ranks = static_cast<std::int64_t>(machine.ranks_of(machine.node(rank)).size());
  return (bytes > 0 ? bytes : Machine{}.shared_cache_bytes) / ranks;
}

std::vector<std::string> cuttable_exchanges() {
  std::vector<std::string> names;
  for (const ExchangeRow& row : exchanges())
    if (row.cuts) names.push_back(row.name);
  return names;
}

}  // namespace

Planned estimated_plan(const Problem& problem, const std::vector<int>& node_of_rank,
                       const Options& options) {
  Machine machine{static_cast<int>(node_of_rank.size()), node_of_rank,
                  options.cache_bytes > 0 ? options.cache_bytes : private_cache_bytes()};
  machine.shared_cache_bytes = shared_cache_bytes(machine, 0);
  const Problem r2c = as_r2c(validated(problem));
  return plan_strategy(r2c, machine, choices_for(options, r2c, machine));
}

PlanBody::PlanBody(MPI_Comm comm, const Problem& problem, const Options& options)
    : comm_(std::make_shared<const Communicator>(comm)), problem_(problem) {
  check_same_on_all_ranks(options);
  blueprint_ = std::make_unique<Blueprint>();
  Blueprint& blueprint = *blueprint_;
  blueprint.comm = comm_.get();
  blueprint.effort = options.effort;
  together(*comm_, [&] {
    problem_ = validated(problem);
    check(options);
    blueprint.problem = as_r2c(problem_);
  });
  const std::vector<int> pretend = agreed_node_sizes(*comm_, options.node_sizes);
  blueprint.machine = {comm_->size(), nodes_of_ranks(*comm_, pretend),
                       options.cache_bytes > 0 ? options.cache_bytes : private_cache_bytes()};
  blueprint.machine.shared_cache_bytes = shared_cache_bytes(blueprint.machine, comm_->rank());

  const int cores = cores_per_rank(*comm_);
  blueprint.threads =
      options.threads > 0 ? options.threads : std::min(cores, omp_get_max_threads());
  fewest_threads_ = comm_->min(std::int64_t{blueprint.threads});
  most_threads_ = comm_->max(std::int64_t{blueprint.threads});

  const std::string text = together(*comm_, [&] {
    return comm_->rank() == 0 ? planned_text(blueprint.problem, blueprint.machine, options) : "";
  });
  const std::string agreed = comm_->broadcast(text, 0);
  cost_ = comm_->max(cost_);
  if (options.placement.is_given())
    require_same(*comm_,
                 together(*comm_,
                          [&] {
                            return asked_placement(options.placement, parse_strategy(agreed),
                                                   blueprint.problem, comm_->size());
                          }),
                 "placement");
  together(*comm_, [&] {
    blueprint.strategy = parse_strategy(agreed);
    blueprint.route = route_of(blueprint.strategy, blueprint.problem, comm_->size());
    blueprint.cuttings = cuttings_of(blueprint.strategy, blueprint.route);
    share_out();
    engine_ = find_engine(blueprint.strategy.engine).make();
    check_ends();
  });
  make_flights(options);
}

void PlanBody::make_flights(const Options& options) {
  Blueprint& blueprint = *blueprint_;
  shares_memory_ = shares_memory();
  node_ranks_ =
      static_cast<int>(blueprint.machine.ranks_of(blueprint.machine.node(comm_->rank())).size());
  Flight::Spec spec{blueprint,
                    problem_.kind == Kind::c2r,
                    shares_memory_,
                    input_.elements * input_.scalar.bytes(),
                    output_.elements * output_.scalar.bytes(),
                    options.progress};
  for (int i = 0; i < options.in_flight; ++i)
    flights_.add(std::make_shared<Flight>(*comm_, spec, engine_));
  last_forward_ = last_backward_ = flights_.all().front().get();
  largest_workspace_bytes_ = comm_->max(workspace_bytes());
}

std::int64_t PlanBody::workspace_bytes() const {
  std::int64_t bytes = 0;
  for (const auto& flight : flights_.all()) bytes += flight->workspace_bytes();
  return bytes;
}

bool PlanBody::shares_memory() const {
  const Blueprint& blueprint = *blueprint_;
  return std::any_of(
      blueprint.strategy.stages.begin(), blueprint.strategy.stages.end(), [&](const Stage& stage) {
        const auto* exchange = std::get_if<ExchangeStage>(&stage);
        return exchange != nullptr &&
               find_exchange(exchange->exchange, blueprint.problem, blueprint.machine)
                   .shares_memory;
      });
}

// At its ends a strategy touches users' arrays: not every exchange can.
void PlanBody::check_ends() const {
  const Blueprint& blueprint = *blueprint_;
  const auto& stages = blueprint.strategy.stages;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const auto* stage = std::get_if<ExchangeStage>(&stages[i]);
    if (stage == nullptr || (i > 0 && i + 1 < stages.size())) continue;
    const ExchangeRow& row = find_exchange(stage->exchange, blueprint.problem, blueprint.machine);
    if (row.moves_arrays) continue;
    const bool stays =
        busiest_traffic(blueprint.route.before[i], blueprint.route.after[i], blueprint.machine)
            .far_points == 0;
    if (row.shares_memory && stays && stages.size() > 1) continue;
    throw Error(Error::invalid,
                fmt::format("{} does not move arrays{}, but stands at an end of '{}'",
                            stage->exchange, row.shares_memory && !stays ? " between nodes" : "",
                            to_string(blueprint.strategy)),
                "put a `copy` before it or after it, or take alltoallw");
  }
}

void PlanBody::check_same_on_all_ranks(const Options& options) const {
  require_same(*comm_, to_string(problem_), "problem");
  require_same(*comm_, to_string(options), "options");
}

std::string PlanBody::planned_text(const Problem& r2c, const Machine& machine,
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
          return to_string(wanted);
        }
        const Planned planned = plan_strategy(r2c, machine, choices);
        cost_ = planned.cost;
        ChunkRule rule;
        rule.chunks = options.chunks;
        return to_string(chunked(planned.strategy, r2c, machine, cuttable_exchanges(), rule));
      });
}

void PlanBody::share_out() {
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
  blueprint.real_row_room = room;
  Share real{route.user_input.boxes(rank), {}, r2c.input_scalar(), r2c.extents};
  Share spectral{route.user_output.boxes(rank), {}, r2c.output_scalar(), halved(r2c.extents, half)};
  real.array = UserArray::packed(real.boxes, room);
  spectral.array = UserArray::packed(spectral.boxes);
  for (Share* share : {&real, &spectral}) share->elements = share->array.field_stride * r2c.batch;
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

std::vector<StageReport> PlanBody::stages(const Program& program) {
  std::vector<StageReport> stages;
  const auto& spans = program.trace().spans();
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const auto& step = program.steps()[i];
    stages.push_back({{step.name, step.is_exchange, spans[i].start, spans[i].seconds, step.bytes,
                       step.messages, step.message_bytes, step.segments,
                       std::max(0.0, spans[i].active_to - spans[i].active_from)},
                      {}});
  }
  for (const Trace::Item& item : program.trace().items())
    stages[item.step].items.push_back({program.feeds(item), item.start, item.seconds});
  return stages;
}

void PlanBody::check_sizes(std::int64_t input_elements, std::int64_t output_elements) const {
  if (input_elements == input_.elements && output_elements == output_.elements) return;
  throw Error(Error::invalid,
              fmt::format("fields of {} and {} elements, where the plan takes {} and makes {}",
                          input_elements, output_elements, input_.elements, output_.elements),
              "use the fields that this plan's make_input and make_output make");
}

std::string PlanBody::describe() const {
  return describe_plan({problem_, *blueprint_, largest_workspace_bytes_, fewest_threads_,
                        most_threads_, cost_, flights_.all().front()->shares_input(),
                        flights_.all().front()->shares_output()});
}

}  // namespace weft
