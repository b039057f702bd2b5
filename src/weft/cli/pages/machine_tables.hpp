// cli/pages/machine_tables: loads of links in numbers, and scales of loads.
// Pure.
#pragma once

#include <string>

#include "weft/cli/pages/machine_svg.hpp"

namespace weft::cli {

/// A unit, and how many of its base unit it is.
struct LoadUnit {
  const char* name;
  double size;
};

/// The largest unit in which `most` bytes are at least 1; else bytes.
LoadUnit bytes_unit_for(double most);

/// The colours of the steps up to `most`, with numbers; empty if it is 0. `classes` are those of
/// the paragraph.
std::string load_legend(const std::string& what, double most, const LoadUnit& unit,
                        const std::string& classes);

/// The busiest link in words, and sums and the busiest link of each kind of links.
std::string links_part(const ShownMachine& shown);

/// What goes from group to group of a dragonfly; empty for other networks, and if nothing does.
std::string groups_part(const ShownMachine& shown);

}  // namespace weft::cli
