// plan/memory_need: compares needs with capacities.

#include "weft/plan/memory_need.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "weft/comm/agreement.hpp"
#include "weft/comm/nodes.hpp"
#include "weft/memory/capacity.hpp"
#include "weft/problem/axis_transform.hpp"

namespace weft {

namespace {

const char* const more_memory =
    "use more nodes, or nodes with more memory; in place and single precision need half";

std::string text_of(std::int64_t bytes) { return bytes_text(static_cast<double>(bytes)); }

// Sums as floating point numbers: those of a problem that cannot be may exceed 64 bits.
double total_of(const MemoryUse& use) {
  double total = 0;
  for (const std::int64_t bytes : numbers_of(use)) total += static_cast<double>(bytes);
  return total;
}

// Throws if this process cannot have as much. Not collective.
void require_for_process(const Communicator& comm, const MemoryUse& mine,
                         const Capacity& capacity) {
  if (total_of(mine) <= static_cast<double>(capacity.process)) return;
  throw Error(Error::system,
              fmt::format("rank {} needs {} of memory, but {} allows {} ({})", comm.rank(),
                          bytes_text(total_of(mine)), capacity.limit, text_of(capacity.process),
                          to_string(mine)),
              "use more ranks, or raise the limit");
}

// Throws if the ranks of this machine, of which all ranks have told what they need, need more
// than it has. Not collective.
void require_for_machine(int me, const std::vector<int>& machine_of_rank,
                         const std::vector<MemoryUse>& uses, std::int64_t capacity) {
  double needed = 0;
  int ranks = 0;
  for (std::size_t rank = 0; rank < uses.size(); ++rank) {
    if (machine_of_rank[rank] != machine_of_rank[static_cast<std::size_t>(me)]) continue;
    needed += total_of(uses[rank]);
    ++ranks;
  }
  if (needed <= static_cast<double>(capacity)) return;
  throw Error(
      Error::system,
      fmt::format("{} rank{} of one machine need{} {} of memory, and the machine has {} (rank {}: "
                  "{})",
                  ranks, ranks == 1 ? "" : "s", ranks == 1 ? "s" : "", bytes_text(needed),
                  text_of(capacity), me, to_string(uses[static_cast<std::size_t>(me)])),
      more_memory);
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

std::int64_t stored_bytes(const Share& share) {
  std::int64_t points = 0;
  for (const Box& box : share.boxes) points += box.volume();
  return points * share.fields * share.scalar.bytes();
}

void require_room(const Communicator& comm, const Problem& problem) {
  if (problem.input.is_of_parts()) return;  // of a grid that is not stored
  // For r2c and c2r, the real side counts, which is the smaller one.
  const Scalar scalar{problem.precision, problem.kind == Kind::c2c};
  double bytes = static_cast<double>(problem.batch) * static_cast<double>(scalar.bytes());
  for (const std::int64_t extent : real_extents(problem)) bytes *= static_cast<double>(extent);
  std::int64_t capacity = 0;
  const auto [least] = agree_on_largest(comm, [&] {
    capacity = memory_capacity().machine;
    return std::array{-capacity};
  });
  if (bytes <= -static_cast<double>(least)) return;  // it fits on any machine
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

void require_memory(const Communicator& comm, const MemoryUse& mine) {
  Capacity capacity{};
  const auto [most, least, is_short] = agree_on_largest(comm, [&] {
    capacity = memory_capacity();
    return std::array{rounded_up(total_of(mine)), -capacity.machine,
                      std::int64_t{total_of(mine) > static_cast<double>(capacity.process)}};
  });
  // As a rule, there is room wherever the ranks are.
  const double everybodys = static_cast<double>(most) * comm.size();
  if (everybodys <= -static_cast<double>(least) && is_short == 0) return;
  std::vector<MemoryUse> uses;
  agree(comm, [&] { uses.resize(static_cast<std::size_t>(comm.size())); });
  comm.gather(&mine, static_cast<int>(sizeof mine), uses.data());
  const std::vector<int> machine_of_rank = nodes_of_ranks(comm);
  agree(comm, [&] { require_for_machine(comm.rank(), machine_of_rank, uses, capacity.machine); });
  agree(comm, [&] { require_for_process(comm, mine, capacity); });
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
