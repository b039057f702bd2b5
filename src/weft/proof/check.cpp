// proof/check: the steps of the proof, one after the other.

#include "weft/proof/check.hpp"

#include <algorithm>
#include <memory>

#include "weft/proof/check_memory.hpp"
#include "weft/proof/check_structure.hpp"

namespace weft {

namespace {

// Nodes are checked in batches of up to this number of ranks: one walk over the events of a run
// then serves all ranks of a batch.
constexpr std::size_t ranks_of_batch = 32;

std::vector<std::vector<int>> batches_of(const ProgramSet& set) {
  std::vector<std::vector<int>> nodes(set.node_of_rank.size());
  for (int rank = 0; rank < ranks_of(set); ++rank)
    nodes[static_cast<std::size_t>(set.node_of_rank[static_cast<std::size_t>(rank)])].push_back(
        rank);
  std::vector<std::vector<int>> batches;
  for (const auto& ranks : nodes) {
    if (ranks.empty()) continue;
    if (batches.empty() || batches.back().size() + ranks.size() > ranks_of_batch)
      batches.emplace_back();
    batches.back().insert(batches.back().end(), ranks.begin(), ranks.end());
  }
  return batches;
}

std::vector<int> directions_of(const ProgramSet& set, const std::string& runs) {
  std::vector<int> found;
  for (const char run : runs)
    if (run == 'F' || !set.backward.empty()) found.push_back(run == 'F' ? 0 : 1);
  return found;
}

}  // namespace

std::vector<Hazard> check(const ProgramSet& set, const CheckOptions& options) {
  HazardList hazards(options.most_hazards);
  check_structure(set, hazards);
  if (!hazards.empty()) return hazards.hazards();
  std::vector<std::unique_ptr<OrderGraph>> graphs;
  std::vector<Knowledge::Direction> all(directions);
  for (int direction = 0; direction < directions; ++direction) {
    if (programs_of(set, direction).empty()) continue;
    const Matches matches = match_messages(set, direction, hazards);
    check_signals(set, direction, hazards);
    if (!hazards.empty()) return hazards.hazards();
    graphs.push_back(std::make_unique<OrderGraph>(set, direction, matches));
    Knowledge::Direction& here = all[static_cast<std::size_t>(direction)];
    here.graph = graphs.back().get();
    here.order = here.graph->sorted(hazards);
    for (const Program& program : programs_of(set, direction))
      here.bits.push_back(task_bits(program));
  }
  if (!hazards.empty()) return hazards.hazards();
  const std::vector<int> runs = directions_of(set, options.runs);
  for (const bool in_one_array : {true, false}) {
    if (in_one_array && !set.in_place) continue;
    for (const auto& ranks : batches_of(set))
      if (!hazards.is_full()) check_memory({set, all, runs, in_one_array}, ranks, hazards);
  }
  return hazards.hazards();
}

}  // namespace weft
