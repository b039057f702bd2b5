// exchange/sharing: tries it, and divides the nodes.

#include "weft/exchange/sharing.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "weft/comm/agreement.hpp"
#include "weft/exchange/device_trial.hpp"
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

// What a rank offers to the others of its node.
struct Offer {
  SharedRegionHandle memory;  // of no process if it can make none
  DeviceTrial::Offer device;
};

// Why this rank cannot use the memory of another one; empty if it can. `refusal` says why this rank
// can make none.
std::string why_not_host(const Offer& mine, const Offer& theirs, const std::string& refusal) {
  if (mine.memory.process == 0) return refusal;
  if (theirs.memory.process == 0) return "it can make none";
  if (theirs.memory.process == mine.memory.process)
    return fmt::format(
        "both are process {}, so they are in different PID namespaces, as "
        "containers have",
        theirs.memory.process);
  return refusal_of([&] { SharedRegion::open(theirs.memory); });
}

Found try_to_map(int me, const std::vector<int>& node_of_rank, const std::vector<Offer>& offers,
                 const std::string& refusal, const DeviceTrial& trial) {
  Found found;
  for (int rank = 0; std::cmp_less(rank, node_of_rank.size()); ++rank) {
    if (rank == me || node_of_rank[at(rank)] != node_of_rank[at(me)]) continue;
    const Offer& theirs = offers[at(rank)];
    std::string why_not = why_not_host(offers[at(me)], theirs, refusal);
    if (why_not.empty()) why_not = trial.why_not(theirs.device);
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

Sharing sharing_of(const Communicator& comm, const std::vector<int>& node_of_rank,
                   const Device& device) {
  SharedRegion trial;
  DeviceTrial device_trial;
  std::string refusal;
  Offer offered;
  std::vector<Offer> offers;
  Sharing all_share;
  bool is_tried = false;
  agree(comm, [&] {
    all_share = {node_of_rank, ""};
    const std::set<int> nodes(node_of_rank.begin(), node_of_rank.end());
    is_tried = nodes.size() < node_of_rank.size();
    if (!is_tried) return;
    refusal = refusal_of([&] { trial = SharedRegion(trial_bytes); });
    if (refusal.empty()) offered.memory = trial.handle();
    device_trial = DeviceTrial(device);
    offered.device = device_trial.offer();
    offers.resize(node_of_rank.size());
  });
  if (!is_tried) return all_share;
  comm.gather(&offered, static_cast<int>(sizeof offered), offers.data());
  Found found;
  const auto [refused] = agree_on_largest(comm, [&] {
    found = try_to_map(comm.rank(), node_of_rank, offers, refusal, device_trial);
    return std::array<std::int64_t, 1>{found.why_not.empty() ? 0 : comm.size() - comm.rank()};
  });
  if (refused == 0) return all_share;
  const int first = comm.size() - static_cast<int>(refused);
  const std::string why_not = comm.broadcast(found.why_not, first);
  const auto unreachable = comm.gather_all(found.unreachable);
  return agree(comm, [&] { return Sharing{divided(node_of_rank, unreachable), why_not}; });
}

}  // namespace weft
