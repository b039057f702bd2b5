// plan/plan_body: making a plan, together on all ranks.

#include "weft/plan/plan_body.hpp"

#include <algorithm>
#include <array>

#include "weft/base/checked.hpp"
#include "weft/base/log.hpp"
#include "weft/base/simulation.hpp"
#include "weft/base/trace.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/making/maker.hpp"
#include "weft/plan/chosen_strategy.hpp"
#include "weft/plan/common_engine.hpp"
#include "weft/plan/describe.hpp"
#include "weft/plan/gathered.hpp"
#include "weft/plan/machine_here.hpp"
#include "weft/plan/memory_need.hpp"
#include "weft/plan/pass_trials.hpp"
#include "weft/plan/ranking.hpp"
#include "weft/plan/rehearsal.hpp"
#include "weft/plan/speeds.hpp"
#include "weft/program/size.hpp"
#include "weft/proof/proof.hpp"
#include "weft/run/scheduler.hpp"

namespace weft {

PlanBody::PlanBody(std::shared_ptr<const Communicator> comm, const Problem& problem)
    : comm_(std::move(comm)), problem_(problem) {}

std::unique_ptr<PlanBody> PlanBody::make(std::shared_ptr<const Communicator> comm,
                                         const Problem& problem, const Options& options,
                                         const Recall& recall) {
  auto body = make_unreported(std::move(comm), problem, options, recall);
  body->report();
  return body;
}

// The communicator comes first, as it is what the ranks agree on failures with.
std::unique_ptr<PlanBody> PlanBody::make_unreported(std::shared_ptr<const Communicator> comm,
                                                    const Problem& problem, const Options& options,
                                                    const Recall& recall) {
  comm->require_usable();
  std::unique_ptr<PlanBody> body;
  const auto text = [&] {
    body.reset(new PlanBody(comm, problem));
    return to_string(problem);
  };
  require_same(*comm, text, "problem");
  body->plan(options, recall);
  return body;
}

namespace {

// The arrays of a rank that users have laid out.
void require_apart_here(const Problem& problem, int rank) {
  const auto mine = static_cast<std::size_t>(rank);
  for (const Distribution* side : {&problem.input, &problem.output})
    if (side->has_arrays() && !side->is_of_parts() && mine < side->arrays_of_rank().size())
      require_apart(side->boxes_of_rank()[mine], side->arrays_of_rank()[mine], problem.batch);
}

}  // namespace

// All ranks have the same problem. Collective.
void PlanBody::plan(const Options& options, const Recall& recall) {
  Problem asked;
  const auto text = [&] {
    asked = problem_;
    options_ = options;
    return to_string(options);
  };
  require_same(*comm_, text, "options");
  gather_boxes(*comm_, problem_);
  Problem r2c;
  agree(*comm_, [&] {
    problem_ = validated(problem_);
    check(options, *comm_);
    require_apart_here(problem_, comm_->rank());
    log_level();  // WEFT_LOG may hold another word
    r2c = as_r2c(problem_);
  });
  with_context([&] { return purpose(); }, [&] { require_room(*comm_, problem_); });
  const Machine machine = find_machine(r2c, options, recall);
  options_.engine = common_engine(*comm_, options.engine);

  if (r2c.cutoff.is_given()) {
    const auto owners = [&] {
      r2c = with_placed_columns(r2c, machine, options);
      return fmt::format("{}", fmt::join(r2c.cutoff.owners(), ","));
    };
    require_same(*comm_, owners, "placement of the cut-off");
  }
  const std::string agreed = agreed_strategy(r2c, machine, options_);
  const auto [number] = agree_on_largest(*comm_, [&] {
    Blueprint blueprint = Blueprint::of(r2c, parse_strategy(agreed), machine);
    blueprint.largest_tag = comm_->largest_tag() - FailureNotice::tags;
    blueprint.arrays = options.arrays;
    blueprint_ = std::make_shared<const Blueprint>(std::move(blueprint));
    share_out();
    return std::array{static_cast<std::int64_t>(now() * 1e9)};
  });
  number_ = number;
  // Before anything is made whose size depends on that of the field.
  planned_ = arrays_of(input_, output_, r2c.in_place || blueprint_->moves_parts());
  require_planned_memory();
  agree(*comm_, [&] {
    engines_ = std::make_shared<EngineSet>(blueprint_->strategy.engine);
    check_blocking(options, blueprint_->strategy);
    check_blueprint();
  });
  measure_choices(asked, options);
  auto spec = agree(*comm_, [&] { return slot_spec(options); });
  plan_memory(spec, options.in_flight);
  most_planned_ = use_of(agree_on_largest(*comm_, [&] {
    make_slots(std::move(spec), options.in_flight);
    return numbers_of(planned_);
  }));
  for (const auto& slot : slots_.all()) slot->bind(*comm_);
  last_forward_ = last_backward_ = slots_.all().front().get();
  largest_workspace_bytes_ = comm_->max(workspace_bytes());
  slots_.let_run();
}

// The machine here, with the threads, caches and sizes of messages that are remembered, or with
// measured caches; decides on the progress as well. Collective.
Machine PlanBody::find_machine(const Problem& r2c, const Options& options, const Recall& recall) {
  CoreShare share;
  Machine machine = machine_here(*comm_, options, &share);
  takes_turns_ = share.takes_turns;
  if (recall) remembered_ = recall(*comm_, problem_, machine, options);
  if (!remembered_) {
    confirm_caches(*comm_, options, share, machine);
    if (machine.nodes() > 1 || is_worth_trials(r2c, comm_->size()))
      machine.speeds = measured_speeds(*comm_, machine, options);
  }
  if (remembered_) {
    if (remembered_->threads > 0 && options.threads == 0)
      machine.threads_of_rank.assign(machine.threads_of_rank.size(), remembered_->threads);
    machine.cache_bytes = remembered_->cache_bytes;
    machine.shared_cache_bytes = remembered_->shared_cache_bytes;
    if (remembered_->segment_bytes > 0 && options.segment_bytes == 0)
      machine.segment_bytes = remembered_->segment_bytes;
    if (remembered_->eager_message_bytes > 0 && options.pretend.eager_message_bytes == 0)
      machine.eager_message_bytes = remembered_->eager_message_bytes;
    if (remembered_->progress != Progress::automatic) progress_ = remembered_->progress;
  }
  if (options.progress != Progress::automatic) progress_ = options.progress;
  const auto [fewest, most] = std::ranges::minmax(machine.threads_of_rank);
  fewest_threads_ = fewest;
  most_threads_ = most;
  return machine;
}

// Finds out how this machine executes the strategy fastest, unless nothing may be measured or a
// strategy was demanded. `asked` is the problem as it was before it was planned. Collective.
void PlanBody::measure_choices(const Problem& asked, const Options& options) {
  // That trials may take; said in the documentation of Effort.
  constexpr double seconds = 0.3, seconds_of_walks = 0.06, seconds_of_stores = 0.12;
  if (blueprint_->moves_parts()) return;  // nothing is transformed
  if (is_simulated || options.effort == Effort::estimate || options.reproducible || remembered_ ||
      !options.strategy.empty() || !is_worth_trials(blueprint_->problem, comm_->size()))
    return;
  // Ranks that take turns on the cores find in the caches what others have left.
  const bool rehearses = comm_->max(std::int64_t{takes_turns_}) == 0;
  const Rehearsal rehearsal(comm_, asked, options, comm_->max(planned_.input + planned_.output));
  const bool tells_walks = rehearses && rehearsal.tells_walks(blueprint_->machine),
             tells_stores = rehearses && rehearsal.tells_stores(blueprint_->machine);
  bool tried_walks = false;
  if (tells_walks) {
    MeasuredStrategy measured = rehearsal.of_walks(*blueprint_, seconds_of_walks);
    tried_walks = !measured.tried.empty();
    take(std::move(measured),
         "walks, tried by runs of the whole plan, there and back, the slowest rank:");
  }
  MeasuredChoices choices = measured_choices(
      *comm_, *blueprint_, options.engine,
      seconds - (tried_walks ? seconds_of_walks : 0) - (tells_stores ? seconds_of_stores : 0));
  take(std::move(choices.measured),
       "tried on samples of the passes, there and back, the slowest rank:");
  if (tells_stores)
    take(rehearsal.of_stores(*blueprint_, choices.by_rule, seconds_of_stores),
         "stores, tried by runs of the whole plan, there and back, the slowest rank:");
}

// Debug builds prove every plan free of races and deadlocks; one rank does it for all.
void PlanBody::check_blueprint() const {
  check_ends(*blueprint_);
#ifndef NDEBUG
  if (comm_->rank() == 0) prove(*blueprint_);
#endif
}

// Collective.
void PlanBody::take(MeasuredStrategy measured, const char* how) {
  agree(*comm_, [&] {
    Blueprint with_choices =
        Blueprint::of(blueprint_->problem, measured.strategy, blueprint_->machine);
    with_choices.largest_tag = blueprint_->largest_tag;
    with_choices.arrays = blueprint_->arrays;
    blueprint_ = std::make_shared<const Blueprint>(std::move(with_choices));
    check_blueprint();
    if (!measured.tried.empty()) tried_ += fmt::format("{}\n{}", how, measured.tried);
  });
}

void PlanBody::report() const {
  agree(*comm_, [&] {
    if (comm_->rank() == 0) log_plan();
  });
}

void PlanBody::log_plan() const {
  const Machine& machine = blueprint_->machine;
  log_line(LogLevel::info, [&] {
    return fmt::format("planned {} {} over {} rank{}: {}", kind_text(problem_),
                       to_string(problem_.extents), machine.ranks, machine.ranks == 1 ? "" : "s",
                       to_string(strategy()));
  });
  if (!machine.why_not_shared.empty())
    log_line(LogLevel::info, [&] { return not_shared_text(machine); });
  log_line(LogLevel::debug, [&] { return describe(); });
}

// Rank 0 plans for all. Collective.
std::string PlanBody::agreed_strategy(const Problem& r2c, const Machine& machine,
                                      const Options& options) {
  std::string agreed = agree_on_text(*comm_, 0, [&]() -> std::string {
    return remembered_ ? remembered_->strategy : planned_text(r2c, machine, options);
  });
  if (options.placement.is_given())
    require_same(
        *comm_,
        [&] {
          return asked_placement(options.placement, parse_strategy(agreed), r2c, comm_->size());
        },
        "placement");
  return agreed;
}

// What all slots of this rank run. Not collective.
ExecutionSlot::Spec PlanBody::slot_spec(const Options& options) {
  const Machine& machine = blueprint_->machine;
  shares_memory_ = blueprint_->shares_memory();
  node_ranks_ = static_cast<int>(machine.ranks_of(machine.node(comm_->rank())).size());
  ExecutionSlot::Spec spec;
  spec.blueprint = blueprint_;
  spec.effort = options.reproducible ? Effort::estimate : options.effort;
  spec.threads = threads();
  spec.is_c2r = problem_.kind == Kind::c2r;
  spec.input_bytes = array_bytes(input_);
  spec.output_bytes = array_bytes(output_);
  spec.input_points = ArrayPoints(input_);
  spec.output_points = ArrayPoints(output_);
  spec.progress = progress_;
  spec.shares_memory = shares_memory_;
  spec.huge_pages = options.huge_pages;
  for (const bool forward : {true, false})
    spec.programs[forward ? 0 : 1] = make_program(*blueprint_, forward, comm_->rank());
  return spec;
}

// Not collective.
void PlanBody::make_slots(ExecutionSlot::Spec spec, int in_flight) {
  spec.scheduler = comm_->is_alone() ? Scheduler::alone() : Scheduler::of_process();
  spec.scheduler->prepare_for(spec.progress);
  const auto notice = std::make_shared<FailureNotice>(number_);
  for (int i = 0; i < in_flight; ++i)
    slots_.add(std::make_shared<ExecutionSlot>(spec, engines_, notice));
}

// For arrays with strides of the user's own, only the memory of their points is required: both
// sides may be views of one array. Collective.
void PlanBody::require_planned_memory() const {
  MemoryUse required = planned_;
  if (problem_.input.has_arrays()) required.input = std::min(required.input, stored_bytes(input_));
  if (problem_.output.has_arrays() && !problem_.in_place)
    required.output = std::min(required.output, stored_bytes(output_));
  with_context([&] { return purpose(); }, [&] { require_memory(*comm_, required); });
}

// What the programs will need, and whether there is so much. Collective.
void PlanBody::plan_memory(const ExecutionSlot::Spec& spec, int in_flight) {
  const auto& [forward, backward] = spec.programs;
  planned_.buffers = in_flight * std::max(forward.workspace_bytes, backward.workspace_bytes);
  planned_.tiles = bounded_product(std::int64_t{in_flight} * spec.threads,
                                   tile_bytes(forward) + tile_bytes(backward));
  planned_.programs = in_flight * (bound_bytes(forward) + bound_bytes(backward));
  // Stand-ins are not required: arrays of allocate() need none.
  require_planned_memory();
  if (node_ranks_ > 1) {
    // c2r runs the programs of r2c the other way round.
    const bool real = forward.shares_source || backward.shares_target;
    const bool spectral = forward.shares_target || backward.shares_source;
    const bool input = spec.is_c2r ? spectral : real, output = spec.is_c2r ? real : spectral;
    planned_.stand_ins =
        in_flight * ((input || (problem_.in_place && output) ? planned_.input : 0) +
                     (output && !problem_.in_place ? planned_.output : 0));
  }
}

PlanMemory PlanBody::memory() const {
  PlanMemory memory;
  memory.planned = planned_;
  for (const auto& slot : slots_.all()) {
    const MemoryUse use = slot->memory();
    memory.held.buffers += use.buffers;
    memory.held.stand_ins += use.stand_ins;
    memory.held.tiles += use.tiles;
    memory.held.programs += use.programs;
  }
  return memory;
}

std::int64_t PlanBody::workspace_bytes() const {
  const MemoryUse held = memory().held;
  return held.buffers + held.stand_ins + held.tiles;
}

std::string PlanBody::planned_text(const Problem& r2c, const Machine& machine,
                                   const Options& options) {
  return with_context(
      [&] { return purpose(); },
      [&] { return to_string(fastest_strategy(r2c, CostPredictor::here(machine), options)); });
}

std::string PlanBody::purpose() const {
  return fmt::format("planning {} {} over {} rank{}", kind_text(problem_),
                     to_string(problem_.extents), comm_->size(), comm_->size() == 1 ? "" : "s");
}

std::int64_t PlanBody::array_bytes(const Share& share) const {
  const auto bytes = [](const Share& side) { return side.array.elements * side.scalar.bytes(); };
  return problem_.in_place ? std::max(bytes(input_), bytes(output_)) : bytes(share);
}

void PlanBody::share_out() {
  const Problem& r2c = blueprint_->problem;
  const Route& route = blueprint_->route;
  const int rank = comm_->rank();
  Share real{route.user_input.boxes(rank), {}, r2c.input_scalar(), real_extents(r2c), 0, 1, {}};
  Share spectral{
      route.user_output.boxes(rank), {}, r2c.output_scalar(), spectral_extents(r2c), 0, 1, {}};
  real.array = blueprint_->real_array(rank);
  spectral.array = blueprint_->spectral_array(rank);
  for (Share* share : {&real, &spectral}) {
    share->elements = share->array.elements;
    share->fields = r2c.batch;
  }
  if (const Columns* columns = blueprint_->columns.get()) {
    const std::int64_t waves = columns->count(rank);
    spectral.boxes.clear();
    spectral.array = {{}, {}, waves, waves * r2c.batch};
    spectral.elements = spectral.array.elements;
    spectral.waves = columns->waves(rank);
    spectral.extents = halved(r2c.extents, half_axis(r2c));
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

// With the lock, as a thread that makes progress may be writing to them.
RunReport PlanBody::runs(bool is_forward) const {
  RunReport report;
  slots_.all().front()->scheduler().with_lock([&] {
    report.runs = is_forward ? forward_runs_ : backward_runs_;
    report.stages = stages(is_forward ? last_forward_->forward() : last_backward_->backward());
  });
  return report;
}

std::vector<StageReport> PlanBody::stages(const Execution& execution) {
  std::vector<StageReport> stages;
  const Program& program = execution.program();
  const auto& spans = execution.trace().spans();
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const Step& step = program.steps[i];
    const int segments =
        step.exchange < 0 ? 0 : program.exchanges[static_cast<std::size_t>(step.exchange)].segments;
    stages.push_back(
        {step.name,
         step.exchange >= 0,
         spans[i].start,
         spans[i].seconds,
         step.bytes,
         step.messages,
         step.message_bytes,
         segments,
         std::max(0.0, spans[i].active_to - spans[i].active_from),
         step.sweep < 0 ? 0 : program.sweeps[static_cast<std::size_t>(step.sweep)].passes.size(),
         {}});
  }
  for (const Trace::Item& item : execution.trace().items())
    stages[item.step].items.push_back({execution.feeds(item), item.start, item.seconds});
  return stages;
}

std::string PlanBody::describe() const {
  return describe_plan({problem_, *blueprint_, largest_workspace_bytes_, most_planned_,
                        fewest_threads_, most_threads_, slots_.all().front()->shares_input(),
                        slots_.all().front()->shares_output(),
                        find_engine(blueprint_->strategy.engine).caveat(),
                        remembered_ ? remembered_->note + "\n" : tried_, options_, progress_});
}

}  // namespace weft
