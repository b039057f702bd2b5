// plan/device_here: asks the ranks of the node.

#include "weft/plan/device_here.hpp"

#include "weft/exchange/device_agreement.hpp"

namespace weft {

Device device_here(const Communicator& comm, const Options& options, const Machine& machine) {
  if (!is_driver(options.engine)) return {};
  DeviceDriver& driver = find_driver(options.engine).get();
  std::vector<int> nodes = machine.node_of_rank;
  const auto devices = agreed_devices(comm, nodes, driver, options.device);
  return {&driver, devices[static_cast<std::size_t>(comm.rank())].number};
}

}  // namespace weft
