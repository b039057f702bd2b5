// base/table: looking up a row by name in a table of engines or exchanges.
#pragma once

#include <string>
#include <vector>

#include "weft/base/error.hpp"

namespace weft {

/// The row called `name` that applies; the first that applies for an empty name.
/// `reason(row)` is nothing if a row applies. Error::invalid lists the rows there are, and why the
/// others do not apply.
template <class Row, class Reason>
const Row& find_row(const std::vector<Row>& table, const std::string& name, const std::string& what,
                    const Reason& reason) {
  std::string known, refusals;
  for (const Row& row : table) {
    const auto why_not = reason(row);
    if (!why_not && (name.empty() || row.name == name)) return row;
    if (row.name == name)
      throw Error(Error::unsupported,
                  fmt::format("the {} '{}' does not apply: {}", what, name, *why_not),
                  fmt::format("`weft {}s` lists those that do", what));
    if (why_not)
      refusals += fmt::format("; {} does not apply: {}", row.name, *why_not);
    else
      known += (known.empty() ? "" : ", ") + row.name;
  }
  throw Error(Error::invalid, fmt::format("there is no {} '{}'", what, name),
              fmt::format("one of: {}{}", known, refusals));
}

}  // namespace weft
