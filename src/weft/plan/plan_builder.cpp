// plan/plan_builder: makes plans, together on all ranks.
// Keeps: agreement - all ranks come to the same strategy, and an error on one is an error on all.

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

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
#include "weft/comm/nodes.hpp"
#include "weft/making/maker.hpp"
#include "weft/plan/fastest_engine.hpp"
#include "weft/plan/gathered.hpp"
#include "weft/plan/machine_here.hpp"
#include "weft/plan/memory_need.hpp"
#include "weft/plan/plan_body.hpp"
#include "weft/plan/planned_memory.hpp"
#include "weft/plan/raced_plans.hpp"
#include "weft/plan/shares.hpp"
#include "weft/plan/speeds.hpp"
#include "weft/problem/problem_text.hpp"
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

// The number of ranks of the node of a rank.
int ranks_beside(const Machine& machine, int rank) {
  return static_cast<int>(machine.ranks_of(machine.node(rank)).size());
}

std::string purpose_of(const Problem& problem, const Communicator& comm) {
  return fmt::format("planning {} {} over {} rank{}", kind_text(problem),
                     to_string(problem.extents), comm.size(), comm.size() == 1 ? "" : "s");
}

// Error::system if there is not enough memory. Collective.
void require(const PlanParts& parts, const MemoryDemand& demand,
             const MemoryDemand::Numbers& largest) {
  with_context([&] { return purpose_of(parts.problem, *parts.comm); },
               [&] { demand.require(*parts.comm, largest); });
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
                        // Where data stream through a device, weft's kernels do all.
                        const bool by_library = parts.device && asks_library(asked);
                        const auto predictor = CostPredictor::here(
                            by_library ? without_block_limits(machine) : machine);
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

// The same for all ranks.
std::shared_ptr<const Blueprint> blueprint_of(const PlanParts& parts, const Problem& r2c,
                                              const Strategy& strategy, const Machine& machine) {
  const std::string library = parts.device ? driver_entry(strategy.engine)->library : "";
  Blueprint made = Blueprint::of(r2c,
                                 parts.device    ? one_axis_a_pass(strategy, library)
                                 : parts.through ? without_choices(strategy)
                                                 : strategy,
                                 machine);
  made.largest_tag = parts.comm->largest_tag() - FailureNotice::tags;
  made.arrays = parts.options.arrays;
  check_ends(made);
  return std::make_shared<const Blueprint>(std::move(made));
}

// Debug builds prove every plan free of races and deadlocks; one rank does it for all.
void check_proof([[maybe_unused]] const PlanParts& parts) {
#ifndef NDEBUG
  if (parts.comm->rank() == 0) prove(*parts.blueprint);
#endif
}

// What must be the same on all ranks.
struct Asked {
  std::string problem, options, node_sizes;
};

// The parts of a plan, in the order in which they are known: what is asked for, the machine, the
// strategy, the memory that it needs, and what runs. Its members are collective unless they say
// otherwise. Ranks meet as rarely as errors allow: what one of them may fail in alone, and what
// they ask each other, goes into the next agreement of all.
class PlanBuilder {
 public:
  // Not collective. `problem` is as the user gave it.
  PlanBuilder(std::shared_ptr<const Communicator> comm, const Problem& problem,
              const Options& options)
      : asked_(problem),
        asked_options_(options),
        node_sizes_(asked_node_sizes(options.pretend.node_sizes)),
        comm_(comm.get()) {
    parts_.comm = std::move(comm);
    parts_.problem = problem;
    parts_.options = options;
  }

  // Not collective.
  Asked asked() const {
    return {to_string(asked_), to_string(asked_options_),
            fmt::format("{}", fmt::join(node_sizes_, ","))};
  }

  // Makes all but the memory that ranks share.
  void build(const Recall& recall) {
    take_options();
    if (driver_entry(parts_.options.engine) != nullptr) Scheduler::of_process()->end_groups(*comm_);
    if (plan(recall, false)) plan(recall, true);
    for (const auto& slot : slots()) slot->join(*comm_);
    agree(*comm_, [&] {
      for (const auto& slot : slots()) slot->bind();
    });
    for (const auto& slot : slots()) slot->connect();
  }

  // Makes that memory. Collective over the node: apart from what may fail on one rank alone, as the
  // members of the node wait for each other.
  void make_memory() {
    for (const auto& slot : slots()) slot->share_memory();
    for (const auto& slot : slots()) slot->make_workspace();
  }

  // Gives the parts away. Not collective.
  PlanParts take_parts() { return std::move(parts_); }

 private:
  const Blueprint& blueprint() const { return *parts_.blueprint; }
  const std::vector<std::shared_ptr<ExecutionSlot>>& slots() const { return parts_.slots->all(); }

  // Checks what is asked for, which takes what ranks have, and decides on the engine.
  void take_options() {
    gather_boxes(*comm_, parts_.problem);
    find_machines(*comm_);
    std::string engine;
    EngineInquiry engines;
    std::int64_t capacity = 0;
    const auto [less_there, refusals] = agree_on_largest(*comm_, [&] {
      parts_.problem = validated(parts_.problem);
      check(parts_.options, *comm_);
      require_points_apart(parts_.problem, comm_->rank());
      log_level();  // WEFT_LOG may hold another word
      r2c_ = as_r2c(parts_.problem);
      engine = asked_engine(parts_.options);
      if (engine != fastest_engine_name) engines = EngineInquiry(engine);
      capacity = memory_capacity().machine;
      inquiry_.emplace(*comm_, node_sizes_);
      return std::tuple(-capacity, engines.numbers(*comm_));
    });
    with_context([&] { return purpose_of(parts_.problem, *comm_); },
                 [&, least = -less_there] {
                   require_memory_of_fields(*comm_, parts_.problem, capacity, least);
                 });
    if (engine == fastest_engine_name)
      take_fastest_engine();
    else
      parts_.options.engine = engines.common(*comm_, refusals);
  }

  // Options ask for what was chosen by prediction, too.
  void take_fastest_engine() {
    FastestEngine fastest = fastest_engine(*comm_, r2c_, parts_.options);
    asked_options_.engine = fastest.is_device ? fastest.engine : "";
    parts_.options.engine = std::move(fastest.engine);
    parts_.engine_choice = std::move(fastest.told);
  }

  // Decides what the slots run, and makes them. With `streams`, data stay in memory of the
  // processor, if devices compute. Returns whether a device is too small for it without.
  bool plan(const Recall& recall, bool streams) {
    const Machine machine = find_machine(recall, streams);
    place_columns(machine);
    const SentText predicted = agreed_strategy(machine);
    if (parts_.device && !parts_.problem.input.is_of_parts()) {
      std::string text = agree(*comm_, [&] { return predicted.get(); });
      const std::string with_library =
          with_device_library(*comm_, r2c_, machine, std::move(text), asks_library(asked_options_));
      take_strategy([&] { return with_library; }, machine);
    } else {
      take_strategy([&] { return predicted.get(); }, machine);
    }
    race();
    MemoryDemand demand;
    const auto [exceeds, memory, most_planned] = agree_on_largest(*comm_, [&] {
      check_proof(parts_);
      parts_.shares_memory = blueprint().shares_memory();
      parts_.node_ranks = ranks_beside(blueprint().machine, comm_->rank());
      ExecutionSlot::Spec spec = slot_spec(parts_);
      plan_memory(parts_, spec.programs);
      demand = memory_demand(parts_);
      make_slots(std::move(spec));
      return std::tuple(std::int64_t{exceeds_device(parts_, device_bytes_)}, demand.numbers(),
                        numbers_of(parts_.planned));
    });
    require(parts_, demand, memory);
    parts_.most_planned = use_of(most_planned);
    return exceeds != 0;
  }

  // The machine here, with the threads, caches and sizes of messages that are remembered, or with
  // measured caches; decides on the progress as well.
  Machine find_machine(const Recall& recall, bool streams) {
    const Options& options = parts_.options;
    if (streams) agree(*comm_, [&] { inquiry_.emplace(*comm_, node_sizes_); });
    RankHere here;
    Machine machine = inquiry_->ask(options, here, streams);
    inquiry_.reset();
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
        machine.speeds = measured_speeds(*comm_, machine, options, here.cores);
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
  SentText agreed_strategy(const Machine& machine) {
    const Options& options = parts_.options;
    SentText agreed = sent_text(*comm_, 0, [&]() -> std::string {
      return parts_.remembered ? parts_.remembered->strategy
                               : predicted_strategy(parts_, r2c_, asked_options_, machine);
    });
    if (options.placement.is_given())
      require_same(
          *comm_,
          [&] {
            return asked_placement(options.placement, parse_strategy(agreed.get()), r2c_,
                                   comm_->size());
          },
          "placement");
    return agreed;
  }

  // Of the same text on all ranks. Arrays are compared with the memory that there is before
  // anything is made whose size depends on that of the field.
  template <class Text>
  void take_strategy(const Text& text, const Machine& machine) {
    MemoryDemand demand;
    const auto [number, turns, logs, memory] = agree_on_largest(*comm_, [&] {
      parts_.blueprint = blueprint_of(parts_, r2c_, parse_strategy(text()), machine);
      check_blocking(asked_options_, blueprint().strategy);
      auto [input, output] = shares_of(blueprint(), comm_->rank());
      if (parts_.problem.kind == Kind::c2r) std::swap(input, output);
      parts_.input = std::move(input);
      parts_.output = std::move(output);
      parts_.planned =
          arrays_of(parts_.input, parts_.output, r2c_.in_place || blueprint().moves_parts());
      demand = memory_demand(parts_);
      if (!blueprint().machine.has_devices)
        engines_ = std::make_shared<EngineSet>(blueprint().strategy.engine);
      return std::tuple(static_cast<std::int64_t>(now() * 1e9), std::int64_t{takes_turns_},
                        std::int64_t{comm_->rank() == 0 && LogLevel::info <= log_level()},
                        demand.numbers());
    });
    number_ = number;
    parts_.takes_turns = turns != 0;
    parts_.is_logged = logs != 0;
    require(parts_, demand, memory);
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
      const Machine machine = agree(*comm_, [&] { return Machine(blueprint().machine); });
      take_strategy([&] { return to_string(raced.strategy); }, machine);
    }
    agree(*comm_, [&] {
      if (!parts_.device)
        parts_.blueprint = blueprint_of(parts_, r2c_, raced.strategy, blueprint().machine);
      parts_.raced = std::move(raced.report);
    });
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

  Problem asked_;          // as the user gave it
  Options asked_options_;  // the same
  std::vector<int> node_sizes_;
  const Communicator* comm_;
  PlanParts parts_;
  Problem r2c_;  // of parts_.problem
  std::optional<MachineInquiry> inquiry_;
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
  Asked asked;
  const auto [problems, all_options, node_sizes] = agree_on_largest(*comm, [&] {
    builder = std::make_unique<PlanBuilder>(comm, problem, options);
    asked = builder->asked();
    return std::tuple(bounds_of(asked.problem), bounds_of(asked.options),
                      bounds_of(asked.node_sizes));
  });
  require_same(*comm, asked.problem, "problem", problems);
  require_same(*comm, asked.options, "options", all_options);
  require_same(*comm, asked.node_sizes, node_sizes_name, node_sizes);
  builder->build(recall);
  std::unique_ptr<PlanBody> body;
  const auto [workspace_bytes, uses] = agree_on_largest(*comm, [&] {
    builder->make_memory();
    body.reset(new PlanBody(builder->take_parts()));
    const BoundPrograms& first = body->parts_.slots->all().front()->programs();
    return std::tuple(body->workspace_bytes(), first.uses_of_arrays());
  });
  body->largest_workspace_bytes_ = workspace_bytes;
  for (const auto& slot : body->parts_.slots->all())
    slot->set_shared_arrays(uses[0] != 0, uses[1] != 0);
  body->parts_.slots->let_run();
  return body;
}

}  // namespace weft
