// machine/machine_model: checks and interpolates.

#include "weft/machine/machine_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "weft/base/ensure.hpp"
#include "weft/base/printable.hpp"

namespace weft {

namespace {

// Numbers with which predictions are finite.
void require_positive(double value, const std::string& name, const std::string& what) {
  constexpr double least = 1e-18, most = 1e18;
  if (value >= least && value <= most) return;
  throw Error(Error::invalid, fmt::format("{} of the machine '{}' is {}", what, name, value),
              fmt::format("give a number from {:g} to {:g}", least, most));
}

void require_at_least_1(std::int64_t value, const std::string& name, const char* what) {
  if (value >= 1) return;
  throw Error(Error::invalid, fmt::format("{} of the machine '{}' is {}", what, name, value),
              "give at least 1");
}

void check_devices(const DevicesOfNode& devices, const std::string& name) {
  require_at_least_1(devices.count, name, "devices_per_node");
  require_at_least_1(devices.memory_bytes, name, "memory_bytes of devices");
  require_positive(devices.memory_bytes_per_second, name, "memory_bytes_per_second of devices");
  require_positive(devices.bus_bytes_per_second, name, "bus_bytes_per_second of devices");
}

}  // namespace

MachineModel cluster_100g() {
  MachineModel machine;
  machine.name = "cluster-100g";
  machine.source =
      "nodes of 16 cores with a link of 100 Gbit/s to one switch: an example, all of whose numbers "
      "are estimates";
  machine.ranks_per_node = machine.cores_per_node = 16;
  machine.memory_bytes_per_second = {18e9, 36e9, 52e9, 68e9, 84e9, 98e9, 110e9, 120e9};
  machine.transforms = {{64, 0.9e-9}, {256, 1e-9}, {512, 1.2e-9}, {4096, 2e-9}};
  machine.message_seconds = 1e-6;
  Crossbar crossbar;
  crossbar.nodes = 64;
  crossbar.link = {12e9, 1e-6};
  machine.network = crossbar;
  return machine;
}

std::string shown_name(const MachineModel& machine) {
  constexpr std::size_t most_shown = 80;
  return printable(machine.name, most_shown);
}

void check(const MachineModel& machine) {
  const std::string name = shown_name(machine);
  require_at_least_1(machine.ranks_per_node, name, "ranks_per_node");
  require_at_least_1(machine.cores_per_node, name, "cores_per_node");
  require_at_least_1(machine.cache_bytes_per_core, name, "cache_bytes_per_core");
  require_at_least_1(machine.shared_cache_bytes_per_node, name, "shared_cache_bytes_per_node");
  constexpr int most_of_node = 1 << 20;
  if (std::max(machine.ranks_per_node, machine.cores_per_node) > most_of_node)
    throw Error(Error::invalid,
                fmt::format("the machine '{}' has {} ranks and {} cores a node", name,
                            machine.ranks_per_node, machine.cores_per_node),
                fmt::format("give at most {}", most_of_node));
  if (machine.memory_bytes_per_second.empty() || machine.transforms.empty())
    throw Error(Error::invalid,
                fmt::format("the machine '{}' has no {}", name,
                            machine.transforms.empty() ? "transforms" : "memory_bytes_per_second"),
                "give at least one");
  for (const double each : machine.memory_bytes_per_second)
    require_positive(each, name, "memory_bytes_per_second");
  for (const double each : machine.shared_cache_bytes_per_second)
    require_positive(each, name, "shared_cache_bytes_per_second");
  std::int64_t before = 1;
  for (const TransformSpeed& each : machine.transforms) {
    const bool are_equal = each.rows == each.columns;
    require_positive(each.rows, name, are_equal ? "seconds_per_point" : "rows_seconds_per_point");
    require_positive(each.columns, name, "columns_seconds_per_point");
    require_positive(each.real_part, name, "real_part");
    require_positive(each.single_part, name, "single_part");
    if (each.points <= before)
      throw Error(Error::invalid,
                  fmt::format("the transforms of the machine '{}' are of {} points after {}", name,
                              each.points, before),
                  "give them with ascending numbers of points, the first at least 2");
    before = each.points;
  }
  require_positive(machine.message_seconds, name, "message_seconds");
  require_positive(machine.synchronization_seconds, name, "synchronization_seconds");
  if (machine.message_seconds_per_byte != 0)
    require_positive(machine.message_seconds_per_byte, name, "message_seconds_per_byte");
  std::int64_t smaller = 0;
  for (const MessageSpeed& each : machine.message_speeds) {
    require_positive(each.bytes_per_second, name, "node_bytes_per_second");
    if (each.bytes <= smaller)
      throw Error(Error::invalid,
                  fmt::format("the message_speeds of the machine '{}' are of {} bytes after {}",
                              name, each.bytes, smaller),
                  "give them with ascending numbers of bytes, the first at least 1");
    smaller = each.bytes;
  }
  if (machine.devices.count != 0) check_devices(machine.devices, name);
  checked_nodes(machine.network);
}

Machine ranks_of(const MachineModel& machine, int ranks, int threads) {
  const std::int64_t most = std::int64_t{checked_nodes(machine.network)} * machine.ranks_per_node;
  if (ranks < 1 || ranks > most)
    throw Error(
        Error::invalid,
        fmt::format("{} ranks on the machine '{}', a {} with {} ranks a node", ranks,
                    shown_name(machine), to_string(machine.network), machine.ranks_per_node),
        fmt::format("ask for 1 to {} ranks", most));
  Machine made;
  made.ranks = ranks;
  for (int rank = 0; rank < ranks; ++rank)
    made.node_of_rank.push_back(rank / machine.ranks_per_node);
  made.cache_bytes = machine.cache_bytes_per_core;
  made.shared_cache_bytes =
      std::max<std::int64_t>(1, machine.shared_cache_bytes_per_node / machine.ranks_per_node);
  made.threads_of_rank.assign(static_cast<std::size_t>(ranks), threads);
  return made;
}

// What a rank has of the link of its node where no link was measured. A choice: a core then sends
// about as long as it computes, so that what is chosen is not far from the best where links are
// either faster or slower.
constexpr double nominal_link_bytes_per_second = 3e9;

MachineModel model_of(const Machine& machine) {
  MachineModel model = cluster_100g();
  model.name = "a cluster like this one";
  model.source.clear();
  const Speeds& speeds = machine.speeds;
  const std::vector<int> sizes = machine.node_sizes();
  model.ranks_per_node = *std::ranges::max_element(sizes);
  // Without measurements, the number of threads must not decide, as it must not change a bit.
  const int threads = speeds.are_known() ? machine.threads(0) : 1;
  model.cores_per_node = model.ranks_per_node * threads;
  model.cache_bytes_per_core = machine.cache_bytes;
  model.shared_cache_bytes_per_node = machine.shared_cache_bytes * model.ranks_per_node;
  Crossbar crossbar = std::get<Crossbar>(model.network);
  crossbar.nodes = static_cast<int>(sizes.size());
  if (speeds.are_known()) {
    const auto of_cores = [&](double bytes_per_second_of_rank) {
      std::vector<double> all;
      for (int core = 1; core <= model.cores_per_node && bytes_per_second_of_rank > 0; ++core)
        all.push_back(core * bytes_per_second_of_rank / threads);
      return all;
    };
    model.memory_bytes_per_second = of_cores(speeds.walked_bytes_per_second);
    model.shared_cache_bytes_per_second = of_cores(speeds.cached_bytes_per_second);
  } else {
    for (const double memory : model.memory_bytes_per_second)
      model.shared_cache_bytes_per_second.push_back(2 * memory);
  }
  if (const double measured = speeds.transform_seconds_per_point; measured > 0) {
    const double usual = transform_seconds_per_point(model, Speeds::known_line, {});
    for (TransformSpeed& each : model.transforms)
      each.rows = each.columns = each.rows * measured / usual;
  }
  if (speeds.are_links_known()) {
    // Chunks follow from it, here and in plans (planning/chunks). It holds a message that is sent
    // and one that is received, so is at most what each takes; the rest is the latency of two
    // links.
    model.message_seconds = speeds.message_overhead_seconds > 0 ? speeds.message_overhead_seconds
                                                                : speeds.message_seconds;
    model.message_seconds_per_byte = speeds.message_seconds_per_byte;
    crossbar.link = {speeds.node_bytes_per_second,
                     std::max(0.0, speeds.message_seconds / 2 - model.message_seconds)};
  } else {
    crossbar.link.bytes_per_second = std::min(crossbar.link.bytes_per_second,
                                              nominal_link_bytes_per_second * model.ranks_per_node);
  }
  model.network = crossbar;
  return model;
}

double memory_share(const MachineModel& machine, int cores, double bytes) {
  const auto share = [&](const std::vector<double>& all) {
    return all[std::min<std::size_t>(static_cast<std::size_t>(cores), all.size()) - 1] / cores;
  };
  const double of_memory = share(machine.memory_bytes_per_second);
  if (machine.shared_cache_bytes_per_second.empty()) return of_memory;
  const double filled = bytes / static_cast<double>(machine.shared_cache_bytes_per_node);
  const double cached = std::clamp(2 - 2 * filled, 0.0, 1.0);
  return 1 / (cached / share(machine.shared_cache_bytes_per_second) + (1 - cached) / of_memory);
}

double transform_seconds_per_point(const MachineModel& machine, std::int64_t points,
                                   const LineForm& form) {
  if (points < 2) return 0;
  const auto& all = machine.transforms;
  const auto seconds = [&](const TransformSpeed& each) {
    return (form.are_columns ? each.columns : each.rows) * (form.are_real ? each.real_part : 1) *
           (form.are_single ? each.single_part : 1);
  };
  const auto log = [](std::int64_t n) { return std::log2(static_cast<double>(n)); };
  const auto above = std::ranges::lower_bound(all, points, {}, &TransformSpeed::points);
  if (above == all.begin() || above == all.end()) {
    const TransformSpeed& nearest = above == all.end() ? all.back() : all.front();
    return seconds(nearest) * log(points) / log(nearest.points);
  }
  const TransformSpeed& below = *(above - 1);
  const double share = (log(points) - log(below.points)) / (log(above->points) - log(below.points));
  return (1 - share) * seconds(below) + share * seconds(*above);
}

double message_speed(const std::vector<MessageSpeed>& all, double bytes) {
  if (all.empty()) return std::numeric_limits<double>::infinity();
  const auto above = std::ranges::lower_bound(
      all, bytes, {}, [](const MessageSpeed& each) { return static_cast<double>(each.bytes); });
  if (above == all.begin()) return all.front().bytes_per_second;
  if (above == all.end()) return all.back().bytes_per_second;
  const auto seconds = [](const MessageSpeed& each) {
    return static_cast<double>(each.bytes) / each.bytes_per_second;
  };
  const MessageSpeed& below = *(above - 1);
  const double share =
      (bytes - static_cast<double>(below.bytes)) / static_cast<double>(above->bytes - below.bytes);
  return bytes / ((1 - share) * seconds(below) + share * seconds(*above));
}

}  // namespace weft
