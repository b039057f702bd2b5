// exchange/collectives: the non-blocking collectives of an exchange, at most one per cell.
// Keeps: all ranks start them in the same order, in whatever order their messages become ready.
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/exchange/group.hpp"
#include "weft/exchange/messages.hpp"

namespace weft {

/// The cells of a cutting in the order in which collectives carry them: as givers compute them.
/// What is first stored leaves first; in the order of takers all would wait for the last source
/// part.
std::vector<int> cells_as_computed(const Cutting& cutting);

/// By cell, the largest of all ranks' numbers; `mine` are this rank's. Collective.
std::vector<std::int64_t> largest_by_cell(const Communicator& comm,
                                          const std::vector<std::int64_t>& mine);

/// Where a collective sends from and receives to. Of two buffers at one address one is empty, and
/// is put elsewhere: Open MPI 4 takes equal addresses for MPI_IN_PLACE, and sends nothing.
struct Ends {
  const void* from;
  void* to;
};
Ends apart(const void* from, bool sends, void* to);

/// Numbers of the messages in `cell`.
std::vector<int> messages_in(const Messages& side, int cell);

/// Collectives of one communicator, started one after another, each when all that it takes away has
/// been stored; any number are under way at a time. Ranks that store nothing in one start it when
/// its turn comes.
class Collectives {
 public:
  Collectives() = default;
  Collectives(const Collectives&) = delete;
  Collectives& operator=(const Collectives&) = delete;
  /// Where an error ended a run, requests may be left over, which MPI lets nobody cancel or free:
  /// they are left to it, and `arguments` with them. What the others send still arrives in the
  /// buffers if they get that far; so an error of one rank has to end the run of all.
  ~Collectives();

  /// While it is made: the next one takes away the outgoing messages `takes`, if any, and brings
  /// the incoming messages `brings`.
  void add(const std::vector<int>& takes, std::vector<int> brings);
  /// What MPI reads while collectives are under way.
  void keep(std::shared_ptr<const void> arguments) { arguments_ = std::move(arguments); }

  /// A run begins.
  void reset();
  void ready(int message);
  /// Calls start(i, request) for those whose turn it is.
  template <class Start>
  void start_due(const Start& start) {
    for (; next_ < all_.size() && all_[next_].missing == 0; ++next_) {
      start(next_, &requests_[next_]);
      ++under_way_;
    }
  }
  /// Appends the messages that have come to `arrivals`. If it `waits`, it returns only when one has
  /// completed, or none is under way.
  void complete(bool waits, std::vector<int>& arrivals);
  bool have_finished() const { return next_ == all_.size() && under_way_ == 0; }

 private:
  struct One {
    int takes;  // how many messages
    std::vector<int> brings;
    int missing = 0;  // to be stored in this run
  };
  std::vector<One> all_;
  std::vector<int> taken_by_;  // by outgoing message
  std::vector<MPI_Request> requests_;
  std::vector<int> completed_;  // places in requests_
  std::size_t next_ = 0, under_way_ = 0;
  std::shared_ptr<const void> arguments_;
};

}  // namespace weft
