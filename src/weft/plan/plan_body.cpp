// plan/plan_body: making a plan, together on all ranks.

#include "weft/plan/plan_body.hpp"

#include <algorithm>

#include "weft/comm/agreement.hpp"
#include "weft/plan/chosen_strategy.hpp"
#include "weft/plan/common_engine.hpp"
#include "weft/plan/describe.hpp"
#include "weft/plan/gathered.hpp"
#include "weft/plan/machine_here.hpp"
#include "weft/program/proof.hpp"

namespace weft {

Planned estimated_plan(const Problem& problem, const std::vector<int>& node_of_rank,
                       const Options& options) {
  const Machine machine = machine_like_this(node_of_rank, options);
  const Problem r2c = as_r2c(validated(problem));
  return plan_strategy(r2c, machine, choices_for(options, r2c, machine));
}

PlanBody::PlanBody(MPI_Comm comm, const Problem& problem, const Options& options)
    : comm_(std::make_shared<const Communicator>(comm)), problem_(problem) {
  check_same_on_all_ranks(options);
  problem_ = gathered(*comm_, problem_);
  Problem r2c;
  agree(*comm_, [&] {
    problem_ = validated(problem_);
    check(options);
    r2c = as_r2c(problem_);
  });
  const Machine machine = machine_here(*comm_, options);
  Options with_engine = options;
  with_engine.engine = common_engine(*comm_, options.engine);
  const auto [fewest, most] = std::ranges::minmax(machine.threads_of_rank);
  fewest_threads_ = fewest;
  most_threads_ = most;

  const std::string text = agree(
      *comm_, [&] { return comm_->rank() == 0 ? planned_text(r2c, machine, with_engine) : ""; });
  const std::string agreed = comm_->broadcast(text, 0);
  cost_ = comm_->max(cost_);
  if (options.placement.is_given())
    require_same(*comm_,
                 agree(*comm_,
                       [&] {
                         return asked_placement(options.placement, parse_strategy(agreed), r2c,
                                                comm_->size());
                       }),
                 "placement");
  agree(*comm_, [&] {
    Blueprint blueprint = Blueprint::of(r2c, parse_strategy(agreed), machine);
    blueprint.largest_tag = comm_->largest_tag();
    blueprint_ = std::make_shared<const Blueprint>(std::move(blueprint));
    share_out();
    engine_ = find_engine(blueprint_->strategy.engine).make();
    check_ends(*blueprint_);
#ifndef NDEBUG
    // Debug builds prove every plan free of races and deadlocks; one rank does it for all.
    if (comm_->rank() == 0) prove(*blueprint_);
#endif
  });
  make_slots(options);
}

void PlanBody::make_slots(const Options& options) {
  const Machine& machine = blueprint_->machine;
  shares_memory_ = blueprint_->shares_memory();
  node_ranks_ = static_cast<int>(machine.ranks_of(machine.node(comm_->rank())).size());
  ExecutionSlot::Spec spec;
  spec.blueprint = blueprint_;
  spec.effort = options.reproducible ? Effort::estimate : options.effort;
  spec.threads = threads();
  spec.is_c2r = problem_.kind == Kind::c2r;
  spec.input_bytes = input_.elements * input_.scalar.bytes();
  spec.output_bytes = output_.elements * output_.scalar.bytes();
  spec.progress = options.progress;
  for (int i = 0; i < options.in_flight; ++i)
    slots_.add(std::make_shared<ExecutionSlot>(*comm_, spec, engine_));
  last_forward_ = last_backward_ = slots_.all().front().get();
  largest_workspace_bytes_ = comm_->max(workspace_bytes());
}

std::int64_t PlanBody::workspace_bytes() const {
  std::int64_t bytes = 0;
  for (const auto& slot : slots_.all()) bytes += slot->workspace_bytes();
  return bytes;
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
        const Planned planned = chosen_strategy(r2c, machine, options);
        cost_ = planned.cost;
        return to_string(planned.strategy);
      });
}

void PlanBody::share_out() {
  const Problem& r2c = blueprint_->problem;
  const Route& route = blueprint_->route;
  const int rank = comm_->rank();
  Share real{route.user_input.boxes(rank), {}, r2c.input_scalar(), r2c.extents};
  Share spectral{
      route.user_output.boxes(rank), {}, r2c.output_scalar(), halved(r2c.extents, half_axis(r2c))};
  real.array = blueprint_->real_array(rank);
  spectral.array = blueprint_->spectral_array(rank);
  for (Share* share : {&real, &spectral}) {
    share->elements = share->array.field_stride * r2c.batch;
    share->fields = r2c.batch;
  }
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

std::vector<StageReport> PlanBody::stages(const Execution& execution) {
  std::vector<StageReport> stages;
  const Program& program = execution.program();
  const auto& spans = execution.trace().spans();
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const Step& step = program.steps[i];
    const int segments =
        step.exchange < 0 ? 0 : program.exchanges[static_cast<std::size_t>(step.exchange)].segments;
    stages.push_back({{step.name, step.exchange >= 0, spans[i].start, spans[i].seconds, step.bytes,
                       step.messages, step.message_bytes, segments,
                       std::max(0.0, spans[i].active_to - spans[i].active_from)},
                      {}});
  }
  for (const Trace::Item& item : execution.trace().items())
    stages[item.step].items.push_back({execution.feeds(item), item.start, item.seconds});
  return stages;
}

std::string PlanBody::describe() const {
  return describe_plan({problem_, *blueprint_, largest_workspace_bytes_, fewest_threads_,
                        most_threads_, cost_, slots_.all().front()->shares_input(),
                        slots_.all().front()->shares_output(),
                        find_engine(blueprint_->strategy.engine).caveat()});
}

}  // namespace weft
