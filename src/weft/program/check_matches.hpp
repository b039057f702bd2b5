// program/check_matches: which send goes to which receive, and which collectives of the members are
// one. Pure. Keeps: what has a match here has the same size on both sides.
#pragma once

#include <utility>
#include <vector>

#include "weft/program/hazard_list.hpp"

namespace weft {

/// A message, by the tasks that send and receive it.
struct MessageMatch {
  int sender = 0, send = 0;
  int receiver = 0, receive = 0;
};

/// The tasks of all members that are one collective.
struct CollectiveMatch {
  std::vector<int> ranks, tasks;
  /// Whether every member sends something to every other; else who sends something to whom, as
  /// numbers of members.
  bool all_to_all = false;
  std::vector<std::pair<int, int>> moves;
};

struct Matches {
  std::vector<MessageMatch> messages;
  std::vector<CollectiveMatch> collectives;
};

/// Of one direction; what has no match is added to `hazards`.
Matches match_messages(const ProgramSet& set, int direction, HazardList& hazards);

/// Every signal is the same on all ranks of a node, raised as often as it says, and by a rank once.
void check_signals(const ProgramSet& set, int direction, HazardList& hazards);

}  // namespace weft
