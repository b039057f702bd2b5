// planning/pairwise: places within groups, and sums over rounds.

#include "weft/planning/pairwise.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "weft/grid/overlap_points.hpp"

namespace weft {

namespace {

std::size_t index(int number) { return static_cast<std::size_t>(number); }

}  // namespace

int pairwise_round(int from, int to, int size) {
  if (std::has_single_bit(static_cast<unsigned>(size))) return from ^ to;
  return (to - from + size) % size;
}

PairwiseGroups::PairwiseGroups(const Decomposition& from, const Decomposition& to)
    : place_(index(from.owners()), 0), size_(index(from.owners()), 0) {
  // The lowest rank known to be of the group; the lowest of all once paths are short.
  std::vector<int> group(place_.size());
  std::iota(group.begin(), group.end(), 0);
  const auto lowest = [&](int rank) {
    while (group[index(rank)] != rank) rank = group[index(rank)] = group[index(group[index(rank)])];
    return rank;
  };
  for (int rank = 0; rank < from.owners(); ++rank)
    for (const Box& box : from.boxes(rank))
      for_each_overlap_points(to, box, [&](int peer, std::int64_t) {
        const auto [low, high] = std::minmax({lowest(rank), lowest(peer)});
        group[index(high)] = low;
      });
  for (int rank = 0; rank < from.owners(); ++rank)
    place_[index(rank)] = size_[index(lowest(rank))]++;
  for (int rank = 0; rank < from.owners(); ++rank) size_[index(rank)] = size_[index(lowest(rank))];
}

int PairwiseGroups::round(int from, int to) const {
  return pairwise_round(place_[index(from)], place_[index(to)], size_[index(from)]);
}

PairwiseLoads::Sums PairwiseLoads::sums(const Network& network) const {
  std::vector<Message> messages = messages_;
  std::stable_sort(messages.begin(), messages.end(),
                   [](const Message& a, const Message& b) { return a.round < b.round; });
  Sums sums;
  for (auto first = messages.begin(); first != messages.end();) {
    LinkLoads loads(network);
    const int round = first->round;
    for (; first != messages.end() && first->round == round; ++first)
      loads.add(first->from, first->to, first->bytes);
    sums.links += loads.busiest().seconds;
    sums.latency += loads.longest_latency();
  }
  return sums;
}

}  // namespace weft
