// measuring/job_facts: asks the system and MPI, and tells all ranks.

#include "weft/measuring/job_facts.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <sstream>

#include "weft/base/cpu_quota.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/bindings.hpp"
#include "weft/comm/nodes.hpp"
#include "weft/memory/capacity.hpp"
#include "weft/plan/machine_here.hpp"

namespace weft {

namespace {

// Measurements leave the rest to what else runs. A choice.
constexpr std::int64_t spare_part = 8;

std::string name_of_host() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 && name[0] != 0 ? name.data() : "unnamed";
}

std::string huge_pages_here() {
  std::string line;
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::getline(file, line);
  return chosen_word(line);
}

// The quota of the control groups, in processors; 0: none.
int quota_here() {
  std::int64_t least = 0;
  for (const CpuQuota& quota : cpu_quotas())
    if (least == 0 || quota.millicores < least) least = quota.millicores;
  return static_cast<int>((least + 999) / 1000);
}

// What each rank tells, as numbers.
enum Told { host_cores, host_processors, host_quota, threads, free_bytes, numbers };

std::vector<std::vector<std::int64_t>> told_by_ranks(const Communicator& comm, int my_threads) {
  const auto mine = agree(comm, [&] {
    const CoreBinding host = binding_of_host();
    std::vector<std::int64_t> told(numbers);
    told[host_cores] = static_cast<std::int64_t>(host.cores.size());
    told[host_processors] = static_cast<std::int64_t>(host.processors.size());
    told[host_quota] = quota_here();
    told[threads] = my_threads;
    const AvailableMemory available = available_memory();
    told[free_bytes] = std::min(available.machine, available.process);
    return told;
  });
  return comm.gather_all(mine);
}

// The cores that the ranks of each host may use, at most as many as its quota allows.
std::vector<int> cores_of_hosts(const JobFacts& job) {
  std::vector<std::set<std::int64_t>> cores(job.hosts.size());
  for (const RankPlace& place : job.ranks)
    cores[static_cast<std::size_t>(place.host)].insert(place.cores.begin(), place.cores.end());
  std::vector<int> counts;
  for (std::size_t host = 0; host < cores.size(); ++host) {
    const int all = static_cast<int>(cores[host].size()), quota = job.hosts[host].quota;
    counts.push_back(std::max(1, quota == 0 ? all : std::min(all, quota)));
  }
  return counts;
}

// The largest node. A pretended one has the part of its host's cores that its ranks have of the
// host's ranks.
void count_nodes(JobFacts& job) {
  std::map<int, int> ranks_of_node, ranks_of_host;
  for (const RankPlace& place : job.ranks) {
    ++ranks_of_node[place.node];
    ++ranks_of_host[place.host];
  }
  const std::vector<int> cores = cores_of_hosts(job);
  for (const RankPlace& place : job.ranks) {
    const int of_node = ranks_of_node[place.node], of_host = ranks_of_host[place.host];
    job.nodes = std::max(job.nodes, place.node + 1);
    job.ranks_per_node = std::max(job.ranks_per_node, of_node);
    const int part = std::min(of_node, of_host);
    job.cores_per_node =
        std::max(job.cores_per_node, cores[static_cast<std::size_t>(place.host)] * part / of_host);
  }
}

void take(const std::vector<std::vector<std::int64_t>>& told,
          const std::vector<CoreBinding>& bindings, const std::vector<int>& nodes,
          const std::vector<int>& hosts, JobFacts& job) {
  std::vector<int> ranks_of_host;
  for (std::size_t r = 0; r < told.size(); ++r) {
    const auto host = static_cast<std::size_t>(hosts[r]);
    if (host >= job.hosts.size()) {
      job.hosts.resize(host + 1);
      ranks_of_host.resize(host + 1);
    }
    ++ranks_of_host[host];
    job.hosts[host] = {static_cast<int>(told[r][host_cores]),
                       static_cast<int>(told[r][host_processors]),
                       static_cast<int>(told[r][host_quota])};
    job.ranks.push_back({nodes[r], hosts[r], static_cast<int>(told[r][threads]),
                         bindings[r].processors, bindings[r].cores});
  }
  job.spare_bytes = std::numeric_limits<std::int64_t>::max();
  for (std::size_t r = 0; r < told.size(); ++r)
    job.spare_bytes =
        std::min(job.spare_bytes, told[r][free_bytes] / spare_part /
                                      ranks_of_host[static_cast<std::size_t>(hosts[r])]);
  count_nodes(job);
}

}  // namespace

std::string chosen_word(const std::string& line) {
  const auto begin = line.find('['), end = line.find(']');
  return begin == std::string::npos || end == std::string::npos || end < begin
             ? ""
             : line.substr(begin + 1, end - begin - 1);
}

JobFacts job_facts(const Communicator& comm, const Options& options, const std::string& name) {
  const Machine machine = machine_here(comm, options);
  const std::vector<int> nodes =
      nodes_of_ranks(comm, agreed_node_sizes(comm, options.pretend.node_sizes));
  const std::vector<int> hosts = nodes_of_ranks(comm);
  const auto bindings = bindings_of_ranks(comm);
  const auto told = told_by_ranks(comm, machine.threads(comm.rank()));
  JobFacts job = agree(comm, [&] {
    JobFacts facts;
    take(told, bindings, nodes, hosts, facts);
    facts.name = name.empty() ? name_of_host() : name;
    facts.mpi = mpi_version();
    facts.huge_pages = huge_pages_here();
    facts.has_mpi_threads = mpi_allows_threads();
    facts.why_not_shared = machine.why_not_shared;
    facts.cache_bytes = machine.cache_bytes;
    facts.shared_cache_bytes = machine.shared_cache_bytes * facts.ranks_per_node;
    return facts;
  });
  // If the hosts differ, the host of the first rank is described, except that one host that refuses
  // is enough.
  const std::int64_t refuses = job.huge_pages == "never" ? 1 : 0;
  if (comm.max(refuses) > 0) job.huge_pages = "never";
  job.huge_pages = comm.broadcast(job.huge_pages, 0);
  job.name = comm.broadcast(job.name, 0);
  return job;
}

}  // namespace weft
