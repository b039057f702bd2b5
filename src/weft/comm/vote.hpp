// comm/vote: do all ranks mean the same? Asked without waiting for the answer.
#pragma once

#include <mpi.h>

#include <array>

#include "weft/comm/communicator.hpp"

namespace weft {

/// One question at a time to all ranks of a communicator: does everybody agree to do what I do?
/// Every rank casts its votes in the same order. An open one is not to be destroyed: MPI lets
/// nobody take it back, and writes to it.
class Vote {
 public:
  explicit Vote(const Communicator& comm) : comm_(&comm) {}
  Vote(const Vote&) = delete;
  Vote& operator=(const Vote&) = delete;

  /// What all ranks said together.
  struct Outcome {
    int refusing = -1;      ///< the lowest rank that refused; -1: nobody did
    bool is_split = false;  ///< of those that did not refuse, not all chose alike
    bool somebody_began = false;

    bool is_agreed() const { return refusing < 0 && !is_split; }
  };

  /// Collective, but waits for nobody. choice: 0 or 1.
  void cast(int choice, bool refuses);
  /// True when the outcome is there.
  bool test();
  const Outcome& outcome() const { return outcome_; }

 private:
  void count();

  const Communicator* comm_;
  std::array<int, 3> mine_{}, all_{};
  MPI_Request request_ = MPI_REQUEST_NULL;
  Outcome outcome_;
  bool is_open_ = false;
};

}  // namespace weft
