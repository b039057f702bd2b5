// networks/machine_file: reads and writes machines member by member.

#include "weft/networks/machine_file.hpp"

#include <algorithm>
#include <set>

#include "weft/base/ensure.hpp"
#include "weft/base/json_text.hpp"
#include "weft/base/log.hpp"
#include "weft/base/names.hpp"
#include "weft/base/printable.hpp"
#include "weft/base/text_file.hpp"
#include "weft/networks/machine_presets.hpp"

namespace weft {

namespace {

constexpr int machine_version = 1;
constexpr const char* from_preset = "start from `weft plan --print-machine PRESET`";
constexpr std::size_t most_shown = 60;  // of what a file has in the place of something else

constexpr Names<AlltoallvWay, 2> alltoallv_ways{
    {{AlltoallvWay::at_once, "at once"}, {AlltoallvWay::pairwise, "pairwise"}}};

// The members of an object, each of which is asked for once; the others are unknown.
class MachineMembers {
 public:
  MachineMembers(const Json& object, std::string where)
      : object_(object), where_(std::move(where)) {
    if (!object.is_object()) refuse(fmt::format("{} is no object", where_), "write { ... }");
  }

  template <class Value>
  void take(const char* name, Value& value) {
    value = number<Value>(need(name), name);
  }
  void take(const char* name, std::string& value) {
    const Json& member = need(name);
    if (!member.is_string()) wrong(name, "a text in quotes");
    value = member.get<std::string>();
  }
  template <class Value>
  void take(const char* name, std::vector<Value>& values) {
    const Json& member = need(name);
    if (!member.is_array()) wrong(name, "a list, as [1, 2]");
    values.clear();
    for (const Json& each : member) values.push_back(number<Value>(each, name));
  }
  // Calls read(members) for every object of a list.
  template <class Read>
  void take_objects(const char* name, const Read& read) {
    const Json& member = need(name);
    if (!member.is_array()) wrong(name, "a list of objects");
    for (const Json& each : member) {
      MachineMembers inner(each, fmt::format("an entry of '{}' of {}", name, where_));
      read(inner);
      inner.end();
    }
  }
  const Json& need(const char* name) {
    taken_.insert(name);
    if (!object_.contains(name))
      refuse(fmt::format("{} has no '{}'", where_, name),
             fmt::format("give it, or {}", from_preset));
    return object_.at(name);
  }
  bool has(const char* name) const { return object_.contains(name); }

  // After all members have been asked for.
  void end() const {
    for (const auto& [name, value] : object_.items())
      if (!taken_.contains(name))
        refuse(fmt::format("{} has an unknown '{}'", where_, printable(name, most_shown)),
               fmt::format("its members are: {}", fmt::join(taken_, ", ")));
  }
  [[noreturn]] static void refuse(const std::string& what, const std::string& hint) {
    throw Error(Error::invalid, what, hint);
  }

 private:
  template <class Value>
  Value number(const Json& member, const char* name) const {
    if constexpr (std::is_same_v<Value, bool>) {
      if (!member.is_boolean()) wrong(name, "true or false");
      return member.get<bool>();
    } else if constexpr (std::is_floating_point_v<Value>) {
      if (!member.is_number()) wrong(name, "a number");
      return member.get<Value>();
    } else {
      if (!member.is_number_integer()) wrong(name, "a whole number");
      const auto value = member.get<std::int64_t>();
      if (value != static_cast<std::int64_t>(static_cast<Value>(value)))
        wrong(name, "a smaller number");
      return static_cast<Value>(value);
    }
  }
  [[noreturn]] void wrong(const char* name, const char* wanted) const {
    refuse(fmt::format("'{}' of {} is {}", name, where_,
                       printable(object_.at(name).dump(), most_shown)),
           fmt::format("give {}", wanted));
  }

  const Json& object_;
  std::string where_;
  std::set<std::string> taken_;
};

void take_link(MachineMembers& members, LinkSpeed& link) {
  members.take("link_bytes_per_second", link.bytes_per_second);
  members.take("link_latency_seconds", link.latency_seconds);
}

// How a shape of networks is written and read.
struct ShapeEntry {
  const char* name;
  Json (*print)(const NetworkShape&);  // null of another shape
  NetworkShape (*parse)(MachineMembers&);
};

template <class Shape>
Json printed(const NetworkShape& shape, void (*add)(Json&, const Shape&)) {
  const auto* const found = std::get_if<Shape>(&shape);
  if (found == nullptr) return {};
  Json object = Json::object();
  add(object, *found);
  if constexpr (!std::is_same_v<Shape, Graph>) {
    object["link_bytes_per_second"] = found->link.bytes_per_second;
    object["link_latency_seconds"] = found->link.latency_seconds;
  }
  return object;
}

Json print_crossbar(const NetworkShape& shape) {
  return printed<Crossbar>(
      shape, [](Json& to, const Crossbar& crossbar) { to["nodes"] = crossbar.nodes; });
}
NetworkShape parse_crossbar(MachineMembers& members) {
  Crossbar shape;
  members.take("nodes", shape.nodes);
  take_link(members, shape.link);
  return shape;
}

Json print_tree(const NetworkShape& shape) {
  return printed<FatTree>(shape, [](Json& to, const FatTree& tree) {
    to["children_of_levels"] = tree.below;
    to["parents_of_levels"] = tree.above;
    to["parallel_links_of_levels"] = tree.parallel;
  });
}
NetworkShape parse_tree(MachineMembers& members) {
  FatTree shape;
  members.take("children_of_levels", shape.below);
  members.take("parents_of_levels", shape.above);
  members.take("parallel_links_of_levels", shape.parallel);
  take_link(members, shape.link);
  return shape;
}

Json print_torus(const NetworkShape& shape) {
  return printed<Torus>(shape, [](Json& to, const Torus& torus) {
    to["extents"] = torus.extents;
    to["wraps"] = torus.wraps;
    to["ties"] = torus.ties == Torus::Ties::split ? "split" : "up";
  });
}
NetworkShape parse_torus(MachineMembers& members) {
  Torus shape;
  members.take("extents", shape.extents);
  if (members.has("wraps")) members.take("wraps", shape.wraps);
  if (members.has("ties")) {
    std::string ties;
    members.take("ties", ties);
    if (ties != "split" && ties != "up")
      MachineMembers::refuse(fmt::format("'ties' of the torus is '{}'", ties), "give split or up");
    shape.ties = ties == "up" ? Torus::Ties::up : Torus::Ties::split;
  }
  take_link(members, shape.link);
  return shape;
}

Json print_dragonfly(const NetworkShape& shape) {
  return printed<Dragonfly>(shape, [](Json& to, const Dragonfly& dragonfly) {
    to["groups"] = dragonfly.groups;
    to["chassis_of_group"] = dragonfly.chassis;
    to["routers_of_chassis"] = dragonfly.routers;
    to["nodes_of_router"] = dragonfly.nodes;
    to["links_between_groups"] = dragonfly.group_links;
    to["links_between_chassis"] = dragonfly.chassis_links;
    to["links_between_routers"] = dragonfly.router_links;
    if (dragonfly.node_links != 1) to["links_of_nodes"] = dragonfly.node_links;
  });
}
NetworkShape parse_dragonfly(MachineMembers& members) {
  Dragonfly shape;
  members.take("groups", shape.groups);
  members.take("chassis_of_group", shape.chassis);
  members.take("routers_of_chassis", shape.routers);
  members.take("nodes_of_router", shape.nodes);
  members.take("links_between_groups", shape.group_links);
  members.take("links_between_chassis", shape.chassis_links);
  members.take("links_between_routers", shape.router_links);
  if (members.has("links_of_nodes")) members.take("links_of_nodes", shape.node_links);
  take_link(members, shape.link);
  return shape;
}

Json print_graph(const NetworkShape& shape) {
  return printed<Graph>(shape, [](Json& to, const Graph& graph) {
    to["nodes"] = graph.nodes;
    to["switches"] = graph.switches;
    to["cables"] = Json::array();
    for (const Graph::Cable& cable : graph.cables)
      to["cables"].push_back({{"from", cable.from},
                              {"to", cable.to},
                              {"link_bytes_per_second", cable.speed.bytes_per_second},
                              {"link_latency_seconds", cable.speed.latency_seconds}});
  });
}
NetworkShape parse_graph(MachineMembers& members) {
  Graph shape;
  members.take("nodes", shape.nodes);
  members.take("switches", shape.switches);
  members.take_objects("cables", [&](MachineMembers& cable) {
    Graph::Cable& one = shape.cables.emplace_back();
    cable.take("from", one.from);
    cable.take("to", one.to);
    take_link(cable, one.speed);
  });
  return shape;
}

constexpr std::array shapes{ShapeEntry{"crossbar", print_crossbar, parse_crossbar},
                            ShapeEntry{"fat_tree", print_tree, parse_tree},
                            ShapeEntry{"torus", print_torus, parse_torus},
                            ShapeEntry{"dragonfly", print_dragonfly, parse_dragonfly},
                            ShapeEntry{"graph", print_graph, parse_graph}};

NetworkShape parse_network(const Json& object) {
  MachineMembers members(object, "the network");
  std::string name;
  members.take("shape", name);
  std::vector<std::string> known;
  for (const ShapeEntry& entry : shapes) {
    known.emplace_back(entry.name);
    if (name != entry.name) continue;
    NetworkShape shape = entry.parse(members);
    members.end();
    return shape;
  }
  MachineMembers::refuse(fmt::format("there is no network of the shape '{}'", name),
                         fmt::format("one of: {}", fmt::join(known, ", ")));
}

Json print_network(const NetworkShape& shape) {
  for (const ShapeEntry& entry : shapes) {
    const Json members = entry.print(shape);
    if (members.is_null()) continue;
    Json object{{"shape", entry.name}};
    object.update(members);
    return object;
  }
  return {};
}

DevicesOfNode parse_devices(const Json& object) {
  MachineMembers members(object, "the devices");
  DevicesOfNode devices;
  members.take("devices_per_node", devices.count);
  members.take("memory_bytes", devices.memory_bytes);
  members.take("memory_bytes_per_second", devices.memory_bytes_per_second);
  members.take("bus_bytes_per_second", devices.bus_bytes_per_second);
  members.end();
  return devices;
}

void take_findings(MachineMembers& members, std::vector<Finding>& findings) {
  members.take_objects("findings", [&](MachineMembers& finding) {
    Finding& one = findings.emplace_back();
    finding.take("name", one.name);
    finding.take("what", one.what);
    finding.take("mend", one.mend);
  });
}

Json print_devices(const DevicesOfNode& devices) {
  return {{"devices_per_node", devices.count},
          {"memory_bytes", devices.memory_bytes},
          {"memory_bytes_per_second", devices.memory_bytes_per_second},
          {"bus_bytes_per_second", devices.bus_bytes_per_second}};
}

MachineModel machine_of(const Json& object) {
  MachineMembers members(object, "the machine");
  int written = 0;
  members.take("weft_machine", written);
  if (written != machine_version)
    MachineMembers::refuse(fmt::format("the file has version {} of machine files", written),
                           fmt::format("this weft reads version {}", machine_version));
  MachineModel machine;
  members.take("name", machine.name);
  if (members.has("source")) members.take("source", machine.source);
  members.take("ranks_per_node", machine.ranks_per_node);
  members.take("cores_per_node", machine.cores_per_node);
  members.take("cache_bytes_per_core", machine.cache_bytes_per_core);
  members.take("shared_cache_bytes_per_node", machine.shared_cache_bytes_per_node);
  members.take("memory_bytes_per_second", machine.memory_bytes_per_second);
  constexpr const char* of_cache = "shared_cache_bytes_per_second";
  if (members.has(of_cache)) members.take(of_cache, machine.shared_cache_bytes_per_second);
  machine.transforms.clear();
  members.take_objects("transforms", [&](MachineMembers& speed) {
    TransformSpeed& one = machine.transforms.emplace_back();
    speed.take("points", one.points);
    constexpr const char *of_rows = "rows_seconds_per_point",
                         *of_columns = "columns_seconds_per_point";
    if (speed.has(of_rows) || speed.has(of_columns)) {
      speed.take(of_rows, one.rows);
      speed.take(of_columns, one.columns);
    } else {
      speed.take("seconds_per_point", one.rows);
      one.columns = one.rows;
    }
    if (speed.has("real_part")) speed.take("real_part", one.real_part);
    if (speed.has("single_part")) speed.take("single_part", one.single_part);
  });
  members.take("message_seconds", machine.message_seconds);
  members.take("synchronization_seconds", machine.synchronization_seconds);
  constexpr const char* of_bytes = "message_seconds_per_byte";
  if (members.has(of_bytes)) members.take(of_bytes, machine.message_seconds_per_byte);
  if (members.has("message_speeds"))
    members.take_objects("message_speeds", [&](MachineMembers& speed) {
      MessageSpeed& one = machine.message_speeds.emplace_back();
      speed.take("message_bytes", one.bytes);
      speed.take("node_bytes_per_second", one.bytes_per_second);
    });
  if (members.has("alltoallv")) {
    std::string way;
    members.take("alltoallv", way);
    machine.alltoallv = value_in(alltoallv_ways, way, "way of alltoallv");
  }
  machine.network = parse_network(members.need("network"));
  if (members.has("devices")) machine.devices = parse_devices(members.need("devices"));
  if (members.has("findings")) take_findings(members, machine.findings);
  members.end();
  check(machine);
  return machine;
}

Json print_speed(const TransformSpeed& speed) {
  Json object{{"points", speed.points}};
  if (speed.rows == speed.columns) {
    object["seconds_per_point"] = speed.rows;
  } else {
    object["rows_seconds_per_point"] = speed.rows;
    object["columns_seconds_per_point"] = speed.columns;
  }
  const TransformSpeed usual;
  if (speed.real_part != usual.real_part) object["real_part"] = speed.real_part;
  if (speed.single_part != usual.single_part) object["single_part"] = speed.single_part;
  return object;
}

const MachineModel* find_preset(const std::string& name) {
  const auto& all = machine_presets();
  const auto found = std::ranges::find(all, name, &MachineModel::name);
  return found == all.end() ? nullptr : &*found;
}

std::string text_of_file(const std::string& name) {
  auto file = find_text_file(name, most_bytes_of_descriptions,
                             "give a machine file, as `weft plan --print-machine` prints it");
  if (file) return *std::move(file);
  std::vector<std::string> known;
  for (const MachineModel& preset : machine_presets()) known.push_back(preset.name);
  throw Error(Error::invalid, fmt::format("there is no machine file '{}'", name),
              fmt::format("give a file, or one of: {}", fmt::join(known, ", ")));
}

}  // namespace

std::string print_machine(const MachineModel& machine) {
  Json transforms = Json::array();
  for (const TransformSpeed& each : machine.transforms) transforms.push_back(print_speed(each));
  Json object{{"weft_machine", machine_version}, {"name", machine.name}};
  if (!machine.source.empty()) object["source"] = machine.source;
  object.update({{"ranks_per_node", machine.ranks_per_node},
                 {"cores_per_node", machine.cores_per_node},
                 {"cache_bytes_per_core", machine.cache_bytes_per_core},
                 {"shared_cache_bytes_per_node", machine.shared_cache_bytes_per_node},
                 {"memory_bytes_per_second", machine.memory_bytes_per_second}});
  if (!machine.shared_cache_bytes_per_second.empty())
    object["shared_cache_bytes_per_second"] = machine.shared_cache_bytes_per_second;
  object["transforms"] = transforms;
  object["message_seconds"] = machine.message_seconds;
  object["synchronization_seconds"] = machine.synchronization_seconds;
  if (machine.message_seconds_per_byte != 0)
    object["message_seconds_per_byte"] = machine.message_seconds_per_byte;
  for (const MessageSpeed& each : machine.message_speeds)
    object["message_speeds"].push_back(
        {{"message_bytes", each.bytes}, {"node_bytes_per_second", each.bytes_per_second}});
  if (machine.alltoallv != AlltoallvWay::at_once)
    object["alltoallv"] = name_in(alltoallv_ways, machine.alltoallv);
  object["network"] = print_network(machine.network);
  if (machine.devices.count > 0) object["devices"] = print_devices(machine.devices);
  for (const Finding& each : machine.findings)
    object["findings"].push_back({{"name", each.name}, {"what", each.what}, {"mend", each.mend}});
  return json_text(object, 1);
}

MachineModel parse_machine(const std::string& text, const std::string& name) {
  const auto context = [&] { return fmt::format("reading the machine of {}", name); };
  return with_context(context, [&] {
    const Json object = parse_json(text, from_preset);
    const bool is_report = object.is_object() && !object.contains("weft_machine") &&
                           object.contains("machine") && object.at("machine").is_object();
    return machine_of(is_report ? object.at("machine") : object);
  });
}

MachineModel find_machine(const std::string& name) {
  if (const MachineModel* const preset = find_preset(name)) return *preset;
  return parse_machine(text_of_file(name), name);
}

NetworkSource find_network(const std::string& name) {
  std::optional<MachineModel> machine;
  if (const MachineModel* const preset = find_preset(name)) {
    machine = *preset;
  } else {
    const std::string text = text_of_file(name);
    const auto context = [&] { return fmt::format("reading the network of {}", name); };
    const auto alone = with_context(context, [&]() -> std::optional<NetworkShape> {
      const Json object = parse_json(text, from_preset);
      if (!object.is_object() || !object.contains("shape")) return std::nullopt;
      NetworkShape network = parse_network(object);
      checked_nodes(network);
      return network;
    });
    if (alone) return {*alone, std::nullopt};
    machine = parse_machine(text, name);
  }
  return {machine->network, machine};
}

void warn_of_findings(const MachineModel& machine) {
  if (machine.findings.empty()) return;
  constexpr std::size_t most_shown = 1000;
  log_line(LogLevel::warn, [&] {
    std::string text =
        fmt::format("the figures of the machine '{}' may be wrong, and so may what they predict",
                    printable(machine.name, most_shown));
    for (const Finding& each : machine.findings)
      text += fmt::format("\n{}: {}\n  try: {}", printable(each.name, most_shown),
                          printable(each.what, most_shown), printable(each.mend, most_shown));
    return text;
  });
}

}  // namespace weft
