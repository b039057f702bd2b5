// comm/failure_notice: tells all ranks of a plan that a run has failed on one of them.
// Keeps: a run without failures sends no message for it and has no request open.
#pragma once

#include <cstdint>
#include <memory>

#include "weft/base/error_record.hpp"
#include "weft/comm/communicator.hpp"

namespace weft {

/// The first failure of a plan that this rank knows of. A rank whose run fails tells all others,
/// which would wait for its messages for ever; they ask now and then while they wait. An object
/// that has told of a failure must not be destroyed before MPI_Finalize, as MPI may still send it.
class FailureNotice {
 public:
  /// How many tags, the largest ones, the messages of a notice take.
  static constexpr int tags = 2;

  /// `number` is the same on all ranks, and different for each plan: MPI may use the number of a
  /// communicator again that was freed before one of its messages came.
  explicit FailureNotice(std::int64_t number);
  FailureNotice(const FailureNotice&) = delete;
  FailureNotice& operator=(const FailureNotice&) = delete;
  ~FailureNotice();
  /// From now on there may be messages on `comm`, which must outlive them, and on which nobody else
  /// may use their tags. Not collective.
  void use(const Communicator& comm);
  bool is_in_use() const { return comm_ != nullptr; }

  /// Keeps the failure, if it is the first, without telling the other ranks.
  void keep(const ErrorRecord& failure) noexcept;
  /// Keeps the failure and tells it to all other ranks, unless this rank knows of one already.
  void tell(const ErrorRecord& failure) noexcept;
  /// The same on a thread that may not call MPI: keeps the failure, and leaves the telling to the
  /// next tell_late(). Such notices must be there until then.
  void tell_later(const ErrorRecord& failure) noexcept;
  /// Tells what was left to be told, on a thread that may call MPI. Whatever of weft's is about to
  /// call MPI for the application calls it first. Costs one load if nothing was left.
  static void tell_late() noexcept;
  /// Whether this rank knows of a failure. Asks MPI.
  bool ask();
  /// Whether all ranks have called it, so that no notice can come any more. Called again and again
  /// at the end of a plan without a known failure, without waiting. The communicator must not be
  /// freed before: MPI libraries do not cope with messages of a communicator that is gone.
  bool has_ended_everywhere();
  /// Stops waiting for the end on other ranks.
  void give_up() noexcept;
  bool is_known() const { return known_.failure.has_error(); }
  /// The failure that is known.
  Error error() const { return known_.failure.error(); }

 private:
  struct Requests;  // MPI's
  void begin_end();
  void send_to_all() noexcept;

  const Communicator* comm_ = nullptr;
  int tag_ = 0, end_tag_ = 0;
  struct Message {
    std::int64_t number;
    ErrorRecord failure;
  };
  Message known_;
  std::unique_ptr<Requests> end_;
  bool is_ending_ = false, has_told_end_ = false;
  FailureNotice* next_untold_ = nullptr;
};

}  // namespace weft
