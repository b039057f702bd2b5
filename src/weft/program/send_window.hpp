// program/send_window: which of the sends that are ready are posted, and which wait for others to
// complete.
// Pure. Keeps: quiet execution - nothing here allocates while a run is under way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/program/program.hpp"

namespace weft {

/// The sends of an exchange, by their numbers. Where the exchange limits its sends, those of the
/// lowest numbers are posted first, and the others wait while enough is under way, to all peers or
/// to the same one: MPI is not called within a tile, so the network must have something to do until
/// the next call, but messages that are under way share the network, so that urgent ones would no
/// longer be first.
class SendWindow {
 public:
  explicit SendWindow(const ExchangeProgram& exchange);

  /// A run begins: nothing is ready.
  void begin();
  /// Send `number` is ready.
  void add(int number);
  /// The next send to post, from now on under way; -1 if there is none now.
  int take();
  /// A send that was taken has completed.
  void complete(int number);

  bool limits() const { return limits_; }
  bool is_empty() const { return waiting_ == 0; }
  int under_way() const { return under_way_; }

 private:
  // The sends that share a limit.
  struct Lane {
    std::vector<int> waiting = {};  // ready, but not taken: a heap, the lowest on top
    int under_way = 0;
    std::int64_t bytes_under_way = 0;
    bool is_listed = false;  // in to_look_at_
  };
  bool has_room(const Lane& lane) const;
  void look_at(std::size_t lane);

  bool limits_;
  std::vector<std::int64_t> bytes_;  // by number
  std::vector<std::size_t> lane_;    // by number
  // In each lane.
  int least_messages_under_way_ = 0;
  std::int64_t least_bytes_under_way_ = 0;
  std::vector<Lane> lanes_;
  // Lanes in which a send may have become ready to be posted; there is none in the other lanes. The
  // last one is looked at first.
  std::vector<std::size_t> to_look_at_;
  int waiting_ = 0, under_way_ = 0;  // of all lanes
};

}  // namespace weft
