// making/exchange_table: the exchanges that weft knows, one row of a table each.
// Pure. Keeps: the planner, the programs, the help and the tests read the same table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/machine/machine.hpp"
#include "weft/making/exchange_layout.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

/// In which situation the planner chooses an exchange, if the user asks for none.
enum class Preferred { never, in_nodes, between_nodes, small_messages, large_messages };

/// An entry of the table of exchanges.
struct ExchangeEntry {
  std::string name;
  std::string summary;
  /// Moves data directly from and to users' arrays. The others need a pass or a copy at each end.
  bool moves_arrays;
  /// Leaves data that stay in their node in memory that the ranks of the node share.
  bool shares_memory;
  /// Has one message for each cell of the cutting; else a single message carries everything.
  bool cuts;
  /// Sends the lowest numbers first, few at a time (ExchangeProgram::send_limit).
  bool limits_sends;
  Preferred preferred;
  /// Returns nothing if the exchange can be used for the problem on the machine, else the reason
  /// why not.
  std::optional<std::string> (*applies)(const Problem& problem, const Machine& machine);
  /// Lays the exchange out for one rank.
  ExchangeLayout (*lay_out)(const ExchangeQuestion& question);
};

/// All exchanges that weft knows, the preferred first.
const std::vector<ExchangeEntry>& exchanges();

/// The entry called `name`. If there is none, throws Error::invalid, which lists the exchanges that
/// apply, and for the others the reason why not.
const ExchangeEntry& find_exchange(const std::string& name, const Problem& problem,
                                   const Machine& machine);

}  // namespace weft
