// comm/bindings: on which processors and cores the ranks of a job may run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/comm/communicator.hpp"

namespace weft {

/// Where a rank may run. A core has one processor, or several that share it (hyper-threads).
struct CoreBinding {
  std::vector<std::int64_t> processors;  ///< numbers of the system, ascending
  std::vector<std::int64_t> cores;       ///< theirs: the lowest processor of each, ascending

  friend bool operator==(const CoreBinding&, const CoreBinding&) = default;
};

/// These processors, ascending, and their cores. `root` stands before the paths of all files that
/// are read: tests have a tree of their own.
CoreBinding binding_of(std::vector<std::int64_t> processors, const std::string& root = "");

/// Where this process may run, as the system tells it.
CoreBinding binding_here(const std::string& root = "");

/// What this process could be bound to: all processors of the host that are on, or those of them
/// that its control groups allow.
CoreBinding binding_of_host(const std::string& root = "");

/// Those of all ranks, by rank. Collective.
std::vector<CoreBinding> bindings_of_ranks(const Communicator& comm);

}  // namespace weft
