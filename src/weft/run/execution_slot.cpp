// run/execution_slot: begins, advances and ends a run.

#include "weft/run/execution_slot.hpp"

#include <sched.h>

#include "weft/base/trace.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/forked.hpp"
#include "weft/run/delay.hpp"
#include "weft/run/scheduler.hpp"

namespace weft {

namespace {

// How long a rank waits until it asks whether another rank has failed, in seconds.
constexpr double between_looks = 0.02;
// How long a rank waits for the others to destroy a plan, in seconds.
constexpr double patience = 1;
// How long a rank whose run fails waits for the result of the vote on it, in seconds.
constexpr double wait_for_vote = 0.5;

}  // namespace

ExecutionSlot::ExecutionSlot(Spec spec, std::shared_ptr<EngineSet> engines,
                             std::shared_ptr<FailureNotice> notice)
    : spec_(std::move(spec)),
      comm_(Communicator::alone()),
      engines_(std::move(engines)),
      notice_(std::move(notice)),
      vote_(comm_) {}

void ExecutionSlot::bind(const Communicator& comm) {
  comm_ = comm.duplicate();
  // Also where no exchange shares memory: the ranks of a node tell each other of failures there.
  const Machine& machine = spec_.blueprint->machine;
  if (spec_.shares_memory || machine.nodes() < machine.ranks)
    node_.emplace(comm_, machine.node_of_rank);
  make_executions();
  const auto [input, output] = agree_on_largest(comm_, [&] {
    make_workspace();
    // All slots of a plan use the communicator of the first.
    if (!notice_->is_in_use()) notice_->use(comm_);
    const Program &there = forward().program(), &back = backward().program();
    return std::array{std::int64_t{there.shares_source || back.shares_target},
                      std::int64_t{there.shares_target || back.shares_source}};
  });
  shares_input_ = input != 0;
  shares_output_ = output != 0;
  make_stand_ins();
}

// Not collective.
void ExecutionSlot::make_stand_ins() {
  const bool in_place = spec_.blueprint->problem.in_place;
  const auto shared_bytes = [&](bool is_shared, std::int64_t bytes) {
    return is_shared && node_->size() > 1 ? bytes : 0;
  };
  input_stand_in_ =
      StandIn(shared_bytes(shares_input_ || (in_place && shares_output_), spec_.input_bytes));
  output_stand_in_ = StandIn(shared_bytes(shares_output_, spec_.output_bytes));
}

// Collective.
void ExecutionSlot::make_executions() {
  Binding binding;
  binding.comm = &comm_;
  binding.node = spec_.shares_memory ? &*node_ : nullptr;
  binding.engines = engines_.get();
  binding.effort = spec_.effort;
  binding.threads = spec_.threads;
  for (const std::size_t direction : {0, 1})
    executions_[direction].emplace(std::move(spec_.programs[direction]), binding);
}

ExecutionSlot::~ExecutionSlot() = default;

// Allocates the workspace that both directions use. Collective over the node.
void ExecutionSlot::make_workspace() {
  const std::int64_t bytes =
      std::max(forward().program().workspace_bytes, backward().program().workspace_bytes);
  std::vector<std::byte*> workspaces;
  if (spec_.shares_memory) {
    windows_ = node_->window(bytes);
    for (int member = 0; member < node_->size(); ++member)
      workspaces.push_back(windows_.of(member));
  } else {
    workspace_ = Buffer(bytes, spec_.threads);
    workspaces.push_back(workspace_.data());
  }
  for (auto& execution : executions_) execution->set_workspaces(workspaces);
}

MemoryUse ExecutionSlot::memory() const {
  MemoryUse use;
  if (!executions_[0]) return use;
  use.buffers = std::max(forward().program().workspace_bytes, backward().program().workspace_bytes);
  use.stand_ins = input_stand_in_.bytes() + output_stand_in_.bytes();
  use.tiles = forward().tile_bytes() + backward().tile_bytes();
  use.programs = forward().program_bytes() + backward().program_bytes();
  return use;
}

void ExecutionSlot::start(const Call& call) {
  ensure(!is_under_way_);
  execution_ = &*executions_[call.is_forward != spec_.is_c2r ? 0 : 1];
  const bool in_place = spec_.blueprint->problem.in_place && call.from.data == call.to.data;
  const auto run_array = [&](const GivenArray& given, bool is_input, bool is_shared) {
    const std::int64_t bytes = is_input ? spec_.input_bytes : spec_.output_bytes;
    const ArrayPoints& points = is_input ? spec_.input_points : spec_.output_points;
    StandIn& stand_in = is_input || in_place ? input_stand_in_ : output_stand_in_;
    return RunArray(given.data, bytes, points, is_shared ? &stand_in : nullptr);
  };
  // Other ranks may work on one side only in this direction. In place both sides are one array, but
  // a plan in place may also be given two.
  const Program& program = execution_->program();
  const bool both = in_place && (program.shares_source || program.shares_target);
  source_ = run_array(call.from, call.is_forward, program.shares_source || both);
  target_ = run_array(call.to, !call.is_forward, program.shares_target || both);
  for (const RunArray* array : {&source_, &target_})
    if (spec_.huge_pages && !SharedRegion::containing(array->given()))
      huge_pages_.ask(array->given(), array->bytes());
  source_.load();
  ++run_;
  is_under_way_ = true;
  has_voted_ = false;
  next_look_ = now() + between_looks;
  try {
    vote_.cast({call.is_forward, InCallback::is_here(), call.scale}, {});
    execution_->begin(source_, target_, call.scale);
  } catch (...) {
    fail();
  }
}

void ExecutionSlot::refuse(const ErrorRecord& why) noexcept {
  ++run_;
  next_look_ = now() + between_looks;
  try {
    refusal_ = std::make_exception_ptr(why.error());
    vote_.cast({}, why);
  } catch (...) {
    fail();
  }
}

bool ExecutionSlot::test_refusal() noexcept {
  try {
    if (is_broken()) return true;
    if (!vote_.test()) {
      look_for_failure();
      return false;
    }
  } catch (...) {
    fail();
    return true;
  }
  // Other ranks have begun the run, and their messages will never be received.
  if (vote_.outcome().somebody_began) {
    failure_ = std::exchange(refusal_, nullptr);
    notice_->keep(vote_.outcome().reason);
  }
  return true;
}

// Ends a run that a rank has refused, runs in the other direction or with another scale, or has
// started in a callback, while others have not. All ranks learn it from the same vote and fail with
// the same error, so the node need not be told.
void ExecutionSlot::end_disagreed() {
  const Vote::Outcome& outcome = vote_.outcome();
  is_under_way_ = false;
  const auto refused = [&](const Error& reason) {
    return Error(reason.code(),
                 fmt::format("rank {} refused to start run {} of this plan: {}", outcome.refusing,
                             run_, reason.message()),
                 reason.hint());
  };
  const auto differs = [&](Ballot::Number what) {
    const char* const how = what == Ballot::of_direction
                                ? "is forward on some ranks and backward on others"
                            : what == Ballot::of_callback
                                ? "is started in a callback on some ranks and elsewhere on others"
                                : "has different scales on different ranks";
    return Error(Error::mismatch, fmt::format("run {} of this plan {}", run_, how),
                 what == Ballot::of_scale
                     ? "give all ranks the same scale"
                     : "start the transforms of a plan in the same order on all ranks; those that "
                       "callbacks start come at other times on other ranks");
  };
  const Error error =
      outcome.refusing >= 0 ? refused(outcome.reason.error()) : differs(*outcome.differs);
  failure_ = std::make_exception_ptr(error);
  notice_->keep(ErrorRecord(error));
}

// A run of this plan, this one or another, may have failed on a rank that this run waits for.
void ExecutionSlot::look_for_failure() {
  const double time = now();
  if (time < next_look_) return;
  next_look_ = time + between_looks;
  if (node_) node_->check_failure();
  if (notice_->ask()) throw notice_->error();
}

// Returns whether the outcome of the vote has become known, which lets the run map arrays of
// others, or ends it.
bool ExecutionSlot::has_learnt_vote() {
  if (has_voted_ || !vote_.test()) return false;
  has_voted_ = true;
  if (vote_.outcome().is_agreed())
    execution_->mark_agreed();
  else
    end_disagreed();
  return true;
}

void ExecutionSlot::advance_between_tiles() {
  if (!is_under_way_) return;
  try {
    has_learnt_vote();
    if (is_under_way_) execution_->advance_between_tiles();
  } catch (...) {
    fail();
  }
}

bool ExecutionSlot::advance() {
  if (!is_under_way_) return false;
  try {
    bool moved = has_learnt_vote();
    if (!is_under_way_) return true;
    moved = execution_->advance() || moved;
    if (!has_voted_ || !execution_->is_complete()) {
      if (!moved) look_for_failure();
      return moved;
    }
    target_.store();
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

// Called when a run fails. This may follow from a disagreement that this rank has not learnt yet:
// messages of another direction do not fit, and who knew it may even have ended its process. Waits
// for the vote then, once for all runs of a plan, but not if another rank has told why it failed,
// as that one has waited. Returns whether the run has ended as all ranks end it after such a vote.
// The vote has no result if a rank has not cast it.
bool ExecutionSlot::has_ended_disagreed() noexcept {
  const bool is_told = node_ && node_->failure().has_error() && !node_->has_lost_member();
  if (!is_under_way_ || is_told || notice_->is_known()) return false;
  try {
    be_late(Late::before_wait_for_vote);
    for (const double begin = now(); !has_voted_ && now() < begin + wait_for_vote; sched_yield())
      has_voted_ = vote_.test();
    if (!has_voted_ || vote_.outcome().is_agreed()) return false;
    end_disagreed();
    return true;
  } catch (...) {  // of MPI, or there is no memory
    return false;
  }
}

// Called in an exception handler. Tells the rest of the node, and one member of the node tells all
// ranks, which would wait for this rank for ever. Allocates nothing, as memory may be what is
// missing. The first error stays.
void ExecutionSlot::fail() noexcept {
  if (is_broken() || has_ended_disagreed()) return;
  failure_ = std::current_exception();
  is_under_way_ = false;
  ErrorRecord told = ErrorRecord::of_current_exception();
  if (!notice_->is_known()) told = of_this_rank(told);
  const bool tells_all = !node_ || node_->fail(told);
  if (node_)
    if (const ErrorRecord first = node_->failure(); first.has_error()) told = first;
  if (tells_all)
    notice_->tell(told);
  else
    notice_->keep(told);
}

void ExecutionSlot::fail_without_mpi(const ErrorRecord& why) noexcept {
  if (is_broken()) return;
  try {
    throw why.error();
  } catch (...) {
    failure_ = std::current_exception();
  }
  is_under_way_ = false;
  const ErrorRecord told = of_this_rank(why);
  if (node_) node_->fail(told, /*can_tell=*/false);
  notice_->tell_later(told);
}

// `failure` with the number of this rank in its message.
ErrorRecord ExecutionSlot::of_this_rank(const ErrorRecord& failure) const noexcept {
  ErrorRecord told = failure;
  std::array<char, sizeof told.message> text;
  const auto end = fmt::format_to_n(text.data(), text.size(), "rank {} failed: {}", comm_.rank(),
                                    failure.message.view())
                       .out;
  told.message.set({text.data(), static_cast<std::size_t>(end - text.data())});
  return told;
}

bool ExecutionSlot::writes(const void* data, std::int64_t bytes) const {
  return is_under_way_ && target_.overlaps(data, bytes);
}
bool ExecutionSlot::uses(const void* data, std::int64_t bytes) const {
  return is_under_way_ && (target_.overlaps(data, bytes) || source_.overlaps(data, bytes));
}

// Executions are destroyed before the memory and the communicators that they use.
void ExecutionSlot::close() {
  ensure(!is_under_way_);
  for (auto& execution : executions_) execution.reset();
  for (StandIn* side : {&input_stand_in_, &output_stand_in_}) *side = StandIn();
  windows_ = {};
  workspace_ = {};
  node_.reset();
  comm_ = Communicator::alone();
}

void ExecutionSlots::add(std::shared_ptr<ExecutionSlot> slot) {
  if (ending_ == nullptr) {
    ending_ = std::make_shared<Ending>();
    ending_->notice = slot->notice_;
  }
  slot->scheduler().make_room_for(1);
  all_.push_back(std::move(slot));
}

// After a failed run, messages and collectives may still be under way and cannot be cancelled: MPI
// may use their buffers and communicators at any later time. Other ranks may even have started
// another run, which this one will never start. So no slot of a plan that has failed is freed while
// MPI runs.
void ExecutionSlots::keep_for_ever() {
  static KeptList<ExecutionSlot> kept;
  const auto keep = [&] {
    for (auto& slot : all_) kept.add(std::move(slot), &ExecutionSlot::next_kept_);
  };
  if (is_forked_child())
    keep();  // it has no other threads, and maybe a lock of one of its parent's
  else
    Scheduler::of_process()->with_lock(keep);
  all_.clear();
}

void ExecutionSlots::close(std::vector<std::shared_ptr<ExecutionSlot>>& slots) {
  for (auto& slot : slots) {
    slot->close();
    slot->scheduler().make_room_for(-1);
  }
  slots.clear();
}

// Waits a moment for the other ranks to destroy the plan, too. If they take longer, or this thread
// may not call MPI, the slots are closed later: other ranks may have started a run that this one
// will never start, and MPI libraries do not cope with messages of communicators that are gone.
// Returns false if a rank has failed.
bool ExecutionSlots::end_everywhere() {
  FailureNotice& notice = *ending_->notice;
  Scheduler& scheduler = *Scheduler::of_process();
  const bool may_call_mpi = is_mpi_thread();
  bool has_ended = false;
  for (const double begin = now(); may_call_mpi && !has_ended && now() < begin + patience;) {
    scheduler.with_lock([&] { has_ended = notice.has_ended_everywhere(); });
    if (!has_ended && notice.ask()) return false;
    if (!has_ended && !scheduler.take_further()) sched_yield();
  }
  if (has_ended) close(all_);
  scheduler.with_lock([&] {
    if (may_call_mpi) close_ended();
    if (has_ended) return;
    std::swap(ending_->slots, all_);
    endings().add(std::move(ending_), &Ending::next);
  });
  return true;
}

// The plans that this rank has destroyed, and other ranks had not.
KeptList<ExecutionSlots::Ending>& ExecutionSlots::endings() {
  static KeptList<Ending> all;
  return all;
}

// Closes those that all ranks have destroyed by now. Returns whether there are others. Throws
// nothing: MPI_Finalize calls it, and MPI may report that a rank has gone.
bool ExecutionSlots::close_ended() noexcept {
  const auto has_ended = [](FailureNotice& notice) {
    try {
      return notice.has_ended_everywhere();
    } catch (const Error&) {
      return false;
    }
  };
  for (auto* at = &endings().first; *at != nullptr;) {
    if (!has_ended(*(*at)->notice)) {
      at = &(*at)->next;
      continue;
    }
    close((*at)->slots);
    *at = std::exchange((*at)->next, nullptr);
  }
  return endings().first != nullptr;
}

void ExecutionSlots::end_late() {
  bool is_left = true;
  for (const double begin = now(); is_left && now() < begin + patience;) {
    Scheduler::of_process()->with_lock([&] { is_left = close_ended(); });
    if (is_left) sched_yield();
  }
  Scheduler::of_process()->with_lock([&] {
    for (auto left = endings().first; left != nullptr; left = left->next) left->notice->give_up();
  });
}

// A forked child has none of its parent's threads, and maybe a lock that one of them holds: that of
// a library's planner, which frees plans, or of the scheduler.
ExecutionSlots::~ExecutionSlots() {
  if (all_.empty()) return;
  if (is_forked_child()) {
    keep_for_ever();
    return;
  }
  for (auto& slot : all_) slot->scheduler().drop_callbacks(slot.get());
  for (auto& slot : all_) slot->scheduler().require_thread(*slot, slot->run());
  for (auto& slot : all_) slot->scheduler().wait(slot.get(), slot->run());
  // If a rank has failed to make slots, it does not wait for the others.
  if (all_.front()->comm_.is_alone() || !mpi_is_running() || !may_run_) {
    close(all_);
    return;
  }
  bool is_sound = !ending_->notice->is_known();
  const ErrorRecord error = record_of([&] { is_sound = is_sound && end_everywhere(); });
  if (!is_sound || error.has_error()) keep_for_ever();
}

}  // namespace weft
