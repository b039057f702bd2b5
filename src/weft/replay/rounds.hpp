// replay/rounds: the transfers of one rank in a collective that goes by rounds.
// Pure.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace weft {

/// Which transfers a rank begins, and which it awaits, round by round. The next round begins when
/// all transfers of the one before have ended.
class Rounds {
 public:
  struct Round {
    std::vector<int> sends, receives;
  };
  void add_send(int round, int transfer) { rounds_[round].sends.push_back(transfer); }
  void add_receive(int round, int transfer) { rounds_[round].receives.push_back(transfer); }

  /// Begins the first round, or the next one; empty after the last one.
  Round take() {
    if (rounds_.empty()) return {};
    Round next = std::move(rounds_.begin()->second);
    rounds_.erase(rounds_.begin());
    left_ = next.sends.size() + next.receives.size();
    return next;
  }
  /// A transfer of the round that was taken last has ended; returns whether it was the last of it.
  bool end_transfer() { return --left_ == 0; }

 private:
  std::map<int, Round> rounds_;  // that have not begun
  std::size_t left_ = 0;
};

}  // namespace weft
