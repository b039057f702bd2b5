// cli/pages/machine_page: a machine and where the ranks of a job go on it, as one page.
// Pure. Keeps: the page needs no other file, no network and no script.
#pragma once

#include <string>
#include <vector>

#include "weft/cli/place/node_marks.hpp"
#include "weft/predicting/placements.hpp"

namespace weft::cli {

/// What a page shows: the machine, the job, and the nodes that it may have.
struct MachinePage {
  const MachineModel& machine;
  std::string problem;  ///< as text
  int ranks;
  const Placements& found;  ///< of which the first is drawn
  const std::vector<int>& free;
  const NodeMarks& marks;
};

/// HTML with its style and pictures (SVG) in it: nodes by rank and by load, links by load, the
/// placements and the strategy. Error::invalid for networks that are too large to be drawn.
std::string machine_page(const MachinePage& page);

}  // namespace weft::cli
