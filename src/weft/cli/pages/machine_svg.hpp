// cli/pages/machine_svg: a machine with a job on it, as SVG.
// Pure.
#pragma once

#include <string>
#include <vector>

#include "weft/cli/place/node_marks.hpp"
#include "weft/cli/place/placed_loads.hpp"
#include "weft/machine/machine_model.hpp"

namespace weft::cli {

/// A machine and a job on some of its nodes.
struct ShownMachine {
  const MachineModel& machine;
  const Network& network;
  const NodeMarks& marks;
  std::vector<bool> is_free;    ///< by node
  const std::vector<int>& job;  ///< nodes of the machine in the order of the job's ranks
  int ranks = 0;
  PlacedLoads loads;

  double link_seconds(int link) const;
};

/// The ranks of the i-th node of the job: "ranks 4-7".
std::string ranks_text(const ShownMachine& shown, int i);

/// The picture: a `rect` of class `node` for each node, with what it is and does as its title. It
/// is of class `chosen`, with its colour by rank as --r, `taken` if it is not free, m1, m2, ... by
/// its word, and k0 to k7 by the bytes that leave it; so are switches, and links by their seconds.
/// `caption` becomes a text about it.
std::string svg_of(const ShownMachine& shown, std::string& caption);

}  // namespace weft::cli
