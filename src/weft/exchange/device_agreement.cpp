// exchange/device_agreement: gathers what ranks see and ask for.

#include "weft/exchange/device_agreement.hpp"

#include "weft/base/fingerprint.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/device/driver.hpp"

namespace weft {

std::vector<RankDevice> agreed_devices(const Communicator& comm,
                                       const std::vector<int>& node_of_rank,
                                       const DeviceDriver& driver, int asked) {
  // What this rank asks for, and its devices, which their PCI buses tell apart.
  const std::vector<std::int64_t> mine = agree(comm, [&] {
    std::vector<std::int64_t> numbers{asked};
    for (int device = 0; device < driver.devices(); ++device)
      numbers.push_back(fingerprint(driver.traits(device).bus)[0]);
    return numbers;
  });
  const auto all = comm.gather_all(mine);
  return agree(comm, [&] {
    std::vector<DevicesSeen> seen;
    for (const std::vector<std::int64_t>& numbers : all)
      seen.push_back({static_cast<int>(numbers.front()), {numbers.begin() + 1, numbers.end()}});
    return rank_devices(node_of_rank, seen);
  });
}

}  // namespace weft
