// plan/memory_need: compares needs with capacities.

#include "weft/plan/memory_need.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "weft/comm/agreement.hpp"
#include "weft/comm/nodes.hpp"
#include "weft/memory/capacity.hpp"
#include "weft/problem/axis_transform.hpp"

namespace weft {

namespace {

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

const char* const more_memory =
    "use more nodes, or nodes with more memory; in place and single precision need half";

std::string text_of(std::int64_t bytes) { return bytes_text(static_cast<double>(bytes)); }

// Sums as floating point numbers: those of a problem that cannot be may exceed 64 bits.
double total_of(const MemoryUse& use) {
  double total = 0;
  for (const std::int64_t bytes : numbers_of(use)) total += static_cast<double>(bytes);
  return total;
}

// What a rank wants of the memory of its machine.
struct Claim {
  MemoryUse use;
  std::int64_t set_aside, group_number;  // 0 where no control group limits it
};

// What a process takes beside its plans, where a control group limits it: what it holds when it
// plans, which are its code, MPI and libraries, and what MPI, FFT libraries and the heap take in
// addition before its first transform has ended. It may hold its input and output as well, which
// its claim counts, so that no more than the first number is taken for the rest.
std::int64_t set_aside(const Capacity& capacity) {
  // What was measured is 21 MB, and 18 MB later (docs/conventions.md, Memory).
  constexpr std::int64_t most_held = std::int64_t{64} << 20, taken_later = std::int64_t{32} << 20;
  return capacity.group > 0 ? std::min(capacity.held, most_held) + taken_later : 0;
}

Claim claim_of(const MemoryUse& mine, const Capacity& there) {
  return {mine, set_aside(there), there.group_number};
}

// Throws if this process cannot have as much. Not collective.
void require_for_process(int rank, const MemoryUse& mine, std::int64_t capacity) {
  if (total_of(mine) <= static_cast<double>(capacity)) return;
  throw Error(Error::system,
              fmt::format("rank {} needs {} of memory, but ulimit -v allows {} ({})", rank,
                          bytes_text(total_of(mine)), text_of(capacity), to_string(mine)),
              "use more ranks, or raise the limit");
}

// What the ranks of this machine, or of this rank's control group, need together.
struct Together {
  double needed = 0, set_aside = 0;
  int ranks = 0;

  Together(int me, const std::vector<int>& machine_of_rank, const std::vector<Claim>& claims,
           bool of_group) {
    const auto mine = static_cast<std::size_t>(me);
    for (std::size_t rank = 0; rank < claims.size(); ++rank) {
      const Claim& claim = claims[rank];
      if (machine_of_rank[rank] != machine_of_rank[mine]) continue;
      if (of_group && claim.group_number != claims[mine].group_number) continue;
      needed += total_of(claim.use);
      set_aside += static_cast<double>(claim.set_aside);
      ++ranks;
    }
  }
  std::string text(const char* place) const {
    return fmt::format("{} rank{} of one {} need{} {} of memory", ranks, ranks == 1 ? "" : "s",
                       place, ranks == 1 ? "s" : "", bytes_text(needed));
  }
};

// Throws if the ranks of this machine, of which all ranks have told what they need, need more
// than it has. Not collective.
void require_for_machine(int me, const std::vector<int>& machine_of_rank,
                         const std::vector<Claim>& claims, std::int64_t capacity) {
  const Together all(me, machine_of_rank, claims, false);
  if (all.needed <= static_cast<double>(capacity)) return;
  throw Error(
      Error::system,
      fmt::format("{}, and the machine has {} (rank {}: {})", all.text("machine"),
                  text_of(capacity), me, to_string(claims[static_cast<std::size_t>(me)].use)),
      more_memory);
}

// The same of the ranks that share the control group of this one, if one limits them.
void require_for_group(int me, const std::vector<int>& machine_of_rank,
                       const std::vector<Claim>& claims, std::int64_t capacity) {
  if (capacity == 0) return;
  const Together all(me, machine_of_rank, claims, true);
  if (all.needed + all.set_aside <= static_cast<double>(capacity)) return;
  throw Error(
      Error::system,
      fmt::format("{}, beside {} for MPI and libraries, and the group's limit is {} (rank {}: {})",
                  all.text("control group (container)"), bytes_text(all.set_aside),
                  text_of(capacity), me, to_string(claims[static_cast<std::size_t>(me)].use)),
      "raise the limit, or use more nodes; in place and single precision need half");
}

// At least `bytes`, as a number that can be sent.
std::int64_t rounded_up(double bytes) {
  constexpr std::int64_t most = std::int64_t{1} << 62;
  return bytes < static_cast<double>(most) ? static_cast<std::int64_t>(std::ceil(bytes)) : most;
}

}  // namespace

std::string bytes_text(double bytes) {
  constexpr std::array units{"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  std::size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < units.size(); ++unit) bytes /= 1000;
  return fmt::format("{:.{}f} {}", bytes, unit == 0 ? 0 : 1, units.at(unit));
}

MemoryNumbers numbers_of(const MemoryUse& use) {
  return {use.input, use.output, use.buffers, use.stand_ins, use.tiles, use.programs};
}

MemoryUse use_of(const MemoryNumbers& numbers) {
  return {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]};
}

std::string to_string(const MemoryUse& use) {
  constexpr std::array names{"input", "output", "buffers", "stand-ins", "tiles", "programs"};
  const MemoryNumbers numbers = numbers_of(use);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (numbers.at(i) > 0)
      parts.push_back(fmt::format("{} {}", names.at(i), text_of(numbers.at(i))));
  return fmt::format("{}", fmt::join(parts, ", "));
}

MemoryUse arrays_of(const Share& input, const Share& output, bool in_place) {
  MemoryUse use;
  use.input = input.elements * input.scalar.bytes();
  if (!in_place) use.output = output.elements * output.scalar.bytes();
  return use;
}

std::int64_t bytes_of_array(const Share& share) {
  return share.array.elements * share.scalar.bytes();
}

std::int64_t stored_bytes(const Share& share) {
  std::int64_t points = 0;
  for (const Box& box : share.boxes) points += box.volume();
  return points * share.fields * share.scalar.bytes();
}

void require_memory_of_fields(const Communicator& comm, const Problem& problem,
                              std::int64_t capacity, std::int64_t least) {
  if (problem.input.is_of_parts()) return;  // of a grid that is not stored
  // For r2c and c2r, the real side counts, which is the smaller one.
  const Scalar scalar{problem.precision, problem.kind == Kind::c2c};
  double bytes = static_cast<double>(problem.batch) * static_cast<double>(scalar.bytes());
  for (const std::int64_t extent : real_extents(problem)) bytes *= static_cast<double>(extent);
  if (bytes <= static_cast<double>(least)) return;  // it fits on any machine
  const auto capacities = comm.gather_each(capacity);
  const std::vector<int> machine_of_rank = nodes_of_ranks(comm);
  double there = 0;
  int machines = 0;
  for (std::size_t rank = 0; rank < capacities.size(); ++rank) {
    if (machine_of_rank[rank] != machines) continue;  // numbered in the order of their lowest ranks
    there += static_cast<double>(capacities[rank]);
    ++machines;
  }
  if (bytes <= there) return;
  throw Error(
      Error::system,  // on all ranks, as they have the same numbers
      fmt::format("the field has {}, and the {} of these ranks {} of memory", bytes_text(bytes),
                  machines == 1 ? "machine" : fmt::format("{} machines", machines),
                  machines == 1 ? fmt::format("has {}", bytes_text(there))
                                : fmt::format("have {}", bytes_text(there))),
      more_memory);
}

MemoryDemand::Numbers MemoryDemand::numbers() const {
  const double total = total_of(mine_);
  const Claim claim = claim_of(mine_, there_);
  return {rounded_up(total), -there_.machine,
          rounded_up(total + static_cast<double>(claim.set_aside)),
          there_.group > 0 ? -there_.group : -unlimited,
          std::int64_t{total > static_cast<double>(there_.process)}};
}

void MemoryDemand::require(const Communicator& comm, const Numbers& largest) const {
  const auto& [most, least, most_in_group, least_group, is_short] = largest;
  // As a rule, there is room wherever the ranks are.
  const auto fits = [&](std::int64_t of_each, std::int64_t less_there) {
    return static_cast<double>(of_each) * comm.size() <= -static_cast<double>(less_there);
  };
  if (fits(most, least) && fits(most_in_group, least_group) && is_short == 0) return;
  const Claim claim = claim_of(mine_, there_);
  std::vector<Claim> claims;
  agree(comm, [&] { claims.resize(static_cast<std::size_t>(comm.size())); });
  comm.gather(&claim, static_cast<int>(sizeof claim), claims.data());
  const std::vector<int> machine_of_rank = nodes_of_ranks(comm);
  const int me = comm.rank();
  agree(comm, [&] { require_for_machine(me, machine_of_rank, claims, there_.machine); });
  agree(comm, [&] { require_for_group(me, machine_of_rank, claims, there_.group); });
  agree(comm, [&] { require_for_process(me, mine_, there_.process); });
}

void require_memory(const Communicator& comm, const MemoryUse& mine,
                    const std::function<Capacity()>& ask) {
  MemoryDemand demand;
  const auto largest = agree_on_largest(comm, [&] {
    demand = MemoryDemand(mine, ask());
    return demand.numbers();
  });
  demand.require(comm, largest);
}

void require_free_memory(const Communicator& comm, std::int64_t bytes) {
  AvailableMemory available;
  const auto [most, least, is_short] = agree_on_largest(comm, [&] {
    available = available_memory();
    return std::array{bytes, -available.machine, std::int64_t{bytes > available.process}};
  });
  const auto fits = [most = static_cast<double>(most)](std::int64_t ranks, std::int64_t there) {
    return most * static_cast<double>(ranks) <= static_cast<double>(there);
  };
  if (fits(comm.size(), -least) && is_short == 0) return;  // on any machine
  const std::vector<int> machine_of_rank = nodes_of_ranks(comm);
  agree(comm, [&] {
    const auto ranks =
        std::ranges::count(machine_of_rank, machine_of_rank[static_cast<std::size_t>(comm.rank())]);
    if (!fits(ranks, available.machine))
      throw Error(Error::system,
                  fmt::format("{} rank{} of one machine need{} {} more each, and {} are free",
                              ranks, ranks == 1 ? "" : "s", ranks == 1 ? "s" : "", text_of(most),
                              text_of(available.machine)),
                  more_memory);
    if (bytes > available.process)
      throw Error(Error::system,
                  fmt::format("rank {} needs {} more, and ulimit -v leaves {}", comm.rank(),
                              text_of(bytes), text_of(available.process)),
                  "use more ranks, or raise the limit");
  });
}

}  // namespace weft
