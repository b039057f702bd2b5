// comm/vote: finds out, without waiting, whether all ranks make the same choice.
#pragma once

#include <array>
#include <memory>

#include "weft/base/error_record.hpp"
#include "weft/comm/communicator.hpp"

namespace weft {

/// A non-blocking vote of all ranks of a communicator on the choice between 0 and 1, and on whether
/// it was made in a callback; one vote at a time. Every rank must cast its votes in the same order.
/// An open vote must not be destroyed: MPI cannot cancel it, and still writes to it.
class Vote {
 public:
  explicit Vote(const Communicator& comm);
  Vote(const Vote&) = delete;
  Vote& operator=(const Vote&) = delete;
  ~Vote();

  /// The result of the vote.
  struct Outcome {
    int refusing = -1;      ///< the lowest rank that refused; -1: none refused
    ErrorRecord reason;     ///< why that rank refused
    bool is_split = false;  ///< the ranks that did not refuse made different choices
    /// Some of the ranks that did not refuse voted in a callback, and some elsewhere.
    bool is_of_callbacks_and_others = false;
    bool somebody_began = false;  ///< a rank did not refuse

    bool is_agreed() const { return refusing < 0 && !is_split && !is_of_callbacks_and_others; }
  };

  /// Casts this rank's vote for `choice`, 0 or 1, made in a callback or elsewhere, or refuses if
  /// `refusal` has an error. Collective, but does not wait.
  void cast(int choice, bool in_callback, const ErrorRecord& refusal);
  /// Whether all ranks have voted, and know the reason of a refusal; then outcome() is valid. Makes
  /// MPI progress. Every rank must call it until it returns true.
  bool test();
  const Outcome& outcome() const { return outcome_; }

 private:
  struct Request;  // MPI's
  void count();

  const Communicator* comm_;
  std::array<int, 5> mine_{}, all_{};
  std::unique_ptr<Request> request_;
  Outcome outcome_;
  bool is_open_ = false, is_counted_ = false;
};

}  // namespace weft
