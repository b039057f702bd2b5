// cli/place/rank_file: an order of ranks as launchers read it.
// Pure.
#pragma once

#include <string>
#include <vector>

#include "weft/machine/machine_model.hpp"

namespace weft::cli {

/// Ranks on nodes: node i of a job, with the ranks from i * ranks_per_node on, is node places[i] of
/// the machine, whose name is hosts[places[i]].
struct PlacedRanks {
  const MachineModel& machine;
  int ranks;
  std::vector<int> places;
  std::vector<std::string> hosts;
};

/// A form of such a file.
struct RankFileEntry {
  const char* name;
  const char* summary;  ///< what reads it, and how
  std::string (*text)(const PlacedRanks& ranks);
};

/// All forms.
const std::vector<RankFileEntry>& rank_files();

/// The form called `name`. Error::invalid, with all names, if there is none.
const RankFileEntry& find_rank_file(const std::string& name);

}  // namespace weft::cli
