// plan/plan_body: making a plan, together on all ranks.

#include "weft/plan/plan_body.hpp"

#include <algorithm>

#include "weft/base/trace.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/plan/chosen_strategy.hpp"
#include "weft/plan/describe.hpp"
#include "weft/plan/machine_here.hpp"
#include "weft/program/proof.hpp"
#include "weft/run/scheduler.hpp"

namespace weft {

Planned estimated_plan(const Problem& problem, const std::vector<int>& node_of_rank,
                       const Options& options) {
  const Machine machine = machine_like_this(node_of_rank, options);
  const Problem r2c = as_r2c(validated(problem));
  return plan_strategy(r2c, machine, choices_for(options, r2c, machine));
}

PlanBody::PlanBody(const Problem& problem)
    : comm_(std::make_shared<Communicator>(Communicator::none())), problem_(problem) {}

// The communicator comes first, as it is what the ranks agree on failures with.
std::unique_ptr<PlanBody> PlanBody::make(MPI_Comm user, const Problem& problem,
                                         const Options& options) {
  Communicator comm(user);
  auto body = agree(comm, [&] { return std::unique_ptr<PlanBody>(new PlanBody(problem)); });
  *body->comm_ = std::move(comm);
  body->plan(options);
  return body;
}

// Collective.
void PlanBody::plan(const Options& options) {
  require_same(
      *comm_, [&] { return to_string(problem_); }, "problem");
  require_same(
      *comm_, [&] { return to_string(options); }, "options");
  Problem r2c;
  agree(*comm_, [&] {
    problem_ = validated(problem_);
    check(options);
    r2c = as_r2c(problem_);
  });
  const Machine machine = machine_here(*comm_, options);
  const auto [fewest, most] = std::ranges::minmax(machine.threads_of_rank);
  fewest_threads_ = fewest;
  most_threads_ = most;

  const std::string agreed = agreed_strategy(r2c, machine, options);
  number_ = comm_->max(static_cast<std::int64_t>(now() * 1e9));
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
    make_slots(options);
  });
  for (const auto& slot : slots_.all()) slot->bind(*comm_);
  last_forward_ = last_backward_ = slots_.all().front().get();
  largest_workspace_bytes_ = comm_->max(workspace_bytes());
  slots_.let_run();
}

// Rank 0 plans for all. Collective.
std::string PlanBody::agreed_strategy(const Problem& r2c, const Machine& machine,
                                      const Options& options) {
  const std::string text =
      agree(*comm_, [&] { return comm_->rank() == 0 ? planned_text(r2c, machine, options) : ""; });
  std::string agreed = comm_->broadcast(text, 0);
  cost_ = comm_->max(cost_);
  if (options.placement.is_given())
    require_same(
        *comm_,
        [&] {
          return asked_placement(options.placement, parse_strategy(agreed), r2c, comm_->size());
        },
        "placement");
  return agreed;
}

// Not collective.
void PlanBody::make_slots(const Options& options) {
  const Machine& machine = blueprint_->machine;
  shares_memory_ = blueprint_->shares_memory();
  node_ranks_ = static_cast<int>(machine.ranks_of(machine.node(comm_->rank())).size());
  ExecutionSlot::Spec spec;
  spec.blueprint = blueprint_;
  spec.effort = options.effort;
  spec.threads = threads();
  spec.is_c2r = problem_.kind == Kind::c2r;
  spec.input_bytes = input_.elements * input_.scalar.bytes();
  spec.output_bytes = output_.elements * output_.scalar.bytes();
  spec.progress = options.progress;
  Scheduler::of_process().prepare_for(options.progress);
  const auto notice = std::make_shared<FailureNotice>(comm_, number_);
  for (int i = 0; i < options.in_flight; ++i)
    slots_.add(std::make_shared<ExecutionSlot>(spec, engine_, notice));
}

std::int64_t PlanBody::workspace_bytes() const {
  std::int64_t bytes = 0;
  for (const auto& slot : slots_.all()) bytes += slot->workspace_bytes();
  return bytes;
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

void PlanBody::check_sizes(std::int64_t input_elements, std::int64_t output_elements) const {
  if (input_elements == input_.elements && output_elements == output_.elements) return;
  throw Error(Error::invalid,
              fmt::format("fields of {} and {} elements, where the plan takes {} and makes {}",
                          input_elements, output_elements, input_.elements, output_.elements),
              "use the fields that this plan's make_input and make_output make");
}

std::string PlanBody::describe() const {
  return describe_plan({problem_, *blueprint_, largest_workspace_bytes_, fewest_threads_,
                        most_threads_, cost_, slots_.all().front()->shares_input(),
                        slots_.all().front()->shares_output()});
}

}  // namespace weft
