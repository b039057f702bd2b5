// exchange/collective_exchange: what exchanges have in common that are non-blocking collectives, at
// most one per cell. Keeps: all ranks start them in the same order, in whatever order their
// messages become ready.
#pragma once

#include <vector>

#include "weft/exchange/exchange.hpp"
#include "weft/exchange/group.hpp"
#include "weft/exchange/messages.hpp"
#include "weft/exchange/requests.hpp"

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
/// its turn comes. Where an error ends the run of one rank, it has to end that of all: what the
/// others send still arrives in the buffers if they get that far.
class CollectiveExchange : public Exchange {
 public:
  void start(const Addresses& addresses) final;
  void ready(int message) final;
  void progress() final { arrive(requests_.test_some()); }
  void wait() final { arrive(requests_.wait_some()); }
  bool has_finished() const final {
    return next_ == collectives_.size() && requests_.none_under_way() && has_all();
  }

 protected:
  /// While it is made: the next collective takes away the outgoing messages `takes`, if any, and
  /// brings the incoming messages `brings`.
  void add_collective(const std::vector<int>& takes, std::vector<int> brings);
  /// Outgoing messages that stay are there as soon as they are stored.
  void add_kept(const MessageSides& sides);

 private:
  /// Starts collective number i.
  virtual void begin(std::size_t i, MPI_Request* request) = 0;
  void start_due();
  void arrive(std::span<const int> collectives);

  struct Collective {
    int takes;  // how many messages
    std::vector<int> brings;
    int missing = 0;  // to be stored in this run
  };
  // Where an outgoing message goes: with a collective, or it stays, as an incoming one.
  struct Outgoing {
    int collective = -1, stays_as = -1;
  };
  Outgoing& outgoing_message(int message);

  std::vector<Collective> collectives_;
  std::vector<Outgoing> outgoing_of_;  // by message
  Requests requests_;                  // by collective
  std::size_t next_ = 0;               // collective to be started
};

}  // namespace weft
