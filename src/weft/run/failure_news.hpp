// run/failure_news: what this rank hears of failures of runs on other ranks, and tells of its own.
// Keeps: allocates nothing, as memory may be what is missing.
#pragma once

#include <memory>

#include "weft/base/error_record.hpp"
#include "weft/comm/failure_notice.hpp"
#include "weft/run/bound_programs.hpp"

namespace weft {

/// The ranks of a node tell each other of failures in their memory, and one member of a node tells
/// all ranks of the plan.
class FailureNews {
 public:
  /// All slots of a plan share `notice`. `programs` must outlive it.
  FailureNews(BoundPrograms& programs, std::shared_ptr<FailureNotice> notice)
      : programs_(programs), notice_(std::move(notice)) {}

  const std::shared_ptr<FailureNotice>& notice() const { return notice_; }
  /// A run, or the refusal of one, begins: there is no need to look at once.
  void begin();
  /// Throws if a run of this plan, this one or another, is known to have failed on a rank that this
  /// one may wait for. Asks only now and then.
  void look();
  /// Whether another rank has told why it failed; that a process has ended is no reason.
  bool has_heard_why() const noexcept;
  /// Keeps the failure, which the other ranks know of.
  void keep(const ErrorRecord& failure) noexcept { notice_->keep(failure); }
  /// Tells all ranks, which would wait for this rank for ever.
  void tell(ErrorRecord failure) noexcept;
  /// The same on a thread that may not call MPI. The ranks of the node hear of it at once, and
  /// those of other nodes from them, or as FailureNotice::tell_later says.
  void tell_without_mpi(const ErrorRecord& failure) noexcept;

 private:
  ErrorRecord of_this_rank(const ErrorRecord& failure) const noexcept;

  BoundPrograms& programs_;
  std::shared_ptr<FailureNotice> notice_;
  double next_look_ = 0;  // when to ask again
};

}  // namespace weft
