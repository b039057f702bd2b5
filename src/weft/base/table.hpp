// base/table: looks up an entry by name in a table of engines or exchanges.
#pragma once

#include <string>
#include <vector>

#include "weft/base/ensure.hpp"

namespace weft {

/// The entry called `name`, which must apply; for an empty name, the first entry that applies.
/// `reason(entry)` is empty if the entry applies. `what` is "engine" or "exchange".
/// Errors: Error::unsupported with the reason if the entry does not apply; Error::invalid with all
/// names, and the reasons of the entries that do not apply, if no entry has this name.
template <class Entry, class Reason>
const Entry& find_entry(const std::vector<Entry>& table, const std::string& name,
                        const std::string& what, const Reason& reason) {
  std::string known, refusals;
  for (const Entry& entry : table) {
    const auto why_not = reason(entry);
    if (!why_not && (name.empty() || entry.name == name)) return entry;
    if (entry.name == name)
      throw Error(Error::unsupported,
                  fmt::format("the {} '{}' does not apply: {}", what, name, *why_not),
                  fmt::format("`weft {}s` lists the ones that apply", what));
    if (why_not)
      refusals += fmt::format("; {} does not apply: {}", entry.name, *why_not);
    else
      known += (known.empty() ? "" : ", ") + entry.name;
  }
  throw Error(Error::invalid, fmt::format("there is no {} '{}'", what, name),
              fmt::format("one of: {}{}", known, refusals));
}

}  // namespace weft
