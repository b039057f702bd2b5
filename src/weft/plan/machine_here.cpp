// plan/machine_here: every rank tells what it has, and all take the same from that.

#include "weft/plan/machine_here.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "weft/base/simulation.hpp"
#include "weft/comm/nodes.hpp"
#include "weft/device/tile_slots.hpp"
#include "weft/exchange/device_agreement.hpp"
#include "weft/memory/cache_probe.hpp"
#include "weft/planning/constants.hpp"
#include "weft/program/index.hpp"

namespace weft {

namespace {

std::int64_t private_cache_bytes(const Options& options) {
  if (options.pretend.cache_bytes > 0) return options.pretend.cache_bytes;
  return caches().level_2 > 0 ? caches().level_2 : Machine{}.cache_bytes;
}

// The part of the level-3 caches of a node that each of its ranks has. A thread uses only the cache
// of its core, however many the system tells of.
std::int64_t shared_cache_bytes(const Options& options, const Machine& machine, int rank,
                                int threads) {
  if (options.pretend.shared_cache_bytes > 0) return options.pretend.shared_cache_bytes;
  const Caches& told = caches();
  if (told.level_3 == 0) return Machine{}.shared_cache_bytes;
  const std::int64_t part =
      told.level_3 / static_cast<std::int64_t>(machine.ranks_of(machine.node(rank)).size());
  return told.level_3_of_core == 0 ? part : std::min(part, told.level_3_of_core * threads);
}

// Whether caches may be measured. Ranks that take turns on the cores do not measure, as each finds
// in the caches what the others have left.
bool may_probe(const Options& options) {
  return !is_simulated && options.effort != Effort::estimate && !options.reproducible;
}

// Replaces what the system tells about caches where a measurement contradicts it, or where it tells
// nothing. All ranks measure at the same time, so each finds its part of a level-3 cache, or more
// if it measures again.
void probe_caches(const Options& options, Machine& machine) {
  const Caches& told = caches();
  Caches expected;
  if (options.pretend.cache_bytes == 0) expected.level_2 = machine.cache_bytes;
  if (options.pretend.shared_cache_bytes == 0 && told.level_3_of_core > 0)
    expected.level_3 =
        std::max<std::int64_t>(1, std::min(told.level_3_of_core, machine.shared_cache_bytes));
  const bool tells_level_3 = told.level_3 > 0 || options.pretend.shared_cache_bytes > 0;
  if (expected.level_2 == 0 && expected.level_3 == 0 && tells_level_3) return;
  const Caches measured = probed_caches(expected);
  if (expected.level_2 > 0) machine.cache_bytes = confirmed(expected.level_2, measured.level_2);
  if (expected.level_3 > 0)
    machine.shared_cache_bytes = static_cast<std::int64_t>(
        static_cast<double>(machine.shared_cache_bytes) *
        static_cast<double>(confirmed(expected.level_3, measured.level_3)) /
        static_cast<double>(expected.level_3));
  else if (options.pretend.shared_cache_bytes == 0 && told.level_3 == 0 && measured.level_3 > 0)
    machine.shared_cache_bytes = measured.level_3;
}

// The number of threads that OpenMP gives to a parallel region of this thread. In a parallel region
// of the application this is one, unless OpenMP may nest parallel regions.
int openmp_threads() {
  return omp_get_active_level() < omp_get_max_active_levels() ? omp_get_max_threads() : 1;
}

// The device of this rank, and its part of what that has.
void find_device(const Communicator& comm, const Options& options,
                 const std::vector<int>& node_of_rank, RankHere& here) {
  if (!is_driver(options.engine)) return;
  DeviceDriver& driver = find_driver(options.engine).get();
  const auto devices = agreed_devices(comm, node_of_rank, driver, options.device);
  agree(comm, [&] {
    const auto me = static_cast<std::size_t>(comm.rank());
    here.device = {&driver, devices[me].number};
    here.device_ranks = devices[me].ranks;
    const SelectedDevice selected(here.device);
    const std::int64_t part = driver.traits(here.device.number).memory_bytes / devices[me].ranks;
    const std::int64_t reserved =
        std::min(constants::reserved_device_bytes, part / constants::reserved_device_divisor);
    here.device_bytes = part - reserved;
    here.free_device_bytes =
        std::max<std::int64_t>(driver.free_bytes() / devices[me].ranks - reserved, 0);
    if (options.device_memory_limit > 0)
      here.device_bytes = here.free_device_bytes = options.device_memory_limit;
  });
}

}  // namespace

// The tables that say what tiles load and store are on the device, too.
std::int64_t streamed_tile_bytes(std::int64_t free_bytes, const Options& options) {
  return TileSlots::tile_bytes(free_bytes / (options.device_memory_limit > 0 ? 1 : 2) /
                               options.in_flight);
}

MachineInquiry::MachineInquiry(const Communicator& comm, const std::vector<int>& node_sizes)
    : comm_(&comm),
      node_of_rank_(known_nodes(comm, node_sizes)),
      told_(node_of_rank_.size()),
      trial_(comm, node_of_rank_) {
  mine_.memory = trial_.offer();
  if (is_simulated) return;  // only the thread that calls MPI can advance the simulated clock
  mine_.cores = core_claim();
  const std::vector<int> machines = known_nodes(comm, {});
  for (int rank = 0; rank < comm.size(); ++rank)
    if (machines[at(rank)] == machines[at(comm.rank())]) neighbour_ranks_.push_back(rank);
  neighbours_.resize(neighbour_ranks_.size());
}

void MachineInquiry::tell_neighbours() {
  if (neighbours_.empty()) return;
  comm_->on_this_machine().gather(&mine_, static_cast<int>(sizeof mine_), neighbours_.data());
}

const SharingTrial::Offer* MachineInquiry::offer_of(int rank) const {
  const auto found = std::ranges::lower_bound(neighbour_ranks_, rank);
  if (found == neighbour_ranks_.end() || *found != rank) return nullptr;
  return &neighbours_[static_cast<std::size_t>(found - neighbour_ranks_.begin())].memory;
}

// Not collective.
MachineInquiry::Facts MachineInquiry::facts(const Options& options, RankHere& here,
                                            bool streams) const {
  std::vector<CoreClaim> claims;
  for (const Neighbour& neighbour : neighbours_) claims.push_back(neighbour.cores);
  if (!claims.empty()) here.cores = core_share(mine_.cores, claims);
  Facts mine{};
  mine.threads =
      options.threads > 0 ? options.threads : std::min(here.cores.cores, openmp_threads());
  mine.cache_bytes = private_cache_bytes(options);
  mine.shared_cache_bytes =
      shared_cache_bytes(options, {comm_->size(), node_of_rank_}, comm_->rank(), mine.threads);
  const Device& device = here.device;
  if (device) mine.block = block_limits(device.driver->traits(device.number));
  if (streams) mine.tile_bytes = streamed_tile_bytes(here.free_device_bytes, options);
  return mine;
}

Machine MachineInquiry::ask(const Options& options, RankHere& here, bool streams) {
  find_device(*comm_, options, node_of_rank_, here);
  if (here.device && !streams)
    agree(*comm_, [&] {
      trial_.add(here.device);
      mine_.memory = trial_.offer();
    });
  tell_neighbours();
  Machine machine;
  gather_together(*comm_, told_, [&] {
    machine = {comm_->size(), node_of_rank_};
    machine.has_devices = static_cast<bool>(here.device);
    if (options.pretend.eager_message_bytes > 0)
      machine.eager_message_bytes = options.pretend.eager_message_bytes;
    if (options.segment_bytes > 0) machine.segment_bytes = options.segment_bytes;
    machine.threads_of_rank.resize(told_.size());
    return facts(options, here, streams);
  });
  const Facts& first = told_.front().value;
  machine.cache_bytes = first.cache_bytes;
  machine.shared_cache_bytes = first.shared_cache_bytes;
  machine.tile_bytes = first.tile_bytes;
  machine.block = first.block;
  for (std::size_t rank = 0; rank < told_.size(); ++rank) {
    const Facts& theirs = told_[rank].value;
    machine.threads_of_rank[rank] = theirs.threads;
    machine.cache_bytes = std::min(machine.cache_bytes, theirs.cache_bytes);
    machine.shared_cache_bytes = std::min(machine.shared_cache_bytes, theirs.shared_cache_bytes);
    machine.tile_bytes = std::min(machine.tile_bytes, theirs.tile_bytes);
    machine.block.shared_bytes = std::min(machine.block.shared_bytes, theirs.block.shared_bytes);
    machine.block.threads = std::min(machine.block.threads, theirs.block.threads);
    machine.block.warp = std::max(machine.block.warp, theirs.block.warp);
  }
  // Ranks that cannot share memory still share caches.
  Sharing sharing = trial_.sharing(*comm_, [this](int rank) { return offer_of(rank); });
  machine.node_of_rank = std::move(sharing.node_of_rank);
  machine.why_not_shared = std::move(sharing.why_not);
  return machine;
}

Machine machine_here(const Communicator& comm, const Options& options, RankHere* here,
                     bool streams) {
  const std::vector<int> node_sizes = agreed_node_sizes(comm, options.pretend.node_sizes);
  find_machines(comm);
  auto inquiry = agree(comm, [&] { return MachineInquiry(comm, node_sizes); });
  RankHere found;
  Machine machine = inquiry.ask(options, found, streams);
  if (here != nullptr) *here = found;
  return machine;
}

void confirm_caches(const Communicator& comm, const Options& options, const CoreShare& share,
                    Machine& machine) {
  if (!may_probe(options)) return;
  const auto largest = agree_on_largest(comm, [&] {
    if (!share.takes_turns) probe_caches(options, machine);
    return std::array{-machine.cache_bytes, -machine.shared_cache_bytes};
  });
  machine.cache_bytes = -largest[0];
  machine.shared_cache_bytes = -largest[1];
}

}  // namespace weft
