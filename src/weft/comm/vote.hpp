// comm/vote: finds out, without waiting, whether all ranks start the same.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "weft/base/error_record.hpp"
#include "weft/comm/communicator.hpp"

namespace weft {

/// What a rank starts, which is to be the same on all ranks.
struct Ballot {
  bool is_forward = true;
  bool in_callback = false;  ///< it is started in a callback
  double scale = 1;
  bool may_group = false;  ///< messages may go in groups, if all ranks say so
  /// What ranks compare, in the order of the members; `numbers` is how many these are.
  enum Number { of_direction, of_callback, of_scale, numbers };
};

/// A non-blocking vote of all ranks of a communicator on what they start; one vote at a time. Every
/// rank must cast its votes in the same order. An open vote must not be destroyed: MPI cannot
/// cancel it, and still writes to it.
class Vote {
 public:
  explicit Vote(const Communicator& comm);
  Vote(const Vote&) = delete;
  Vote& operator=(const Vote&) = delete;
  ~Vote();

  /// The result of the vote.
  struct Outcome {
    int refusing = -1;   ///< the lowest rank that refused; -1: none refused
    ErrorRecord reason;  ///< why that rank refused
    /// What ranks that did not refuse have started differently; the first of several.
    std::optional<Ballot::Number> differs;
    bool somebody_began = false;  ///< a rank did not refuse
    bool all_may_group = false;   ///< all ranks said so in their ballots

    bool is_agreed() const { return refusing < 0 && !differs; }
  };

  /// Casts this rank's vote, or refuses if `refusal` has an error. Collective, but does not wait.
  void cast(const Ballot& ballot, const ErrorRecord& refusal);
  /// Whether all ranks have voted, and know the reason of a refusal; then outcome() is valid. Makes
  /// MPI progress. Every rank must call it until it returns true.
  bool test();
  const Outcome& outcome() const { return outcome_; }

 private:
  struct Request;  // MPI's
  void call_mpi();
  void count();

  // Of all ranks, the largest number counts: the size minus a refusing rank, and for each number of
  // the ballot the number and its complement, whose largest one tells the least number. The last
  // number is 1 on ranks whose messages may not go in groups.
  using Numbers = std::array<std::int64_t, 2 + 2 * Ballot::numbers>;

  const Communicator* comm_;
  Numbers mine_{}, all_{};
  std::unique_ptr<Request> request_;
  Outcome outcome_;
  bool is_open_ = false, is_counted_ = false;
};

}  // namespace weft
