// run/execution_slot: begins, advances and ends a run.

#include "weft/run/execution_slot.hpp"

#include <sched.h>

#include "weft/base/trace.hpp"
#include "weft/run/delay.hpp"

namespace weft {

namespace {

// How long a rank whose run fails waits for the result of the vote on it, in seconds.
constexpr double wait_for_vote = 0.5;

// The error of all ranks if run `run` of a plan is not what all of them start.
Error disagreement(const Vote::Outcome& outcome, std::int64_t run) {
  if (outcome.refusing >= 0) {
    const Error reason = outcome.reason.error();
    return Error(reason.code(),
                 fmt::format("rank {} refused to start run {} of this plan: {}", outcome.refusing,
                             run, reason.message()),
                 reason.hint());
  }
  const Ballot::Number what = *outcome.differs;
  const char* const how = what == Ballot::of_direction
                              ? "is forward on some ranks and backward on others"
                          : what == Ballot::of_callback
                              ? "is started in a callback on some ranks and elsewhere on others"
                              : "has different scales on different ranks";
  return Error(Error::mismatch, fmt::format("run {} of this plan {}", run, how),
               what == Ballot::of_scale
                   ? "give all ranks the same scale"
                   : "start the transforms of a plan in the same order on all ranks; those that "
                     "callbacks start come at other times on other ranks");
}

}  // namespace

ExecutionSlot::ExecutionSlot(Spec spec, std::shared_ptr<EngineSet> engines,
                             std::shared_ptr<FailureNotice> notice)
    : programs_(std::move(spec.programs), std::move(engines)),
      arrays_(std::move(spec.arrays)),
      progress_(spec.progress),
      scheduler_(std::move(spec.scheduler)),
      news_(programs_, std::move(notice)),
      vote_(programs_.comm()) {}

ExecutionSlot::~ExecutionSlot() = default;

void ExecutionSlot::set_shared_arrays(bool input, bool output) {
  programs_.set_shared_arrays(input, output);
  if (programs_.has_neighbours()) arrays_.share(input, output);
}

MemoryUse ExecutionSlot::memory() const {
  MemoryUse use = programs_.memory();
  use.stand_ins = arrays_.stand_in_bytes();
  return use;
}

void ExecutionSlot::start(const Call& call) {
  ensure(!is_under_way_);
  if (programs_.queue() != nullptr) programs_.queue()->select();
  in_graph_ = is_in_graph(call.is_forward);
  execution_ = &programs_.execution(call.is_forward);
  given_ = arrays_.of_run(call, execution_->program(), in_graph_);
  programs_.begin_times(call.is_forward, in_graph_);
  fill_stand_in();
  ++run_;
  is_under_way_ = true;
  has_voted_ = false;
  news_.begin();
  try {
    const bool may_group = programs_.turn().enter();
    vote_.cast({call.is_forward, InCallback::is_here(), call.scale, may_group}, {});
    scale_ = call.scale;
    if (!waits_for_stream_) begin_program();
    if (in_graph_) end_in_graph();
  } catch (...) {
    fail();
  }
}

// Whether the application captures the run that begins. Throws if it does and cannot.
bool ExecutionSlot::is_in_graph(bool is_forward) const {
  const Capture capture = programs_.capture();
  if (capture == Capture::none) return false;
  if (capture == Capture::invalid)
    throw Error(Error::invalid, "the capture of the stream that was given is invalid",
                "look for the call before this one that has failed, and end the capture");
  const int ranks = programs_.comm().size();
  const std::string why_not = ranks > 1 ? fmt::format("{} ranks start it together", ranks)
                                        : programs_.execution(is_forward).why_not_in_graph();
  if (why_not.empty()) return true;
  throw Error(Error::unsupported, fmt::format("a graph cannot capture this transform: {}", why_not),
              "start it before the capture of the stream begins, or after it has ended");
}

// All of the run is in the graph, which happens when that is launched: nobody waits for it here.
void ExecutionSlot::end_in_graph() {
  has_learnt_vote();
  ensure(has_voted_ && execution_->is_enqueued());
  take_result();
  is_under_way_ = false;
}

// The rest of a run that was started before the stream is captured would be part of the graph.
void ExecutionSlot::require_no_capture() const {
  if (programs_.capture() != Capture::none)
    throw Error(Error::invalid, "a capture of the stream has begun while a transform is under way",
                "wait for tickets of the plan before the capture begins");
}

// On a device, what follows in the stream comes after what is in it: the copy, the run before, and
// what the application has enqueued where the stream is its own, or waits for it. Messages, and
// other ranks of the node, are not in the stream, and wait until all that is in it has happened.
void ExecutionSlot::fill_stand_in() {
  DeviceQueue* const queue = programs_.queue();
  if (queue == nullptr) {
    programs_.await_application();
    given_.source.fill_stand_in();
    copied_bytes_ = execution_->moved_bytes();
    return;
  }
  is_taking_result_ = false;
  copied_bytes_ =
      execution_->moved_bytes() + (given_.source.is_copied() ? given_.source.bytes() : 0);
  timed(given_.source.is_copied() ? queue->times() : nullptr, queue->stream(),
        {StreamSpan::copy_up, -1, given_.source.bytes()},
        [&] { given_.source.fill_stand_in(queue->stream()); });
  waits_for_stream_ = execution_->has_exchanges();
  if (waits_for_stream_) queue->mark();
}

// Returns whether the program has begun, which it may have to wait with.
bool ExecutionSlot::has_begun() {
  if (!waits_for_stream_) return true;
  if (!programs_.queue()->has_reached_mark()) return false;
  begin_program();
  return true;
}

void ExecutionSlot::begin_program() {
  waits_for_stream_ = false;
  execution_->begin(given_.source, given_.target, scale_, in_graph_);
  if (has_voted_) execution_->mark_agreed(in_groups_);
}

// The vote has told how messages go.
void ExecutionSlot::take_way() {
  in_groups_ = vote_.outcome().all_may_group;
  if (in_groups_)
    copied_bytes_ -= execution_->grouped_bytes();
  else
    programs_.turn().leave();
}

// The run has failed.
void ExecutionSlot::end_groups() noexcept {
  programs_.give_up_groups(*news_.notice());
  programs_.turn().leave();
  programs_.settle();
}

// Copies a result from its stand-in to the user's array. Returns whether it is there.
bool ExecutionSlot::has_taken_result() {
  DeviceQueue* const queue = programs_.queue();
  if (queue == nullptr) {
    given_.target.take_from_stand_in();
    return true;
  }
  if (is_taking_result_) return queue->has_reached_mark();
  if (!given_.target.is_copied() && !returns_early()) return true;
  take_result();
  queue->mark();
  is_taking_result_ = true;
  return returns_early() && !given_.source.is_copied() && !given_.target.is_copied();
}

// Enqueues the copy, if there is a stand-in.
void ExecutionSlot::take_result() {
  DeviceQueue* const queue = programs_.queue();
  queue->select();
  timed(given_.target.is_copied() ? queue->times() : nullptr, queue->stream(),
        {StreamSpan::copy_down, -1, given_.target.bytes()},
        [&] { given_.target.take_from_stand_in(queue->stream()); });
  if (given_.target.is_copied()) copied_bytes_ += given_.target.bytes();
}

// Whether a run has ended, for whoever waits, when all of it is in a stream of the application.
bool ExecutionSlot::returns_early() {
  DeviceQueue* const queue = programs_.queue();
  return queue != nullptr && queue->is_of_application();
}

void ExecutionSlot::refuse(const ErrorRecord& why) noexcept {
  ++run_;
  news_.begin();
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
      news_.look();
      return false;
    }
  } catch (...) {
    fail();
    return true;
  }
  // Other ranks have begun the run, and their messages will never be received.
  if (vote_.outcome().somebody_began) {
    failure_ = std::exchange(refusal_, nullptr);
    news_.keep(vote_.outcome().reason);
  }
  return true;
}

// Ends a run that a rank has refused, runs in the other direction or with another scale, or has
// started in a callback, while others have not. All ranks learn it from the same vote and fail with
// the same error, so the node need not be told. As after every failure, the device has ended what
// it does with the arrays before the application learns of the error.
void ExecutionSlot::end_disagreed() {
  is_under_way_ = false;
  const Error error = disagreement(vote_.outcome(), run_);
  failure_ = std::make_exception_ptr(error);
  news_.keep(ErrorRecord(error));
  end_groups();
}

// Returns whether the outcome of the vote has become known, which lets the run map arrays of
// others, or ends it.
bool ExecutionSlot::has_learnt_vote() {
  if (has_voted_ || !vote_.test()) return false;
  has_voted_ = true;
  if (!vote_.outcome().is_agreed()) {
    end_disagreed();
    return true;
  }
  take_way();
  if (!waits_for_stream_) execution_->mark_agreed(in_groups_);
  return true;
}

void ExecutionSlot::advance_between_tiles() {
  if (!is_under_way_) return;
  try {
    has_learnt_vote();
    if (is_under_way_ && has_begun()) execution_->advance_between_tiles();
  } catch (...) {
    fail();
  }
}

bool ExecutionSlot::advance() {
  if (!is_under_way_) return false;
  try {
    require_no_capture();
    bool moved = has_learnt_vote();
    if (!is_under_way_) return true;
    if (!has_begun()) {
      news_.look();
      return moved;
    }
    moved = execution_->advance() || moved;
    const bool is_over = returns_early() ? execution_->is_enqueued() : execution_->is_complete();
    if (!has_voted_ || !is_over) {
      if (!moved) news_.look();
      return moved;
    }
    programs_.turn().leave();
    if (!has_taken_result()) return moved;
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
    return has_voted_ && !waits_for_stream_ && execution_->wait();
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
  if (!is_under_way_ || news_.has_heard_why()) return false;
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

// Called in an exception handler. The first error stays.
void ExecutionSlot::fail() noexcept {
  if (is_broken() || has_ended_disagreed()) return;
  failure_ = std::current_exception();
  is_under_way_ = false;
  news_.tell(ErrorRecord::of_current_exception());
  end_groups();
}

void ExecutionSlot::fail_without_mpi(const ErrorRecord& why) noexcept {
  if (is_broken()) return;
  try {
    throw why.error();
  } catch (...) {
    failure_ = std::current_exception();
  }
  is_under_way_ = false;
  news_.tell_without_mpi(why);
  end_groups();
}

bool ExecutionSlot::writes(const void* data, std::int64_t bytes) const {
  return is_under_way_ && given_.target.overlaps(data, bytes);
}
bool ExecutionSlot::uses(const void* data, std::int64_t bytes) const {
  return is_under_way_ &&
         (given_.target.overlaps(data, bytes) || given_.source.overlaps(data, bytes));
}

void ExecutionSlot::close() {
  ensure(!is_under_way_);
  programs_.unbind();
  arrays_.free_stand_ins();
}

}  // namespace weft
