// plan/plan_builder: makes plans, together on all ranks.
// Keeps: agreement - all ranks come to the same strategy, and an error on one is an error on all.

#include <algorithm>
#include <array>
#include <utility>

#include "weft/base/checked.hpp"
#include "weft/base/log.hpp"
#include "weft/base/simulation.hpp"
#include "weft/base/trace.hpp"
#include "weft/choose/chosen_strategy.hpp"
#include "weft/choose/common_engine.hpp"
#include "weft/choose/device_library.hpp"
#include "weft/choose/pass_trials.hpp"
#include "weft/choose/raced_choices.hpp"
#include "weft/choose/ranking.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/making/maker.hpp"
#include "weft/plan/fastest_engine.hpp"
#include "weft/plan/gathered.hpp"
#include "weft/plan/machine_here.hpp"
#include "weft/plan/memory_need.hpp"
#include "weft/plan/plan_body.hpp"
#include "weft/plan/raced_plans.hpp"
#include "weft/plan/shares.hpp"
#include "weft/plan/speeds.hpp"
#include "weft/problem/problem_text.hpp"
#include "weft/program/size.hpp"
#include "weft/proof/proof.hpp"
#include "weft/run/scheduler.hpp"

namespace weft {

namespace {

// The arrays of a rank that users have laid out.
void require_points_apart(const Problem& problem, int rank) {
  const auto mine = static_cast<std::size_t>(rank);
  for (const Distribution* side : {&problem.input, &problem.output})
    if (side->has_arrays() && !side->is_of_parts() && mine < side->arrays_of_rank().size())
      require_apart(side->boxes_of_rank()[mine], side->arrays_of_rank()[mine], problem.batch);
}

// Lets the machine, and the progress, be what is remembered where the user asks for nothing else.
void take_remembered(const Remembered& remembered, const Options& options, Machine& machine,
                     Progress& progress) {
  if (remembered.threads > 0 && options.threads == 0)
    machine.threads_of_rank.assign(machine.threads_of_rank.size(), remembered.threads);
  machine.cache_bytes = remembered.cache_bytes;
  machine.shared_cache_bytes = remembered.shared_cache_bytes;
  if (remembered.segment_bytes > 0 && options.segment_bytes == 0)
    machine.segment_bytes = remembered.segment_bytes;
  if (remembered.eager_message_bytes > 0 && options.pretend.eager_message_bytes == 0)
    machine.eager_message_bytes = remembered.eager_message_bytes;
  if (remembered.progress != Progress::automatic) progress = remembered.progress;
}

// What all slots of this rank run.
ExecutionSlot::Spec slot_spec(const PlanParts& parts) {
  const Options& options = parts.options;
  const int rank = parts.comm->rank();
  ExecutionSlot::Spec spec;
  spec.programs.blueprint = parts.blueprint;
  spec.programs.effort = options.reproducible ? Effort::estimate : options.effort;
  spec.programs.threads = parts.blueprint->machine.threads(rank);
  spec.programs.is_c2r = parts.problem.kind == Kind::c2r;
  spec.programs.shares_memory = parts.shares_memory;
  spec.programs.device = parts.device;
  spec.programs.through = parts.through;
  spec.programs.device_bytes = parts.device_bytes / options.in_flight;
  spec.programs.sends_directly = parts.route.direct;
  spec.programs.channel = parts.route.channel;
  spec.programs.stream = options.stream;
  for (const bool forward : {true, false})
    spec.programs.programs[forward ? 0 : 1] = make_program(*parts.blueprint, forward, rank);
  spec.arrays.input = {parts.array_bytes(parts.input), ArrayPoints(parts.input)};
  spec.arrays.output = {parts.array_bytes(parts.output), ArrayPoints(parts.output)};
  spec.arrays.device = parts.device;
  // Libraries take complex numbers that are aligned as such.
  if (names_engines(parts.blueprint->strategy))
    spec.arrays.alignment = Scalar{parts.problem.precision, true}.bytes();
  spec.arrays.through = parts.through;
  spec.arrays.in_place = parts.blueprint->problem.in_place;
  spec.arrays.huge_pages = options.huge_pages && !parts.device && !parts.through;
  spec.progress = parts.progress;
  return spec;
}

// Decides on the engine of parts.options, which `asked` then asks for, too, if it was chosen by
// prediction. Collective.
void take_engine(const Communicator& comm, const Problem& r2c, Options& asked, PlanParts& parts) {
  const std::string name = agree(comm, [&] { return asked_engine(parts.options); });
  if (name != fastest_engine_name) {
    parts.options.engine = common_engine(comm, name);
    return;
  }
  FastestEngine fastest = fastest_engine(comm, r2c, parts.options);
  asked.engine = fastest.is_device ? fastest.engine : "";
  parts.options.engine = std::move(fastest.engine);
  parts.engine_choice = std::move(fastest.told);
}

// Whether devices compute, and that of some rank cannot hold its arrays and the workspace, or may
// not: it may take `device_bytes` in all, and what parts.device_bytes says beside arrays, which may
// be there already. Every transform in flight may have arrays, or stand-ins, of its own.
// Collective.
bool exceeds_device(const Communicator& comm, const PlanParts& parts, std::int64_t device_bytes) {
  if (!parts.device) return false;
  const auto [exceeds] = agree_on_largest(comm, [&] {
    const MemoryUse& planned = parts.planned;
    const std::int64_t all =
        parts.options.in_flight * (planned.input + planned.output) + planned.buffers;
    const bool is_short = all > device_bytes || planned.buffers > parts.device_bytes;
    return std::array{std::int64_t{is_short}};
  });
  return exceeds != 0;
}

// What stand-ins take for the arrays that other ranks of the node work on.
std::int64_t stand_in_bytes(const BoundPrograms::Spec& spec, const MemoryUse& arrays,
                            bool in_place) {
  const auto& [forward, backward] = spec.programs;
  // c2r runs the programs of r2c the other way round.
  const bool real = forward.shares_source || backward.shares_target;
  const bool spectral = forward.shares_target || backward.shares_source;
  const bool input = spec.is_c2r ? spectral : real, output = spec.is_c2r ? real : spectral;
  return (input || (in_place && output) ? arrays.input : 0) +
         (output && !in_place ? arrays.output : 0);
}

std::string purpose_of(const Problem& problem, const Communicator& comm) {
  return fmt::format("planning {} {} over {} rank{}", kind_text(problem),
                     to_string(problem.extents), comm.size(), comm.size() == 1 ? "" : "s");
}

// For arrays with strides of the user's own, only the memory of their points is required: both
// sides may be views of one array.
MemoryUse required_memory(const PlanParts& parts) {
  MemoryUse required = parts.planned;
  const Problem& problem = parts.problem;
  if (problem.input.has_arrays())
    required.input = std::min(required.input, stored_bytes(parts.input));
  if (problem.output.has_arrays() && !problem.in_place)
    required.output = std::min(required.output, stored_bytes(parts.output));
  return required;
}

// Whether the library of devices is asked for, by its name alone.
bool asks_library(const Options& asked) {
  return asked.strategy.empty() && driver_of_library(asked.engine) != nullptr;
}

// The strategy that is predicted to be fastest, as text.
std::string predicted_strategy(const PlanParts& parts, const Problem& r2c, const Options& asked,
                               const Machine& machine) {
  return with_context([&] { return purpose_of(parts.problem, *parts.comm); },
                      [&] {
                        const auto predictor = CostPredictor::here(
                            asks_library(asked) ? without_block_limits(machine) : machine);
                        return to_string(fastest_strategy(r2c, predictor, parts.options));
                      });
}

// Whether runs may decide how the strategy is executed.
bool may_race(const PlanParts& parts) {
  const Options& options = parts.options;
  if (parts.blueprint->moves_parts()) return false;  // nothing is transformed
  if (parts.through) return false;                   // all passes are run in one way
  return !is_simulated && options.effort != Effort::estimate && !options.reproducible &&
         !parts.remembered && options.strategy.empty();
}

// The parts of a plan, in the order in which they are known: what is asked for, the machine, the
// strategy, the memory that it needs, and what runs. Its members are collective unless they say
// otherwise.
class PlanBuilder {
 public:
  // Not collective. `asked` is the problem as the user gave it.
  PlanBuilder(std::shared_ptr<const Communicator> comm, const Problem& asked) : asked_(asked) {
    parts_.comm = std::move(comm);
    parts_.problem = asked;
    comm_ = parts_.comm.get();
  }

  // All ranks have the same problem.
  PlanParts build(const Options& options, const Recall& recall) {
    take_options(options);
    take_engine(*comm_, r2c_, asked_options_, parts_);
    if (driver_entry(parts_.options.engine) != nullptr) Scheduler::of_process()->end_groups(*comm_);
    auto spec = planned_spec(recall, false);
    if (exceeds_device(*comm_, parts_, device_bytes_)) spec = planned_spec(recall, true);
    parts_.most_planned = use_of(agree_on_largest(*comm_, [&] {
      make_slots(std::move(spec));
      return numbers_of(parts_.planned);
    }));
    for (const auto& slot : parts_.slots->all()) slot->bind(*comm_);
    return std::move(parts_);
  }

 private:
  const Blueprint& blueprint() const { return *parts_.blueprint; }

  // What the slots run. With `streams`, data stay in memory of the processor, if devices compute.
  ExecutionSlot::Spec planned_spec(const Recall& recall, bool streams) {
    const Machine machine = find_machine(recall, streams);
    place_columns(machine);
    take_strategy(with_library(agreed_strategy(machine), machine), machine);
    race();
    auto spec = agree(*comm_, [&] {
      find_node();
      return slot_spec(parts_);
    });
    plan_memory(spec.programs);
    return spec;
  }

  void take_options(const Options& options) {
    const auto text = [&] {
      parts_.options = asked_options_ = options;
      return to_string(options);
    };
    require_same(*comm_, text, "options");
    gather_boxes(*comm_, parts_.problem);
    agree(*comm_, [&] {
      parts_.problem = validated(parts_.problem);
      check(options, *comm_);
      require_points_apart(parts_.problem, comm_->rank());
      log_level();  // WEFT_LOG may hold another word
      r2c_ = as_r2c(parts_.problem);
    });
    with_context([&] { return purpose(); },
                 [&] { require_memory_of_fields(*comm_, parts_.problem); });
  }

  // The machine here, with the threads, caches and sizes of messages that are remembered, or with
  // measured caches; decides on the progress as well.
  Machine find_machine(const Recall& recall, bool streams) {
    const Options& options = parts_.options;
    RankHere here;
    Machine machine = machine_here(*comm_, options, &here, streams);
    takes_turns_ = here.cores.takes_turns;
    parts_.device = streams ? Device() : here.device;
    parts_.through = streams ? here.device : Device();
    device_bytes_ = here.device_bytes;
    parts_.device_bytes = here.free_device_bytes;
    parts_.route = {};
    if (parts_.device && comm_->size() > 1)
      parts_.route = message_route(*comm_, options.engine, here.device,
                                   options.progress == Progress::by_thread);
    if (recall && !here.device)
      parts_.remembered = recall(*comm_, parts_.problem, machine, asked_options_);
    if (parts_.remembered) {
      take_remembered(*parts_.remembered, options, machine, parts_.progress);
    } else if (!here.device) {
      confirm_caches(*comm_, options, here.cores, machine);
      if (machine.nodes() > 1 || is_worth_trials(r2c_, comm_->size()))
        machine.speeds = measured_speeds(*comm_, machine, options);
    }
    if (options.progress != Progress::automatic) parts_.progress = options.progress;
    const auto [fewest, most] = std::ranges::minmax(machine.threads_of_rank);
    parts_.fewest_threads = fewest;
    parts_.most_threads = most;
    return machine;
  }

  void place_columns(const Machine& machine) {
    if (!r2c_.cutoff.is_given()) return;
    r2c_ = as_r2c(parts_.problem);
    const auto owners = [&] {
      r2c_ = with_placed_columns(r2c_, machine, parts_.options);
      return fmt::format("{}", fmt::join(r2c_.cutoff.owners(), ","));
    };
    require_same(*comm_, owners, "placement of the cut-off");
  }

  // Rank 0 plans for all.
  std::string agreed_strategy(const Machine& machine) {
    const Options& options = parts_.options;
    std::string agreed = agree_on_text(*comm_, 0, [&]() -> std::string {
      return parts_.remembered ? parts_.remembered->strategy
                               : predicted_strategy(parts_, r2c_, asked_options_, machine);
    });
    if (options.placement.is_given())
      require_same(
          *comm_,
          [&] {
            return asked_placement(options.placement, parse_strategy(agreed), r2c_, comm_->size());
          },
          "placement");
    return agreed;
  }

  // With the library of the devices where it is needed, or asked for. Allocates nothing else.
  std::string with_library(std::string agreed, const Machine& machine) const {
    if (!parts_.device || parts_.problem.input.is_of_parts()) return agreed;
    return with_device_library(*comm_, r2c_, machine, agreed, asks_library(asked_options_));
  }

  void take_strategy(const std::string& agreed, const Machine& machine) {
    const auto [number, turns] = agree_on_largest(*comm_, [&] {
      take_blueprint(parse_strategy(agreed), machine);
      auto [input, output] = shares_of(blueprint(), comm_->rank());
      if (parts_.problem.kind == Kind::c2r) std::swap(input, output);
      parts_.input = std::move(input);
      parts_.output = std::move(output);
      return std::array{static_cast<std::int64_t>(now() * 1e9), std::int64_t{takes_turns_}};
    });
    number_ = number;
    parts_.takes_turns = turns != 0;
    // Before anything is made whose size depends on that of the field.
    parts_.planned =
        arrays_of(parts_.input, parts_.output, r2c_.in_place || blueprint().moves_parts());
    require_planned_memory();
    agree(*comm_, [&] {
      if (!blueprint().machine.has_devices)
        engines_ = std::make_shared<EngineSet>(blueprint().strategy.engine);
      check_blocking(asked_options_, blueprint().strategy);
      check_blueprint();
    });
  }

  // Not collective.
  void take_blueprint(const Strategy& strategy, const Machine& machine) {
    const std::string library = parts_.device ? driver_entry(strategy.engine)->library : "";
    Blueprint made = Blueprint::of(r2c_,
                                   parts_.device    ? one_axis_a_pass(strategy, library)
                                   : parts_.through ? without_choices(strategy)
                                                    : strategy,
                                   machine);
    made.largest_tag = comm_->largest_tag() - FailureNotice::tags;
    made.arrays = parts_.options.arrays;
    parts_.blueprint = std::make_shared<const Blueprint>(std::move(made));
  }

  // Debug builds prove every plan free of races and deadlocks; one rank does it for all. Not
  // collective.
  void check_blueprint() const {
    check_ends(blueprint());
#ifndef NDEBUG
    if (comm_->rank() == 0) prove(blueprint());
#endif
  }

  // Finds out how this machine executes the strategy fastest, unless nothing may be measured or a
  // strategy was demanded.
  void race() {
    if (!may_race(parts_) || asks_library(asked_options_) || !is_worth_trials(r2c_, comm_->size()))
      return;
    const std::int64_t bytes = comm_->max(parts_.planned.input + parts_.planned.output);
    const RaceSetting setting{parts_.comm, raced_plans(parts_.comm), asked_, asked_options_, bytes,
                              takes_turns_};
    RacedChoices raced = parts_.device ? raced_device_library(setting, blueprint(), measure_seconds)
                                       : raced_choices(setting, blueprint(), measure_seconds);
    // Of an axis that is not in halves any more, data may lie elsewhere.
    if (parts_.device) {
      const auto [strategy, machine] = agree(*comm_, [&] {
        return std::pair(to_string(raced.strategy), Machine(blueprint().machine));
      });
      take_strategy(strategy, machine);
    }
    agree(*comm_, [&] {
      if (!parts_.device) take_blueprint(raced.strategy, blueprint().machine);
      check_blueprint();
      parts_.raced = std::move(raced.report);
    });
  }

  // Not collective.
  void find_node() {
    const Machine& machine = blueprint().machine;
    parts_.shares_memory = blueprint().shares_memory();
    parts_.node_ranks = static_cast<int>(machine.ranks_of(machine.node(comm_->rank())).size());
  }

  // Not collective.
  void make_slots(ExecutionSlot::Spec spec) {
    parts_.slots = std::make_unique<ExecutionSlots>();
    parts_.scheduler = comm_->is_alone() ? Scheduler::alone() : Scheduler::of_process();
    parts_.scheduler->prepare_for(spec.progress);
    spec.scheduler = parts_.scheduler;
    const auto notice = std::make_shared<FailureNotice>(number_);
    for (int i = 0; i < parts_.options.in_flight; ++i)
      parts_.slots->add(std::make_shared<ExecutionSlot>(spec, engines_, notice));
  }

  void require_planned_memory() const {
    if (parts_.device)
      return;  // arrays are in memory of any kind; what is allocated says what there is
    with_context([&] { return purpose(); },
                 [&] { require_memory(*comm_, required_memory(parts_)); });
  }

  // What the programs will need, and whether there is so much.
  void plan_memory(const BoundPrograms::Spec& spec) {
    const int in_flight = parts_.options.in_flight;
    MemoryUse& planned = parts_.planned;
    const bool in_place = parts_.problem.in_place;
    const auto& [forward, backward] = spec.programs;
    planned.buffers = in_flight * std::max(forward.workspace_bytes, backward.workspace_bytes);
    planned.tiles = bounded_product(std::int64_t{in_flight} * spec.threads,
                                    tile_bytes(forward) + tile_bytes(backward));
    planned.programs = in_flight * (bound_bytes(forward) + bound_bytes(backward));
    if (parts_.device || parts_.through) planned.tiles = 0;
    // Stand-ins are not required: arrays of allocate() need none.
    require_planned_memory();
    if (parts_.node_ranks <= 1) return;
    planned.stand_ins = in_flight * stand_in_bytes(spec, planned, in_place);
  }

  std::string purpose() const { return purpose_of(parts_.problem, *comm_); }

  Problem asked_;          // as the user gave it
  Options asked_options_;  // the same
  const Communicator* comm_;
  PlanParts parts_;
  Problem r2c_;  // of parts_.problem
  std::shared_ptr<EngineSet> engines_;
  std::int64_t device_bytes_ = 0;  // that the rank may take of its device
  std::int64_t number_ = 0;        // the same on all ranks, and another one for another plan
  bool takes_turns_ = false;
};

}  // namespace

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
  std::unique_ptr<PlanBuilder> builder;
  const auto text = [&] {
    builder = std::make_unique<PlanBuilder>(comm, problem);
    return to_string(problem);
  };
  require_same(*comm, text, "problem");
  PlanParts parts = builder->build(options, recall);
  std::unique_ptr<PlanBody> body;
  const auto [workspace_bytes] = agree_on_largest(*comm, [&] {
    body.reset(new PlanBody(std::move(parts)));
    return std::array{body->workspace_bytes()};
  });
  body->largest_workspace_bytes_ = workspace_bytes;
  body->parts_.slots->let_run();
  return body;
}

}  // namespace weft
