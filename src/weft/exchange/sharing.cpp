// exchange/sharing: tries it, and divides the nodes.

#include "weft/exchange/sharing.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "weft/base/ensure.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/program/index.hpp"

namespace weft {

namespace {

constexpr std::int64_t trial_bytes = 8;

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

SharingTrial::SharingTrial(const Communicator& comm, std::vector<int> node_of_rank)
    : node_of_rank_(std::move(node_of_rank)) {
  ensure(std::cmp_equal(node_of_rank_.size(), comm.size()), node_of_rank_.size(), comm.size());
  const std::set<int> nodes(node_of_rank_.begin(), node_of_rank_.end());
  is_needed_ = nodes.size() < node_of_rank_.size();
  if (!is_needed_) return;
  refusal_ = refusal_of([&] { memory_ = SharedRegion(trial_bytes); });
  if (refusal_.empty()) offer_.memory = memory_.handle();
}

void SharingTrial::add(const Device& device) {
  if (!is_needed_) return;
  device_ = DeviceTrial(device);
  offer_.device = device_.offer();
}

// Why this rank cannot use the memory of another one; empty if it can.
std::string SharingTrial::why_not(const Offer* theirs) const {
  if (theirs == nullptr) return "it is on another machine";
  if (offer_.memory.process == 0) return refusal_;
  if (theirs->memory.process == 0) return "it can make none";
  if (theirs->memory.process == offer_.memory.process)
    return fmt::format(
        "both are process {}, so they are in different PID namespaces, as "
        "containers have",
        theirs->memory.process);
  std::string of_memory = refusal_of([&] { SharedRegion::open(theirs->memory); });
  return of_memory.empty() ? device_.why_not(theirs->device) : of_memory;
}

void SharingTrial::try_to_map(int me, const OfferOf& offer_of) {
  for (int rank = 0; std::cmp_less(rank, node_of_rank_.size()); ++rank) {
    if (rank == me || node_of_rank_[at(rank)] != node_of_rank_[at(me)]) continue;
    const std::string reason = why_not(offer_of(rank));
    if (reason.empty()) continue;
    if (unreachable_.empty())
      why_not_ =
          fmt::format("rank {} cannot use the memory of rank {} on its node: {}", me, rank, reason);
    unreachable_.push_back(rank);
  }
}

// The memory stays until all have tried to map it.
Sharing SharingTrial::sharing(const Communicator& comm, const OfferOf& offer_of) {
  if (!is_needed_) return {std::move(node_of_rank_), ""};
  Sharing all_share;
  const auto [refused] = agree_on_largest(comm, [&] {
    all_share.node_of_rank = node_of_rank_;
    try_to_map(comm.rank(), offer_of);
    return std::array<std::int64_t, 1>{why_not_.empty() ? 0 : comm.size() - comm.rank()};
  });
  if (refused == 0) return all_share;
  const int first = comm.size() - static_cast<int>(refused);
  const std::string why_not = comm.broadcast(why_not_, first);
  const auto unreachable = comm.gather_all(unreachable_);
  return agree(comm, [&] { return Sharing{divided(node_of_rank_, unreachable), why_not}; });
}

Sharing sharing_of(const Communicator& comm, const std::vector<int>& node_of_rank,
                   const Device& device) {
  std::optional<SharingTrial> trial;
  std::vector<SharingTrial::Offer> offers;
  agree(comm, [&] {
    trial.emplace(comm, node_of_rank);
    trial->add(device);
    offers.resize(node_of_rank.size());
  });
  comm.gather(&trial->offer(), static_cast<int>(sizeof(SharingTrial::Offer)), offers.data());
  return trial->sharing(comm, [&](int rank) { return &offers[at(rank)]; });
}

}  // namespace weft
