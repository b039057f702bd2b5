// plan/memory_need: what a plan will hold, and whether there is so much.
// Keeps: agreement - a plan is refused on all ranks, before anything large is allocated.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>

#include "weft/comm/communicator.hpp"
#include "weft/memory/capacity.hpp"
#include "weft/memory_use.hpp"
#include "weft/problem/validated.hpp"
#include "weft/share.hpp"

namespace weft {

/// "17.6 TB", "0 B".
std::string bytes_text(double bytes);

/// "input 4.2 MB, output 4.2 MB": the numbers that are not 0.
std::string to_string(const MemoryUse& use);

/// The input and the output: one array of each, or one for both.
MemoryUse arrays_of(const Share& input, const Share& output, bool in_place);

/// What the array of all fields takes, and what its points take without what lies between them.
std::int64_t bytes_of_array(const Share& share);
std::int64_t stored_bytes(const Share& share);

/// The numbers of a MemoryUse, in the order of its members, and back.
using MemoryNumbers = std::array<std::int64_t, 6>;
MemoryNumbers numbers_of(const MemoryUse& use);
MemoryUse use_of(const MemoryNumbers& numbers);

/// Error::system, on every rank, if a validated problem's field is larger than the memory of all
/// machines together: this takes no plan. `capacity` is the memory_capacity() of this machine, and
/// `least` that of the machine that has least. Collective.
void require_memory_of_fields(const Communicator& comm, const Problem& problem,
                              std::int64_t capacity, std::int64_t least);

/// What a rank needs, beside what there is for it.
class MemoryDemand {
 public:
  explicit MemoryDemand(const MemoryUse& mine = {}, const Capacity& there = {})
      : mine_(mine), there_(there) {}

  /// What ranks compare.
  using Numbers = std::array<std::int64_t, 5>;
  Numbers numbers() const;
  /// Error::system, on every rank, if the ranks of a machine need more memory than it has, those of
  /// a control group, with what MPI and libraries take, more than its limit, or a rank more than
  /// its process can have. `largest` has the largest of each of the numbers() of all ranks.
  /// Collective, as whether it fits may take more than these.
  void require(const Communicator& comm, const Numbers& largest) const;

 private:
  MemoryUse mine_;
  Capacity there_;
};

/// The same in one call, where `ask` tells what there is on this rank. Collective.
void require_memory(
    const Communicator& comm, const MemoryUse& mine,
    const std::function<Capacity()>& ask = [] { return memory_capacity(); });

/// Error::system, on every rank, if the ranks of a machine cannot have `bytes` more each at the
/// moment: what they and other processes hold counts, which it does not for require_memory. For
/// what can be left out. Collective.
void require_free_memory(const Communicator& comm, std::int64_t bytes);

}  // namespace weft
