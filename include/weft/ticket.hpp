// weft/ticket: a transform that has been started.
// Floor: run.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>

namespace weft {

class ExecutionSlot;
class RunCallback;

/// Takes all started transforms of this process's plans with a communicator further: it asks what
/// has arrived, and computes one item of what is ready. Returns whether there was anything to do.
/// Not collective. Error::invalid in a forked child, and on a thread that may not call MPI.
bool progress();

/// A transform that has been started; from `plan.start_forward(u, v)`. Until it has ended, its
/// input must not be changed, and its output not be touched.
///
/// test(), wait() and weft::progress() take every started transform of plans with a communicator
/// further, whichever ticket they are called for. A transform of a plan without a communicator is
/// taken further by tickets and starts of that plan only. Destroying a ticket waits as wait() does;
/// the plan's next start then throws its errors. MPI_Finalize completes what is still under way in
/// plans with a communicator. In a forked child, a ticket waits for nothing, and its functions
/// throw Error::invalid.
class [[nodiscard]] Ticket {
 public:
  /// A ticket of no transform, which counts as ended.
  Ticket() = default;
  /// The ticket of the run that is under way in `slot`. Plans make tickets.
  explicit Ticket(std::shared_ptr<ExecutionSlot> slot);
  Ticket(Ticket&&) noexcept = default;
  /// Waits for the transform of the ticket that is replaced.
  Ticket& operator=(Ticket&& other) noexcept;
  ~Ticket();

  /// Whether the transform has ended, and its callbacks have returned (not counting callbacks that
  /// call this function). Takes it, and all others, a step further. Not collective. Throws the
  /// error that ended the transform, or else the first exception that one of its callbacks threw.
  /// On a thread that may not call MPI, a transform under way ends with Error::invalid here, and
  /// with an error on all ranks; so it does if its ticket is dropped there.
  bool test();
  /// Returns when test() would return true. Errors as with test. Collective in the sense that the
  /// other ranks must take the transform further, too, in calls of weft's.
  void wait();
  /// Calls `callback` once when the transform has ended without an error; at once if it has ended
  /// already. The call of weft's that notices the end makes the call, on its own thread; a progress
  /// thread calls no callbacks. A callback may start other transforms and wait for them. It may
  /// destroy the plan, unless a function of this plan is being called (starts call callbacks, too).
  /// Callbacks run at different times on different ranks: a run that is started in a callback on
  /// some ranks and elsewhere on others is Error::mismatch on all ranks, and if callbacks start two
  /// runs, the application must keep their order the same. This ticket's next test or wait throws
  /// what a callback threw; if the ticket has been destroyed, that is lost. Several callbacks are
  /// called in the order in which they were given. Destroying a plan drops callbacks that are still
  /// to be called, and waits for those that another thread is calling.
  Ticket& then(std::function<void()> callback);

 private:
  void rethrow_of_none();

  std::shared_ptr<ExecutionSlot> slot_;
  std::int64_t run_ = 0;
  std::shared_ptr<RunCallback> callback_;
};

}  // namespace weft
