// device/rank_devices: counts the ranks of each device.

#include "weft/device/rank_devices.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "weft/base/ensure.hpp"

namespace weft {

namespace {

void check(std::size_t rank, const DevicesSeen& seen) {
  const auto count = static_cast<int>(seen.devices.size());
  if (count == 0) throw Error(Error::unsupported, fmt::format("rank {} has no device", rank));
  if (seen.asked < -1 || seen.asked >= count)
    throw Error(Error::invalid,
                fmt::format("rank {} is to use device {}, and has {} device{}", rank, seen.asked,
                            count, count == 1 ? "" : "s"),
                "devices are numbered from 0 on; -1 takes any");
}

}  // namespace

std::vector<RankDevice> rank_devices(const std::vector<int>& node_of_rank,
                                     const std::vector<DevicesSeen>& seen) {
  ensure(node_of_rank.size() == seen.size(), node_of_rank.size(), seen.size());
  std::map<std::pair<int, std::int64_t>, int> ranks_of;  // by node and device
  const auto count_of = [&](std::size_t rank, std::size_t number) -> int& {
    return ranks_of[{node_of_rank[rank], seen[rank].devices[number]}];
  };
  std::vector<std::size_t> numbers(seen.size());
  for (std::size_t rank = 0; rank < seen.size(); ++rank) {
    check(rank, seen[rank]);
    if (seen[rank].asked < 0) continue;
    numbers[rank] = static_cast<std::size_t>(seen[rank].asked);
    ++count_of(rank, numbers[rank]);
  }
  // Each takes the device that the fewest use; then those that see the same ones are put in order.
  std::map<std::pair<int, std::vector<std::int64_t>>, std::vector<std::size_t>> alike;
  for (std::size_t rank = 0; rank < seen.size(); ++rank) {
    if (seen[rank].asked >= 0) continue;
    for (std::size_t number = 0; number < seen[rank].devices.size(); ++number)
      if (count_of(rank, number) < count_of(rank, numbers[rank])) numbers[rank] = number;
    ++count_of(rank, numbers[rank]);
    alike[{node_of_rank[rank], seen[rank].devices}].push_back(rank);
  }
  for (const auto& [what, ranks] : alike) {
    std::vector<std::size_t> taken;
    for (const std::size_t rank : ranks) taken.push_back(numbers[rank]);
    std::ranges::sort(taken);
    for (std::size_t i = 0; i < ranks.size(); ++i) numbers[ranks[i]] = taken[i];
  }
  std::vector<RankDevice> all;
  for (std::size_t rank = 0; rank < seen.size(); ++rank)
    all.push_back({static_cast<int>(numbers[rank]), count_of(rank, numbers[rank])});
  return all;
}

}  // namespace weft
