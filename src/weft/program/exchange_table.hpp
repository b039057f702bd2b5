// program/exchange_table: the exchanges that weft knows, one row of a table each.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/model/machine.hpp"
#include "weft/model/problem.hpp"
#include "weft/program/exchange_layout.hpp"

namespace weft {

/// What the planner takes where nothing else is asked for.
enum class Preferred { never, in_nodes, between_nodes, small_messages, large_messages };

/// An entry of the table of exchanges.
struct ExchangeEntry {
  std::string name;
  std::string summary;
  /// Moves data straight from and to users' arrays; the others need a pass, or a copy, at each end.
  bool moves_arrays;
  /// Leaves what stays in a node where it is, in memory that the node's ranks share.
  bool shares_memory;
  /// Its messages are those of the redistribution's cutting; else all is one message.
  bool cuts;
  Preferred preferred;
  /// Nothing if it can be used for the problem on the machine, else the reason why not.
  std::optional<std::string> (*applies)(const Problem& problem, const Machine& machine);
  ExchangeLayout (*lay_out)(const ExchangeQuestion& question);
};

/// All exchanges that weft knows, the preferred first.
const std::vector<ExchangeEntry>& exchanges();

/// The entry called `name`; Error::invalid lists the exchanges there are, and why the others do not
/// apply.
const ExchangeEntry& find_exchange(const std::string& name, const Problem& problem,
                                   const Machine& machine);

}  // namespace weft
