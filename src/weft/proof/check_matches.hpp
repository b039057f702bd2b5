// proof/check_matches: which send matches which receive, and which collectives of several ranks
// are the same collective.
// Pure. Keeps: matches have the same size on both sides.
#pragma once

#include <utility>
#include <vector>

#include "weft/proof/hazard_list.hpp"

namespace weft {

/// A message, by the tasks that send and receive it.
struct MessageMatch {
  int sender = 0, send = 0;
  int receiver = 0, receive = 0;
};

/// One collective, by the task of each member.
struct CollectiveMatch {
  std::vector<int> ranks, tasks;
  /// Whether every member sends something to every other.
  bool all_to_all = false;
  /// If not all_to_all: pairs of members of which the first sends something to the second.
  std::vector<std::pair<int, int>> moves;
};

/// All matches of one direction.
struct Matches {
  std::vector<MessageMatch> messages;
  std::vector<CollectiveMatch> collectives;
};

/// Matches the messages and collectives of one direction. Adds those without a match to `hazards`.
Matches match_messages(const ProgramSet& set, int direction, HazardList& hazards);

/// Checks that the ranks of a node have the same signals, that each signal is raised by as many
/// ranks as it says, and by each rank at most once.
void check_signals(const ProgramSet& set, int direction, HazardList& hazards);

}  // namespace weft
