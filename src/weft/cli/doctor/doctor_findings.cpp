// cli/doctor/doctor_findings: one function for each finding.

#include "weft/cli/doctor/doctor_findings.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "weft/base/ensure.hpp"
#include "weft/cli/report_parts.hpp"

namespace weft::cli {

namespace {

constexpr Threshold busy{"busy", 1.3,
                         "repeated measurements of an idle machine differ by a few percent"};
constexpr Threshold slow_engine{"slow_engine", 1.2,
                                "engines that differ by less change places from length to length"};
constexpr Threshold slow_pair{"slow_pair", 8,
                              "a message through shared memory is copied once or twice, which "
                              "loads and stores it two to four "
                              "times; the network stack takes more than twice as long as that"};
constexpr Threshold slow_latency{
    "slow_latency", 3e-6,
    "a message through shared memory takes 0.2 to 1 microseconds, through the network stack of a "
    "host 5 and more"};
constexpr Threshold uneven_links{"uneven_links", 1.5,
                                 "equal links differ by less, as messages follow one another"};
constexpr Threshold slow_alltoallv{
    "slow_alltoallv", 1.5,
    "both move the same bytes; below 256 bytes a pair, which is not measured, twice is usual"};
constexpr Threshold no_overlap{"no_overlap", 0.2,
                               "less than this is within the uncertainty of the measurement"};

std::string numbers_of(const std::set<std::int64_t>& numbers) {
  constexpr std::size_t most_shown = 8;
  std::vector<std::int64_t> shown(numbers.begin(), numbers.end());
  const bool is_cut = shown.size() > most_shown;
  if (is_cut) shown.resize(most_shown);
  return fmt::format("{}{}", fmt::join(shown, ","), is_cut ? ",..." : "");
}

std::string some_ranks(const std::vector<int>& ranks) {
  return numbers_of({ranks.begin(), ranks.end()});
}

// What the ranks of a host have and use.
struct HostUse {
  int host = 0, threads = 0;
  std::vector<int> ranks;
  std::set<std::int64_t> processors, cores;  // of all ranks
  int most_processors = 1, most_cores = 1;   // that the job may have there
};

HostUse use_of(const JobFacts& job, int number) {
  HostUse use;
  use.host = number;
  for (std::size_t r = 0; r < job.ranks.size(); ++r) {
    const RankPlace& place = job.ranks[r];
    if (place.host != number) continue;
    use.ranks.push_back(static_cast<int>(r));
    use.threads += place.threads;
    use.processors.insert(place.processors.begin(), place.processors.end());
    use.cores.insert(place.cores.begin(), place.cores.end());
  }
  const Host& host = job.hosts[static_cast<std::size_t>(number)];
  const auto within = [&](int all) { return host.quota == 0 ? all : std::min(all, host.quota); };
  use.most_processors = within(host.processors);
  use.most_cores = within(host.cores);
  return use;
}

std::string threads_text(const HostUse& use) {
  return counted(static_cast<std::size_t>(use.threads), "thread");
}
std::string processors_text(const HostUse& use) {
  return counted(static_cast<std::size_t>(use.most_processors), "processor");
}

bool is_oversubscribed(const HostUse& use) { return use.threads > use.most_processors; }

// The ranks of a host that have to share processors with others, though there are enough for all.
std::vector<int> crowded_ranks(const JobFacts& job, const HostUse& use) {
  std::vector<int> crowded;
  if (is_oversubscribed(use)) return crowded;
  for (const int rank : use.ranks) {
    const RankPlace& mine = job.ranks[static_cast<std::size_t>(rank)];
    int threads = 0;  // of all that may run on these processors only
    for (const int other : use.ranks) {
      const RankPlace& place = job.ranks[static_cast<std::size_t>(other)];
      if (std::ranges::includes(mine.processors, place.processors)) threads += place.threads;
    }
    if (threads > static_cast<int>(mine.processors.size())) crowded.push_back(rank);
  }
  return crowded;
}

// The first host of which `find` finds something.
template <class Find>
std::optional<Finding> on_a_host(const MachineMeasurement& measured, const Find& find) {
  for (std::size_t h = 0; h < measured.job.hosts.size(); ++h)
    if (auto found = find(use_of(measured.job, static_cast<int>(h)))) return found;
  return {};
}

bool takes_turns(const MachineMeasurement& measured) {
  return on_a_host(measured,
                   [&](const HostUse& use) -> std::optional<Finding> {
                     if (is_oversubscribed(use) || !crowded_ranks(measured.job, use).empty())
                       return Finding{};
                     return {};
                   })
      .has_value();
}

std::optional<Finding> oversubscribed(const MachineMeasurement& measured) {
  return on_a_host(measured, [](const HostUse& use) -> std::optional<Finding> {
    if (!is_oversubscribed(use)) return {};
    return Finding{
        "oversubscribed",
        fmt::format("host {} has {} with {} in all, but {}: they take turns, so the measured times "
                    "say little, and are not judged",
                    use.host, counted(use.ranks.size(), "rank"), threads_text(use),
                    processors_text(use)),
        fmt::format("start at most {} on this host, or fewer threads a rank (--threads, "
                    "OMP_NUM_THREADS)",
                    counted(static_cast<std::size_t>(use.most_processors), "rank"))};
  });
}

std::optional<Finding> same_core(const MachineMeasurement& measured) {
  return on_a_host(measured, [&](const HostUse& use) -> std::optional<Finding> {
    const std::vector<int> crowded = crowded_ranks(measured.job, use);
    if (crowded.empty()) return {};
    return Finding{
        "same_core",
        fmt::format("the ranks {} of host {} are bound to the same cores and take turns there, "
                    "though the host has {}; the measured times are not judged",
                    some_ranks(crowded), use.host, processors_text(use)),
        "let the launcher bind each rank to cores of its own: --map-by core --bind-to core (Open "
        "MPI), -bind-to core (MPICH), --cpu-bind=cores (srun)"};
  });
}

std::optional<Finding> unbound(const MachineMeasurement& measured) {
  return on_a_host(measured, [&](const HostUse& use) -> std::optional<Finding> {
    if (is_oversubscribed(use) || !crowded_ranks(measured.job, use).empty()) return {};
    std::set<std::int64_t> taken;
    for (const int rank : use.ranks)
      for (const std::int64_t core : measured.job.ranks[static_cast<std::size_t>(rank)].cores)
        if (!taken.insert(core).second)
          return Finding{
              "unbound",
              fmt::format("several ranks of host {} may run on the same cores, {} among them: the "
                          "system may move them away from their caches and their memory",
                          use.host, core),
              "bind ranks: --bind-to core, or --map-by slot:PE=T for T threads a rank (Open MPI), "
              "-bind-to core:T (MPICH), --cpu-bind=cores (srun)"};
    return {};
  });
}

std::optional<Finding> idle_cores(const MachineMeasurement& measured) {
  return on_a_host(measured, [](const HostUse& use) -> std::optional<Finding> {
    const int used = std::min(use.threads, static_cast<int>(use.cores.size()));
    if (used >= use.most_cores) return {};
    return Finding{
        "idle_cores",
        fmt::format(
            "{} of the {} cores of host {} do nothing: the job has {} with {} in all there, "
            "on {}",
            use.most_cores - used, use.most_cores, use.host, counted(use.ranks.size(), "rank"),
            threads_text(use), counted(use.cores.size(), "core")),
        "start more ranks, or let ranks have more threads and bind them to as many cores "
        "(--map-by slot:PE=T for Open MPI, --cpus-per-task for srun); if transforms are bound by "
        "memory, some idle cores cost nothing"};
  });
}

std::optional<Finding> not_shared(const MachineMeasurement& measured) {
  const std::string& why = measured.job.why_not_shared;
  if (why.empty()) return {};
  return Finding{"not_shared",
                 "ranks of a node cannot map each other's memory, so that they exchange messages "
                 "instead: " +
                     why,
                 "start the ranks of a node as one user, in one container, and allow them to open "
                 "each other's memory"};
}

std::optional<Finding> huge_pages(const MachineMeasurement& measured) {
  if (measured.job.huge_pages != "never") return {};
  return Finding{"huge_pages",
                 "the system gives no transparent huge pages: walks with large strides, as "
                 "transforms have, wait for the translation of addresses",
                 "as root: echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"};
}

std::optional<Finding> no_mpi_threads(const MachineMeasurement& measured) {
  if (measured.job.has_mpi_threads) return {};
  return Finding{"no_mpi_threads",
                 fmt::format("{} does not provide MPI_THREAD_MULTIPLE: --progress thread "
                             "(Progress::by_thread) is refused",
                             measured.job.mpi),
                 "use an MPI that was built with support for threads; the other choices of "
                 "progress do not need it"};
}

std::optional<Finding> busy_machine(const MachineMeasurement& measured) {
  double most = 1;
  std::string of;
  const auto look_at = [&](double spread, const std::string& what) {
    if (spread <= most) return;
    most = spread;
    of = what;
  };
  for (const MemorySpeed& speed : measured.memory.speeds)
    look_at(speed.spread, fmt::format("memory with {} at work",
                                      counted(static_cast<std::size_t>(speed.cores), "core")));
  for (const EngineMeasurement& engine : measured.engines)
    look_at(engine.spread, fmt::format("transforms of the engine {}", engine.name));
  look_at(measured.passes.spread, "whole transforms");
  if (most <= busy.value) return {};
  return Finding{"busy",
                 fmt::format("the machine is busy with something else: of repeated measurements of "
                             "{}, the median took {:.2f} times as long as the fastest, so the "
                             "figures are those of a busy machine",
                             of, most),
                 "run again when the machine is idle, or with more --seconds"};
}

std::optional<Finding> small_arrays(const MachineMeasurement& measured) {
  if (measured.memory.exceeds_caches) return {};
  return Finding{"small_arrays",
                 fmt::format("memory was measured with arrays of {:.1f} MB a core, which caches "
                             "may hold: its figures may be those of caches",
                             static_cast<double>(measured.memory.bytes_per_core) / 1e6),
                 "run with more --seconds, or when more memory is free"};
}

std::optional<Finding> slow_default_engine(const MachineMeasurement& measured) {
  if (measured.engines.empty()) return {};
  const EngineMeasurement& usual = measured.engines.front();
  const EngineMeasurement* fastest = nullptr;
  double most = slow_engine.value;
  for (const EngineMeasurement& other : measured.engines) {
    const std::size_t lengths = std::min(usual.speeds.size(), other.speeds.size());
    double sum = 0;
    for (std::size_t i = 0; i < lengths; ++i)
      sum += std::log(usual.speeds[i].mean() / other.speeds[i].mean());
    const double ratio = std::exp(sum / static_cast<double>(std::max<std::size_t>(1, lengths)));
    if (ratio <= most) continue;
    most = ratio;
    fastest = &other;
  }
  if (fastest == nullptr) return {};
  return Finding{"slow_engine",
                 fmt::format("the default engine {} takes {:.2f} times as long as {} (geometric "
                             "mean over all lengths)",
                             usual.name, most, fastest->name),
                 fmt::format("use --engine {} (Options::engine); plans that measure, which is the "
                             "default, try several engines for each pass",
                             fastest->name)};
}

// The pairs on one host, or the others, by ascending bandwidth.
std::vector<PairSpeed> sorted_pairs(const MachineMeasurement& measured, bool share_host) {
  std::vector<PairSpeed> pairs;
  for (const PairSpeed& pair : measured.messages.pairs)
    if (pair.share_host == share_host) pairs.push_back(pair);
  std::ranges::sort(pairs, {}, &PairSpeed::bytes_per_second);
  return pairs;
}

std::optional<Finding> slow_messages(const MachineMeasurement& measured) {
  auto pairs = sorted_pairs(measured, true);
  if (pairs.empty() || measured.memory.speeds.empty() || busy_machine(measured)) return {};
  const double memory = measured.memory.speeds.front().copy;
  const double speed = pairs[pairs.size() / 2].bytes_per_second;
  std::ranges::sort(pairs, {}, &PairSpeed::latency_seconds);
  const double latency = pairs[pairs.size() / 2].latency_seconds;
  const bool is_late = latency > slow_latency.value;
  if (speed * slow_pair.value >= memory && !is_late) return {};
  return Finding{
      "slow_pair",
      fmt::format(
          "messages between ranks of a host take {:.1f} us and carry {:.2f} GB/s, of the {:.1f} "
          "GB/s that a core loads and stores: they seem to {}",
          1e6 * latency, speed / 1e9, memory / 1e9,
          is_late ? "go through the network stack (TCP) instead of shared memory"
                  : "be copied through small buffers in shared memory, instead of once from one "
                    "rank's memory to the other's"),
      is_late ? "look for what forbids shared memory: --mca btl without vader or sm (Open MPI), "
                "FI_PROVIDER or UCX_TLS without shared memory, ranks in different containers"
              : "look for what forbids single copies (CMA, XPMEM, KNEM): a container without "
                "process_vm_readv, kernel.yama.ptrace_scope; ompi_info --param btl all --level 9 "
                "(Open MPI) or UCX_LOG_LEVEL=info tell the mechanism. Exchanges between ranks of a "
                "host that are `shared` send no messages"};
}

std::optional<Finding> uneven(const MachineMeasurement& measured) {
  constexpr std::size_t fewest = 3;  // of which there is a median that is not an extreme
  for (const bool share_host : {true, false}) {
    const auto pairs = sorted_pairs(measured, share_host);
    if (pairs.size() < fewest) continue;
    const PairSpeed& slowest = pairs.front();
    const double median = pairs[pairs.size() / 2].bytes_per_second;
    if (median <= uneven_links.value * slowest.bytes_per_second) continue;
    return Finding{
        "uneven_links",
        fmt::format("links differ: ranks {} and {}, on {}, exchange {:.2f} GB/s, but the median "
                    "pair {:.2f} GB/s",
                    slowest.first, slowest.second, share_host ? "one host" : "two hosts",
                    slowest.bytes_per_second / 1e9, median / 1e9),
        share_host ? "see the map of pairs (--html): if the slow pairs are on different sockets, "
                     "that is usual; else look for a rank that shares its core"
                   : "see the map of pairs (--html) for the host that all slow pairs have in "
                     "common; ask for other hosts, or tell who runs them"};
  }
  return {};
}

std::optional<Finding> slow_counts(const MachineMeasurement& measured) {
  const SizeCurve *equal = nullptr, *counted = nullptr;
  for (const SizeCurve& curve : measured.messages.curves) {
    if (curve.name == "MPI_Alltoall") equal = &curve;
    if (curve.name == "MPI_Alltoallv") counted = &curve;
  }
  if (equal == nullptr || counted == nullptr) return {};
  const std::size_t sizes = std::min(equal->times.size(), counted->times.size());
  double sum = 0, worst = 0;
  std::int64_t worst_bytes = 0;
  for (std::size_t i = 0; i < sizes; ++i) {
    const double ratio = counted->times[i].seconds / equal->times[i].seconds;
    sum += std::log(ratio);
    if (ratio <= worst) continue;
    worst = ratio;
    worst_bytes = counted->times[i].bytes;
  }
  const double mean = sizes == 0 ? 1 : std::exp(sum / static_cast<double>(sizes));
  if (mean <= slow_alltoallv.value) return {};
  return Finding{"slow_alltoallv",
                 fmt::format("MPI_Alltoallv takes {:.1f} times as long as MPI_Alltoall for the "
                             "same bytes (geometric mean over all sizes; {:.1f} times for {} bytes "
                             "a pair)",
                             mean, worst, worst_bytes),
                 "use --exchange p2p, node or alltoall, and not alltoallv; or choose another "
                 "algorithm of MPI (coll_tuned_alltoallv_algorithm of Open MPI)"};
}

std::optional<Finding> nothing_hidden(const MachineMeasurement& measured) {
  if (measured.job.hosts.size() < 2 || measured.overlap.empty()) return {};
  double most = 0;
  for (const OverlapSpeed& overlap : measured.overlap) most = std::max(most, overlap.hidden);
  if (most >= no_overlap.value) return {};
  return Finding{
      "no_overlap",
      fmt::format("no choice of progress hides more than {:.0f}% of the exchanges behind "
                  "computing",
                  100 * most),
      "MPI moves messages only while it is called: leave a core to --progress thread, "
      "or to a progress thread of MPI"};
}

// Time was up before all had been measured as often as it is on an idle machine.
std::optional<Finding> cut_short(const MachineMeasurement& measured) {
  if (measured.cut_short.empty()) return {};
  return Finding{"cut_short",
                 fmt::format("measuring took longer than on an idle machine, so that little or "
                             "nothing was measured of: {}",
                             fmt::join(measured.cut_short, ", ")),
                 "run again when the machine is idle, or with more --seconds"};
}

// What is found in times does not count where ranks take turns. And whether what is found makes
// figures wrong, or is what the machine is like.
enum class Judged { facts, times };
enum class Figures { wrong, right };
// The most important first.
struct FindingEntry {
  std::optional<Finding> (*find)(const MachineMeasurement&);
  Judged judged;
  Figures figures;
};
constexpr FindingEntry entries[] = {{oversubscribed, Judged::facts, Figures::wrong},
                                    {same_core, Judged::facts, Figures::wrong},
                                    {not_shared, Judged::facts, Figures::right},
                                    {slow_messages, Judged::times, Figures::right},
                                    {busy_machine, Judged::times, Figures::wrong},
                                    {cut_short, Judged::facts, Figures::wrong},
                                    {small_arrays, Judged::facts, Figures::wrong},
                                    {uneven, Judged::times, Figures::right},
                                    {slow_counts, Judged::times, Figures::right},
                                    {slow_default_engine, Judged::times, Figures::right},
                                    {huge_pages, Judged::facts, Figures::right},
                                    {unbound, Judged::facts, Figures::right},
                                    {idle_cores, Judged::facts, Figures::right},
                                    {nothing_hidden, Judged::times, Figures::right},
                                    {no_mpi_threads, Judged::facts, Figures::right}};

// Those of the entries for which `counts` holds.
template <class Counts>
std::vector<Finding> found_by(const MachineMeasurement& measured, const Counts& counts) {
  const bool times_count = !takes_turns(measured);
  std::vector<Finding> all;
  for (const FindingEntry& entry : entries)
    if (counts(entry) && (entry.judged == Judged::facts || times_count))
      if (auto finding = entry.find(measured)) all.push_back(*std::move(finding));
  return all;
}

}  // namespace

const std::vector<Threshold>& thresholds() {
  static const std::vector<Threshold> all{busy,         slow_engine,    slow_pair, slow_latency,
                                          uneven_links, slow_alltoallv, no_overlap};
  return all;
}

std::vector<Finding> findings_of(const MachineMeasurement& measured) {
  return found_by(measured, [](const FindingEntry&) { return true; });
}

MachineModel machine_with_findings(const MachineMeasurement& measured) {
  MachineModel machine = machine_of(measured);
  machine.findings =
      found_by(measured, [](const FindingEntry& entry) { return entry.figures == Figures::wrong; });
  return machine;
}

}  // namespace weft::cli
