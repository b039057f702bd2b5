// support/exchanges_here: the exchanges that this MPI can carry out on one node.
#pragma once

#include <vector>

#include "support/world.hpp"
#include "weft/making/exchange_table.hpp"

namespace weft::test {

/// The entries of the table that apply where all ranks of the world share their memory.
inline std::vector<ExchangeEntry> exchanges_here() {
  Machine machine;
  machine.ranks = ranks_of_world();
  machine.node_of_rank.assign(static_cast<std::size_t>(machine.ranks), 0);
  std::vector<ExchangeEntry> entries;
  for (const ExchangeEntry& entry : exchanges())
    if (!entry.applies({}, machine)) entries.push_back(entry);
  return entries;
}

}  // namespace weft::test
