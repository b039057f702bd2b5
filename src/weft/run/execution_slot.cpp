// run/execution_slot: begins, advances and ends a run.

#include "weft/run/execution_slot.hpp"

#include "weft/comm/agreement.hpp"
#include "weft/run/scheduler.hpp"

namespace weft {

ExecutionSlot::ExecutionSlot(const Communicator& comm, Spec spec, std::shared_ptr<Engine> engine)
    : spec_(std::move(spec)), comm_(comm.handle()), engine_(std::move(engine)), vote_(comm_) {
  const Blueprint& blueprint = *spec_.blueprint;
  if (blueprint.shares_memory())
    node_ = std::make_unique<NodeGroup>(comm_, blueprint.machine.node_of_rank);
  make_executions();
  make_workspace();
  if (spec_.is_c2r) std::swap(executions_[0], executions_[1]);
  const bool in_place = blueprint.problem.in_place;
  const auto any_shares = [&](bool first, bool second) {
    return comm_.max(std::int64_t{first || second}) > 0;
  };
  shares_input_ = any_shares(forward().program().shares_source, backward().program().shares_target);
  shares_output_ =
      any_shares(forward().program().shares_target, backward().program().shares_source);
  const auto shared_bytes = [&](bool is_shared, std::int64_t bytes) {
    return is_shared && node_->size() > 1 ? bytes : 0;
  };
  shared_input_ =
      SharedArray(shared_bytes(shares_input_ || (in_place && shares_output_), spec_.input_bytes));
  shared_output_ = SharedArray(shared_bytes(shares_output_ && !in_place, spec_.output_bytes));
}

// Collective.
void ExecutionSlot::make_executions() {
  Binding binding;
  binding.comm = &comm_;
  binding.node = node_.get();
  binding.engine = engine_.get();
  binding.effort = spec_.effort;
  binding.threads = spec_.threads;
  for (const std::size_t direction : {0, 1})
    executions_[direction] =
        std::make_unique<Execution>(std::move(spec_.programs[direction]), binding);
}

ExecutionSlot::~ExecutionSlot() = default;

// Allocates the workspace that both directions use. Collective.
void ExecutionSlot::make_workspace() {
  const std::int64_t bytes =
      std::max(forward().program().workspace_bytes, backward().program().workspace_bytes);
  std::vector<std::byte*> workspaces;
  if (node_) {
    agree(comm_, [&] { windows_ = node_->window(bytes); });
    for (int member = 0; member < node_->size(); ++member)
      workspaces.push_back(windows_.of(member));
  } else {
    agree(comm_, [&] { workspace_ = Buffer(bytes, spec_.threads); });
    workspaces.push_back(workspace_.data());
  }
  for (auto& execution : executions_) execution->set_workspaces(workspaces);
}

MemoryUse ExecutionSlot::memory() const {
  MemoryUse use;
  if (!executions_[0]) return use;
  use.buffers = std::max(forward().program().workspace_bytes, backward().program().workspace_bytes);
  use.stand_ins = shared_input_.stand_in_bytes() + shared_output_.stand_in_bytes();
  use.tiles = forward().tile_bytes() + backward().tile_bytes();
  use.programs = forward().program_bytes() + backward().program_bytes();
  return use;
}

void ExecutionSlot::start(bool is_forward, const void* from, void* to) {
  ensure(!is_under_way_);
  // Only passes and sends use the source, and they only read it; the array behind a const pointer
  // is never written.
  from_ = {static_cast<std::byte*>(const_cast<void*>(from)),
           is_forward ? spec_.input_bytes : spec_.output_bytes};
  to_ = {static_cast<std::byte*>(to), is_forward ? spec_.output_bytes : spec_.input_bytes};
  ++run_;
  is_under_way_ = true;
  try {
    vote_.cast(is_forward ? 0 : 1, false);
    has_voted_ = false;
    const bool in_place = spec_.blueprint->problem.in_place;
    execution_ = executions_[is_forward ? 0 : 1].get();
    SharedArray& other = in_place ? shared_input_ : shared_output_;
    SharedArray& source_side = is_forward ? shared_input_ : other;
    target_side_ = &(is_forward ? other : shared_input_);
    // An array must be in shared memory only if other ranks work on it in this direction. In place
    // both sides are one array.
    const bool any =
        in_place && (execution_->program().shares_source || execution_->program().shares_target);
    const auto place = [&](bool is_shared, SharedArray& side, std::byte* array) {
      return is_shared || any ? side.place(array) : ArrayPlace{array, std::nullopt};
    };
    const ArrayPlace source_place =
        place(execution_->program().shares_source, source_side, from_.data);
    target_place_ = place(execution_->program().shares_target, *target_side_, to_.data);
    source_side.load(source_place, from_.data);
    execution_->begin(source_place, target_place_);
  } catch (...) {
    fail();
  }
}

void ExecutionSlot::refuse(bool is_forward, const Error& why) {
  ++run_;
  refusal_ = std::make_exception_ptr(why);
  vote_.cast(is_forward ? 0 : 1, true);
}

bool ExecutionSlot::test_refusal() {
  if (!vote_.test()) return false;
  // Other ranks have begun the run, and their messages will never be received.
  if (vote_.outcome().somebody_began) failure_ = refusal_;
  return true;
}

// Ends a run that a rank has refused or runs in the other direction. All ranks learn it from the
// same vote and fail with the same error, so the node need not be told.
void ExecutionSlot::end_disagreed() {
  const Vote::Outcome& outcome = vote_.outcome();
  is_under_way_ = false;
  failure_ = std::make_exception_ptr(
      outcome.refusing >= 0
          ? Error(
                Error::invalid,
                fmt::format("rank {} refused to start run {} of this plan", outcome.refusing, run_),
                "the error on that rank says what is wrong")
          : Error(Error::mismatch,
                  fmt::format("run {} of this plan is forward on some ranks and backward on others",
                              run_),
                  "start the transforms of a plan in the same order on all ranks"));
}

void ExecutionSlot::advance_between_tiles() {
  if (!is_under_way_) return;
  try {
    if (!has_voted_) vote_.test();
    execution_->advance_between_tiles();
  } catch (...) {
    fail();
  }
}

bool ExecutionSlot::advance() {
  if (!is_under_way_) return false;
  try {
    bool moved = execution_->advance();
    if (!has_voted_ && vote_.test()) {
      has_voted_ = moved = true;
      if (!vote_.outcome().is_agreed()) {
        end_disagreed();
        return true;
      }
    }
    if (!has_voted_ || !execution_->is_complete()) return moved;
    target_side_->store(target_place_, to_.data);
    is_under_way_ = false;
  } catch (...) {
    fail();
  }
  return true;
}

void ExecutionSlot::run_item(const std::function<void()>& between) {
  try {
    execution_->run_item(between);
  } catch (...) {
    fail();
  }
}

bool ExecutionSlot::wait() {
  try {
    // Before the vote is known, other ranks may have refused the run or run in the other direction;
    // then the wait would never end.
    return has_voted_ && execution_->wait();
  } catch (...) {
    fail();
  }
  return true;
}

// Called in an exception handler. Tells the rest of the node, which would wait for this rank for
// ever.
void ExecutionSlot::fail() {
  failure_ = std::current_exception();
  is_under_way_ = false;
  if (!node_) return;
  try {
    throw;
  } catch (const Error& error) {
    node_->fail(fmt::format("rank {} failed: {}", comm_.rank(), error.message()));
  } catch (const std::exception& error) {
    node_->fail(fmt::format("rank {} failed: {}", comm_.rank(), error.what()));
  }
}

bool ExecutionSlot::overlap(const Array& array, const void* data, std::int64_t bytes) {
  const auto* begin = static_cast<const std::byte*>(data);
  return array.data < begin + bytes && begin < array.data + array.bytes;
}
bool ExecutionSlot::writes(const void* data, std::int64_t bytes) const {
  return is_under_way_ && overlap(to_, data, bytes);
}
bool ExecutionSlot::uses(const void* data, std::int64_t bytes) const {
  return is_under_way_ && (overlap(to_, data, bytes) || overlap(from_, data, bytes));
}

// Executions are destroyed before the memory and the communicators that they use.
void ExecutionSlot::close() {
  ensure(!is_under_way_);
  for (auto& execution : executions_) execution.reset();
  for (SharedArray* side : {&shared_input_, &shared_output_}) *side = SharedArray();
  windows_ = {};
  workspace_ = {};
  node_.reset();
  comm_ = Communicator::none();
}

// After a failed run, messages and collectives may still be under way and cannot be cancelled: MPI
// may use their buffers and communicators at any later time. So the slot of a failed run is never
// freed while MPI runs.
ExecutionSlots::~ExecutionSlots() {
  static auto& broken = *new std::vector<std::shared_ptr<ExecutionSlot>>;
  for (auto& slot : all_) {
    Scheduler& scheduler = Scheduler::of_process();
    scheduler.wait(*slot, slot->run());
    scheduler.drop_callback(slot.get());
    if (slot->is_broken() && mpi_is_running())
      scheduler.with_lock([&] { broken.push_back(std::move(slot)); });
    else
      slot->close();
  }
}

}  // namespace weft
