// plan/speeds: asks the probes of links, memory and transforms, and keeps what they say.

#include "weft/plan/speeds.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "weft/base/simulation.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/link_probe.hpp"
#include "weft/comm/nodes.hpp"
#include "weft/compute/line_trial.hpp"
#include "weft/fft/engine.hpp"
#include "weft/machine/machine_model.hpp"
#include "weft/memory/capacity.hpp"
#include "weft/memory/walk_probe.hpp"

namespace weft {

namespace {

// What this process has measured, by the nodes and the threads of the ranks.
class Known {
 public:
  Speeds find(const Machine& machine) {
    const std::lock_guard lock(guard_);
    const auto found = of_.find(key(machine));
    return found == of_.end() ? Speeds{} : found->second;
  }
  void add(const Machine& machine, const Speeds& speeds) {
    const std::lock_guard lock(guard_);
    of_[key(machine)] = speeds;
  }

 private:
  using Key = std::tuple<std::vector<int>, std::vector<int>, std::int64_t, std::int64_t>;
  static Key key(const Machine& machine) {
    return {machine.node_of_rank, machine.threads_of_rank, machine.cache_bytes,
            machine.shared_cache_bytes};
  }

  std::mutex guard_;
  std::map<Key, Speeds> of_;
};

Known& known() {
  static Known of_process;
  return of_process;
}

// Threads that take turns on the cores would find what others have left in the caches, and take
// seconds. Nor is anything measured where memory is scarce, since plans need no such arrays. Not
// collective.
bool may_measure(const Communicator& comm, const Machine& machine, const CoreShare& share) {
  if (is_simulated) return pass_seconds_per_byte() > 0;
  // A choice, of what all ranks of a machine take together, which measure at the same time.
  constexpr std::int64_t part_of_memory = 16;
  const int threads = machine.threads(comm.rank());
  const std::int64_t ranks_here = comm.on_this_machine().size();
  return !share.takes_turns && threads <= share.cores &&
         WalkProbe::bytes(threads) <= memory_capacity().least() / part_of_memory / ranks_here;
}

// The speeds of a simulated host. Its passes take what was told for each byte that they load, and
// store as much; its transforms take no time.
Speeds told_here() {
  constexpr double no_seconds = 1e-15;
  Speeds speeds;
  speeds.walked_bytes_per_second = 2 / pass_seconds_per_byte();
  speeds.transform_seconds_per_point = no_seconds;
  return speeds;
}

// The speeds of this rank while all ranks do the same: the fastest of some rounds. A neighbour that
// is busy for some milliseconds slows all that one round measures, and plans compare passes by what
// memory and transforms take beside each other. Not collective.
Speeds measured_here(const Machine& machine, int rank) {
  // A choice: takes 30 ms or so.
  constexpr int rounds = 4, trials_per_round = 3;
  // A choice: users may pretend any size.
  constexpr std::int64_t most_cache_bytes = std::int64_t{8} << 20;
  const int threads = machine.threads(rank);
  WalkProbe walk(threads,
                 bytes_in_shared_cache(machine.shared_cache_bytes, machine.cache_bytes, threads));
  const auto engine = find_engine("").make();
  const auto lines = [&](bool are_columns) {
    return LineTrial(*engine, {Speeds::known_line, are_columns},
                     std::min(machine.cache_bytes, most_cache_bytes), Effort::estimate);
  };
  std::array trials{lines(false), lines(true)};
  std::array<double, 2> seconds_per_point{1, 1};
  for (int round = 0; round < rounds; ++round) {
    walk.run();
    for (int i = 0; i < trials_per_round; ++i)
      for (std::size_t layout = 0; layout < trials.size(); ++layout)
        seconds_per_point[layout] =
            std::min(seconds_per_point[layout], trials[layout].seconds() / trials[layout].points());
  }
  Speeds speeds;
  speeds.walked_bytes_per_second = walk.in_memory();
  speeds.cached_bytes_per_second = walk.in_shared_cache();
  speeds.transform_seconds_per_point = mean_of_axes(seconds_per_point[0], seconds_per_point[1]);
  return speeds;
}

// What links carry. Collective.
void measure_links(const Communicator& comm, const Machine& machine, Speeds& speeds) {
  const LinkProbe link = probed_links(comm, machine.node_of_rank);
  speeds.node_bytes_per_second = link.bytes_per_second;
  speeds.message_seconds = link.message_seconds;
  speeds.message_overhead_seconds = link.overhead_seconds;
  // Less is nothing, and not what was measured.
  constexpr double least_seconds_per_byte = 1e-12;
  if (link.handling_seconds_per_byte > least_seconds_per_byte)
    speeds.message_seconds_per_byte = link.handling_seconds_per_byte;
}

constexpr std::array rates{&Speeds::walked_bytes_per_second, &Speeds::cached_bytes_per_second,
                           &Speeds::node_bytes_per_second};
constexpr std::array times{&Speeds::message_seconds, &Speeds::message_seconds_per_byte,
                           &Speeds::message_overhead_seconds, &Speeds::transform_seconds_per_point};

// What the slowest rank has measured, and this one `mine`, which is kept. As no number is negative,
// their order is that of their bits. Collective.
Speeds slowest(const Communicator& comm, const Machine& machine, const Speeds& mine) {
  const auto [lowest_rates, highest_times] = agree_on_largest(comm, [&] {
    known().add(machine, mine);
    std::array<std::int64_t, rates.size()> lowest{};
    std::array<std::int64_t, times.size()> highest{};
    for (std::size_t i = 0; i < rates.size(); ++i)
      lowest[i] = -std::bit_cast<std::int64_t>(mine.*rates[i]);
    for (std::size_t i = 0; i < times.size(); ++i)
      highest[i] = std::bit_cast<std::int64_t>(mine.*times[i]);
    return std::tuple(lowest, highest);
  });
  Speeds speeds = mine;
  for (std::size_t i = 0; i < rates.size(); ++i)
    speeds.*rates[i] = std::bit_cast<double>(-lowest_rates[i]);
  for (std::size_t i = 0; i < times.size(); ++i)
    speeds.*times[i] = std::bit_cast<double>(highest_times[i]);
  // If the shared cache seems slower than memory, something else used it.
  if (speeds.cached_bytes_per_second < speeds.walked_bytes_per_second)
    speeds.cached_bytes_per_second = 0;
  return speeds;
}

}  // namespace

Speeds measured_speeds(const Communicator& comm, const Machine& machine, const Options& options,
                       const CoreShare& share) {
  if (options.effort == Effort::estimate || options.reproducible) return {};
  find_machines(comm);
  Speeds mine;
  const auto [refuses, is_unknown] = agree_on_largest(comm, [&] {
    mine = known().find(machine);
    return std::array{std::int64_t{!may_measure(comm, machine, share)},
                      std::int64_t{!mine.are_known()}};
  });
  if (refuses != 0) return {};
  // Ranks that others have measured with may be here, too: all know it, or all measure.
  if (is_unknown != 0) {
    comm.barrier();
    mine = agree(comm,
                 [&] { return is_simulated ? told_here() : measured_here(machine, comm.rank()); });
    if (machine.nodes() > 1) measure_links(comm, machine, mine);
  }
  return slowest(comm, machine, mine);
}

}  // namespace weft
