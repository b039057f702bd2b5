// plan/memory_need: compares needs with capacities.

#include "weft/plan/memory_need.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "weft/comm/agreement.hpp"
#include "weft/comm/nodes.hpp"
#include "weft/memory/capacity.hpp"
#include "weft/model/axis_transform.hpp"

namespace weft {

namespace {

const char* const more_memory =
    "use more nodes, or nodes with more memory; in place and single precision need half";

std::string text_of(std::int64_t bytes) { return bytes_text(static_cast<double>(bytes)); }

std::vector<std::int64_t> numbers_of(const MemoryUse& use) {
  return {use.input, use.output, use.buffers, use.stand_ins, use.tiles, use.programs};
}
MemoryUse use_of(const std::vector<std::int64_t>& numbers) {
  return {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]};
}

// Sums as floating point numbers: those of a problem that cannot be may exceed 64 bits.
double total_of(const MemoryUse& use) {
  double total = 0;
  for (const std::int64_t bytes : numbers_of(use)) total += static_cast<double>(bytes);
  return total;
}

void require_for_process(const Communicator& comm, const MemoryUse& mine) {
  agree(comm, [&] {
    const Capacity capacity = memory_capacity();
    if (total_of(mine) <= static_cast<double>(capacity.process)) return;
    throw Error(Error::system,
                fmt::format("rank {} needs {} of memory, but {} allows {} ({})", comm.rank(),
                            bytes_text(total_of(mine)), capacity.limit, text_of(capacity.process),
                            to_string(mine)),
                "use more ranks, or raise the limit");
  });
}

void require_for_machines(const Communicator& comm, const MemoryUse& mine) {
  const std::vector<std::int64_t> told = agree(comm, [&] {
    std::vector<std::int64_t> numbers = numbers_of(mine);
    numbers.push_back(memory_capacity().machine);
    return numbers;
  });
  const std::int64_t capacity = told.back();
  const auto all = comm.gather_all(told);
  double everybodys = 0;
  std::int64_t least = capacity;
  agree(comm, [&] {
    for (const auto& numbers : all) {
      everybodys += total_of(use_of(numbers));
      least = std::min(least, numbers.back());
    }
  });
  if (everybodys <= static_cast<double>(least)) return;  // wherever the ranks are
  const std::vector<int> machine_of_rank = nodes_of_ranks(comm);
  agree(comm, [&] {
    const auto me = static_cast<std::size_t>(comm.rank());
    double needed = 0;
    int ranks = 0;
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
      if (machine_of_rank[rank] != machine_of_rank[me]) continue;
      needed += total_of(use_of(all[rank]));
      ++ranks;
    }
    if (needed <= static_cast<double>(capacity)) return;
    throw Error(
        Error::system,
        fmt::format(
            "{} rank{} of one machine need{} {} of memory, and the machine has {} (rank {}: "
            "{})",
            ranks, ranks == 1 ? "" : "s", ranks == 1 ? "s" : "", bytes_text(needed),
            text_of(capacity), comm.rank(), to_string(mine)),
        more_memory);
  });
}

}  // namespace

std::string bytes_text(double bytes) {
  constexpr std::array units{"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  std::size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < units.size(); ++unit) bytes /= 1000;
  return fmt::format("{:.{}f} {}", bytes, unit == 0 ? 0 : 1, units.at(unit));
}

std::string to_string(const MemoryUse& use) {
  constexpr std::array names{"input", "output", "buffers", "stand-ins", "tiles", "programs"};
  const std::vector<std::int64_t> numbers = numbers_of(use);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (numbers[i] > 0) parts.push_back(fmt::format("{} {}", names.at(i), text_of(numbers[i])));
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

MemoryUse largest_use(const Communicator& comm, const MemoryUse& mine) {
  std::vector<std::int64_t> most = agree(comm, [&] { return numbers_of(mine); });
  for (const auto& numbers : comm.gather_all(most))
    for (std::size_t i = 0; i < most.size(); ++i) most[i] = std::max(most[i], numbers[i]);
  return use_of(most);
}

void require_room(const Communicator& comm, const Problem& problem) {
  if (problem.input.is_of_parts()) return;  // of a grid that is not stored
  // Of r2c and c2r the real side, which is the smaller one.
  const Scalar scalar{problem.precision, problem.kind == Kind::c2c};
  double bytes = static_cast<double>(problem.batch) * static_cast<double>(scalar.bytes());
  for (const std::int64_t extent : real_extents(problem)) bytes *= static_cast<double>(extent);
  const auto capacities = comm.gather_each(agree(comm, [] { return memory_capacity().machine; }));
  const auto least = std::min_element(capacities.begin(), capacities.end());
  if (bytes <= static_cast<double>(*least)) return;  // it fits on any machine
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
  require_for_machines(comm, mine);
  require_for_process(comm, mine);
}

}  // namespace weft
