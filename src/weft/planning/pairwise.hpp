// planning/pairwise: a collective that goes by rounds, in each of which every rank sends one
// message and receives one. Pure.
#pragma once

#include <vector>

#include "weft/grid/decomposition.hpp"
#include "weft/machine/network.hpp"

namespace weft {

/// The round, from 1 on, in which member `from` of a group of `size` sends to member `to`, another
/// one: with the same member from which it receives where `size` is a power of two, else to those
/// after it one by one, as MPICH exchanges pairwise.
int pairwise_round(int from, int to, int size);

/// Groups of ranks that exchange data with each other, each of which calls a collective of its own.
class PairwiseGroups {
 public:
  PairwiseGroups(const Decomposition& from, const Decomposition& to);
  /// The round in which two different ranks of a group exchange.
  int round(int from, int to) const;

 private:
  std::vector<int> place_, size_;  // by rank: in its group, of its group
};

/// The messages of all rounds. Each round begins when the one before has ended.
class PairwiseLoads {
 public:
  /// A message between nodes.
  void add(int round, int from, int to, double bytes) {
    messages_.push_back({round, from, to, bytes});
  }

  /// What the rounds take one after the other: their busiest links, and their longest routes.
  struct Sums {
    double links = 0, latency = 0;
  };
  Sums sums(const Network& network) const;

 private:
  struct Message {
    int round, from, to;
    double bytes;
  };
  std::vector<Message> messages_;
};

}  // namespace weft
