// exchange/sharing: tries it, and divides the nodes.

#include "weft/exchange/sharing.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "weft/comm/agreement.hpp"
#include "weft/memory/shared_region.hpp"
#include "weft/program/index.hpp"

namespace weft {

namespace {

constexpr std::int64_t trial_bytes = 8;

// What this rank has found out about the other ranks of its node.
struct Found {
  std::vector<std::int64_t> unreachable;  // ranks whose memory it cannot map
  std::string why_not;                    // of the first of them
};

// Runs `body`. Returns the reason if it is not possible here; a shortage stays an error.
template <class Body>
std::string refusal_of(const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    if (error.code() != Error::unsupported) throw;
    return error.message();
  }
  return {};
}

// `handles` are those of no process for ranks that can make no memory; `refusal` says why this rank
// cannot.
Found try_to_map(int me, const std::vector<int>& node_of_rank,
                 const std::vector<SharedRegionHandle>& handles, const std::string& refusal) {
  Found found;
  for (int rank = 0; std::cmp_less(rank, node_of_rank.size()); ++rank) {
    if (rank == me || node_of_rank[at(rank)] != node_of_rank[at(me)]) continue;
    const SharedRegionHandle& mine = handles[at(me)];
    const SharedRegionHandle& theirs = handles[at(rank)];
    std::string why_not;
    if (mine.process == 0 || theirs.process == 0)
      why_not = mine.process == 0 ? refusal : "it can make none";
    else if (theirs.process == mine.process)
      why_not = fmt::format(
          "both are process {}, so they are in different PID namespaces, as "
          "containers have",
          theirs.process);
    else
      why_not = refusal_of([&] { SharedRegion::open(theirs); });
    if (why_not.empty()) continue;
    if (found.unreachable.empty())
      found.why_not = fmt::format("rank {} cannot use the memory of rank {} on its node: {}", me,
                                  rank, why_not);
    found.unreachable.push_back(rank);
  }
  return found;
}

// Every rank joins the first group of its node of which all ranks and it can map each other's
// memory.
std::vector<int> divided(const std::vector<int>& node_of_rank,
                         const std::vector<std::vector<std::int64_t>>& unreachable) {
  std::set<std::pair<int, int>> strangers;
  for (int rank = 0; std::cmp_less(rank, unreachable.size()); ++rank)
    for (const std::int64_t other : unreachable[at(rank)]) {
      strangers.emplace(rank, static_cast<int>(other));
      strangers.emplace(static_cast<int>(other), rank);
    }
  std::vector<std::vector<int>> groups;
  std::vector<int> group_of_rank;
  for (int rank = 0; std::cmp_less(rank, node_of_rank.size()); ++rank) {
    auto group = std::find_if(groups.begin(), groups.end(), [&](const std::vector<int>& members) {
      return node_of_rank[at(members.front())] == node_of_rank[at(rank)] &&
             std::none_of(members.begin(), members.end(), [&](int member) {
               return strangers.contains({rank, member});
             });
    });
    if (group == groups.end()) group = groups.emplace(groups.end());
    group->push_back(rank);
    group_of_rank.push_back(static_cast<int>(group - groups.begin()));
  }
  return group_of_rank;
}

}  // namespace

Sharing sharing_of(const Communicator& comm, const std::vector<int>& node_of_rank) {
  SharedRegion trial;
  std::string refusal;
  SharedRegionHandle offered;
  std::vector<SharedRegionHandle> handles;
  Sharing all_share;
  bool is_tried = false;
  agree(comm, [&] {
    all_share = {node_of_rank, ""};
    const std::set<int> nodes(node_of_rank.begin(), node_of_rank.end());
    is_tried = nodes.size() < node_of_rank.size();
    if (!is_tried) return;
    refusal = refusal_of([&] { trial = SharedRegion(trial_bytes); });
    if (refusal.empty()) offered = trial.handle();
    handles.resize(node_of_rank.size());
  });
  if (!is_tried) return all_share;
  comm.gather(&offered, static_cast<int>(sizeof offered), handles.data());
  Found found;
  const auto [refused] = agree_on_largest(comm, [&] {
    found = try_to_map(comm.rank(), node_of_rank, handles, refusal);
    return std::array<std::int64_t, 1>{found.why_not.empty() ? 0 : comm.size() - comm.rank()};
  });
  if (refused == 0) return all_share;
  const int first = comm.size() - static_cast<int>(refused);
  const std::string why_not = comm.broadcast(found.why_not, first);
  const auto unreachable = comm.gather_all(found.unreachable);
  return agree(comm, [&] { return Sharing{divided(node_of_rank, unreachable), why_not}; });
}

}  // namespace weft
