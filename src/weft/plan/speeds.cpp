// plan/speeds: asks the probes of links and memory, and keeps what they say.

#include "weft/plan/speeds.hpp"

#include <algorithm>
#include <map>
#include <mutex>

#include "weft/base/simulation.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/cores.hpp"
#include "weft/comm/link_probe.hpp"
#include "weft/memory/walk_probe.hpp"

namespace weft {

namespace {

// What this process has measured, by the nodes of the ranks.
class Known {
 public:
  Speeds find(const std::vector<int>& nodes) {
    const std::lock_guard lock(guard_);
    const auto found = of_nodes_.find(nodes);
    return found == of_nodes_.end() ? Speeds{} : found->second;
  }
  void add(const std::vector<int>& nodes, const Speeds& speeds) {
    const std::lock_guard lock(guard_);
    of_nodes_[nodes] = speeds;
  }

 private:
  std::mutex guard_;
  std::map<std::vector<int>, Speeds> of_nodes_;
};

Known& known() {
  static Known of_process;
  return of_process;
}

// The same on all ranks. Collective.
bool may_measure(const Communicator& comm, const std::vector<int>& node_of_rank,
                 const Options& options) {
  const bool is_one_node = node_of_rank.empty()
                               ? comm.size() == 1
                               : *std::max_element(node_of_rank.begin(), node_of_rank.end()) == 0;
  if (is_simulated || is_one_node || options.effort == Effort::estimate || options.reproducible)
    return false;
  return comm.max(std::int64_t{core_share(comm).takes_turns}) == 0;
}

}  // namespace

Speeds measured_speeds(const Communicator& comm, const std::vector<int>& node_of_rank,
                       const Options& options) {
  if (!may_measure(comm, node_of_rank, options)) return {};
  Speeds speeds = agree(comm, [&] { return known().find(node_of_rank); });
  // Ranks that others have measured with may be here, too: all know it, or all measure.
  if (comm.min(std::int64_t{speeds.are_known()}) == 0) {
    speeds.walked_bytes_per_second = agree(comm, [] { return probed_walk(); });
    const LinkProbe link = probed_links(comm, node_of_rank);
    speeds.node_bytes_per_second = link.bytes_per_second;
    speeds.message_seconds = link.message_seconds;
  }
  speeds.walked_bytes_per_second = -comm.max(-speeds.walked_bytes_per_second);
  speeds.node_bytes_per_second = -comm.max(-speeds.node_bytes_per_second);
  speeds.message_seconds = comm.max(speeds.message_seconds);
  agree(comm, [&] { known().add(node_of_rank, speeds); });
  return speeds;
}

}  // namespace weft
