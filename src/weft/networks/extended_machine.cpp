// networks/extended_machine: takes members of two machines.

#include "weft/networks/extended_machine.hpp"

#include <utility>

#include "weft/base/ensure.hpp"
#include "weft/networks/machine_file.hpp"

namespace weft {

namespace {

std::string source_of(const MachineModel& machine) {
  return fmt::format("'{}'{}{}", machine.name, machine.source.empty() ? "" : ", ", machine.source);
}

}  // namespace

ExtendedMachine on_network(const MachineModel& machine, const std::string& name) {
  const NetworkSource source = find_network(name);
  ExtendedMachine extended;
  MachineModel& made = extended.machine = machine;
  made.network = source.network;
  FigureOrigin nodes{
      source_of(machine),
      {"cache_bytes_per_core", "shared_cache_bytes_per_node", "memory_bytes_per_second",
       "shared_cache_bytes_per_second", "transforms", "synchronization_seconds", "devices"}};
  FigureOrigin network{fmt::format("the network '{}'", name), {"network"}};
  if (source.machine) {
    network.source = source_of(*source.machine);
    made.message_seconds = source.machine->message_seconds;
    made.message_seconds_per_byte = source.machine->message_seconds_per_byte;
    made.message_speeds = source.machine->message_speeds;
    made.alltoallv = source.machine->alltoallv;
  }
  FigureOrigin& of_messages = source.machine ? network : nodes;
  for (const char* member :
       {"message_seconds", "message_seconds_per_byte", "message_speeds", "alltoallv"})
    of_messages.members.emplace_back(member);
  made.name = fmt::format("{} on {}", machine.name, source.machine ? source.machine->name : name);
  made.source = fmt::format("{}; {}", nodes.source, network.source);
  extended.origins = {std::move(nodes), std::move(network)};
  return extended;
}

MachineModel with_nodes(MachineModel machine, int nodes) {
  const int there = checked_nodes(machine.network);
  if (nodes <= there) return machine;
  auto* const crossbar = std::get_if<Crossbar>(&machine.network);
  if (crossbar == nullptr || there == 1)
    throw Error(Error::invalid,
                fmt::format("{} nodes are asked for, and the machine '{}', a {}, has {}{}", nodes,
                            shown_name(machine), to_string(machine.network), there,
                            crossbar == nullptr ? "" : ", whose link is between its ranks"),
                "give a network that has so many: --network FILE, or a machine that weft knows");
  crossbar->nodes = nodes;
  return machine;
}

}  // namespace weft
