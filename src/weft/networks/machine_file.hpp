// networks/machine_file: machines as JSON.
// Keeps: parse(print(m)) = m, to the last bit.
#pragma once

#include <optional>
#include <string>

#include "weft/machine/machine_model.hpp"

namespace weft {

/// The text of a machine file.
std::string print_machine(const MachineModel& machine);

/// The machine that the text describes: a machine file, or what `weft doctor --json` tells, which
/// has one. Error::invalid, with `name` and the member, for what is no
/// JSON, of another version, lacks a member or has an unknown one, and for machines that cannot be.
MachineModel parse_machine(const std::string& text, const std::string& name);

/// The preset called `name`, or else the machine of the file of this name. Error::invalid, with the
/// names of all presets, if there is neither; Error::io for what is no file, is too large or cannot
/// be read.
MachineModel find_machine(const std::string& name);

/// A network, and the machine that it belongs to, if the description has one.
struct NetworkSource {
  NetworkShape network;
  std::optional<MachineModel> machine;
};

/// The network of the machine that find_machine(name) finds, or that of a file which has nothing
/// else: the member `network` of a machine file. Errors: see find_machine.
NetworkSource find_network(const std::string& name);

/// Warns in the log, once for all findings, if the figures of the machine may be wrong. Whoever
/// predicts with a machine that a user names calls it, on one rank.
void warn_of_findings(const MachineModel& machine);

}  // namespace weft
