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

/// Takes all started transforms of this process's plans with a communicator further: looks what has
/// arrived, and computes one item of what is ready. True if there was anything to do. Not
/// collective. Error::invalid in a forked child.
bool progress();

/// A transform that has been started; from `plan.start_forward(u, v)`. Until it has ended, its
/// input must not be changed, and its output not be touched.
///
/// Only the call that needs it waits: test(), wait() and weft::progress() take every started
/// transform of plans with a communicator further, whichever ticket they are asked for. Those of a
/// plan without one are taken further by its own tickets and starts only. Dropping a ticket waits
/// as wait() does; its errors are then told by the plan's next start. MPI_Finalize ends what is
/// still under way in plans with a communicator. In a forked child, a ticket waits for nothing, and
/// its functions throw Error::invalid.
class [[nodiscard]] Ticket {
 public:
  /// A ticket of no transform: it has ended.
  Ticket() = default;
  /// The ticket of the run that is under way in `slot`. Plans make tickets.
  explicit Ticket(std::shared_ptr<ExecutionSlot> slot);
  Ticket(Ticket&&) noexcept = default;
  /// Waits for the transform of the ticket that is replaced.
  Ticket& operator=(Ticket&& other) noexcept;
  ~Ticket();

  /// Whether the transform has ended, and its callbacks have returned, unless this is called in one
  /// of them. Takes it, and all others, a step further. Not collective.
  /// Throws what ended it, if that was an error, or else what the first of its callbacks threw
  /// that threw anything.
  bool test();
  /// Returns when test() would return true. Errors as with test. Collective in the sense that it
  /// needs the other ranks to take theirs further, in calls of weft's.
  void wait();
  /// `callback` is called once when the transform has ended without an error: in the call of weft's
  /// that notices, on the thread that makes it (a progress thread calls none); at once if it has
  /// ended. It may start other transforms and wait for them, and destroy the plan, unless a
  /// function of this plan is being called: its starts call callbacks, too. Callbacks come at other
  /// times on other ranks: a run that is started in a callback on some ranks and elsewhere on
  /// others is Error::mismatch on all; of two that callbacks start, the application keeps the
  /// order. What it throws is thrown by this ticket's next test or wait, and lost if the ticket has
  /// been dropped. Of several, each is called, in this order. A plan that is destroyed drops those
  /// that are still to be called, and waits for those that another thread is calling.
  Ticket& then(std::function<void()> callback);

 private:
  void rethrow_of_none();

  std::shared_ptr<ExecutionSlot> slot_;
  std::int64_t run_ = 0;
  std::shared_ptr<RunCallback> callback_;
};

}  // namespace weft
