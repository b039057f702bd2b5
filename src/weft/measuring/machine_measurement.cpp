// measuring/machine_measurement: a machine made of measurements.

#include "weft/measuring/machine_measurement.hpp"

#include <algorithm>
#include <cmath>

#include "weft/base/ensure.hpp"

namespace weft {

namespace {

// So that times of nothing at all, and rates of what took no time, are numbers of which predictions
// can be made.
double bounded(double value, double least, double most) {
  return std::isnan(value) ? least : std::clamp(value, least, most);
}
double finite_time(double seconds) { return bounded(seconds, 1e-12, 1e3); }
double finite_part(double part) { return bounded(part, 1e-3, 1e3); }
double finite_rate(double bytes_per_second) { return bounded(bytes_per_second, 1e3, 1e15); }

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Between the numbers of cores that were measured, in proportion.
std::vector<double> memory_of(const std::vector<MemorySpeed>& speeds,
                              double MemorySpeed::*speed_of) {
  std::vector<double> all;
  for (const MemorySpeed& speed : speeds) {
    const double before = all.empty() ? 0 : all.back();
    const int from = static_cast<int>(all.size());
    for (int cores = from + 1; cores <= speed.cores; ++cores)
      all.push_back(
          finite_rate(before + (speed.*speed_of - before) * (cores - from) / (speed.cores - from)));
  }
  return all;
}

// Messages that tell what links carry.
constexpr std::int64_t large_message = std::int64_t{1} << 20;

// What a node sends in streams of messages.
std::vector<MessageSpeed> streams_of(const MachineMeasurement& measured) {
  std::vector<MessageSpeed> speeds;
  for (const SizeCurve& curve : measured.messages.curves) {
    if (!curve.is_of_node) continue;
    for (const SizedTime& time : curve.times)
      speeds.push_back({time.bytes, finite_rate(curve.bytes_per_second(time))});
  }
  return speeds;
}

// A message passes the link of its sender and that of its receiver.
LinkSpeed link_of(const MachineMeasurement& measured) {
  const MessageMeasurement& messages = measured.messages;
  std::vector<double> latencies, speeds;
  for (const PairSpeed& pair : messages.pairs)
    if (measured.job.nodes == 1 || !pair.share_node) {
      latencies.push_back(pair.latency_seconds);
      speeds.push_back(pair.bytes_per_second);
    }
  // A rank alone copies what it would send to another one.
  if (speeds.empty())
    return {finite_rate(measured.memory.speeds.empty() ? 1e10 : measured.memory.speeds[0].copy / 2),
            finite_time(messages.message_seconds)};
  // In exchanges, nodes send and receive at the same time; a pair of ranks takes turns.
  double own = messages.node_bytes_per_second;
  for (const MessageSpeed& each : streams_of(measured))
    if (each.bytes >= large_message) own = std::max(own, each.bytes_per_second);
  return {finite_rate(own > 0 ? own : median_of(speeds)),
          finite_time(std::max(1e-9, median_of(latencies) / 2 - messages.message_seconds))};
}

}  // namespace

MachineModel machine_of(const MachineMeasurement& measured) {
  const JobFacts& job = measured.job;
  MachineModel machine;
  machine.name = job.name;
  machine.source =
      fmt::format("measured by weft doctor, ranks {}, nodes {}", job.ranks.size(), job.nodes);
  machine.ranks_per_node = job.ranks_per_node;
  machine.cores_per_node = job.cores_per_node;
  machine.cache_bytes_per_core = std::max<std::int64_t>(1, job.cache_bytes);
  machine.shared_cache_bytes_per_node = std::max<std::int64_t>(1, job.shared_cache_bytes);
  const std::vector<MemorySpeed>& speeds = measured.memory.speeds;
  machine.memory_bytes_per_second = memory_of(speeds, &MemorySpeed::walk);
  if (speeds.empty()) machine.memory_bytes_per_second.push_back(finite_rate(1e10));
  if (std::ranges::all_of(speeds, [](const MemorySpeed& each) { return each.cached_walk > 0; }))
    machine.shared_cache_bytes_per_second = memory_of(speeds, &MemorySpeed::cached_walk);
  machine.transforms.clear();
  if (!measured.engines.empty())
    for (const LineSpeed& speed : measured.engines.front().speeds) {
      TransformSpeed& of = machine.transforms.emplace_back(speed.points, finite_time(speed.rows),
                                                           finite_time(speed.columns));
      if (speed.real_rows > 0) of.real_part = finite_part(speed.real_rows / speed.rows);
      if (const double single = mean_of_axes(speed.single_rows, speed.single_columns); single > 0)
        of.single_part = finite_part(single / speed.mean());
    }
  if (machine.transforms.empty()) machine.transforms.emplace_back();
  machine.message_seconds = finite_time(measured.messages.message_seconds);
  machine.synchronization_seconds = finite_time(measured.messages.synchronization_seconds);
  const LinkSpeed link = link_of(measured);
  machine.network = Crossbar{job.nodes, link};
  machine.message_speeds = streams_of(measured);
  for (MessageSpeed& each : machine.message_speeds)
    each.bytes_per_second = std::min(each.bytes_per_second, link.bytes_per_second);
  // Where the largest sizes were left out, the link tells what messages of 1 MiB make of it.
  if (!machine.message_speeds.empty() && machine.message_speeds.back().bytes < large_message)
    machine.message_speeds.push_back({large_message, link.bytes_per_second});
  // A rank has its part of the link; what it sends and receives takes at most the time of that.
  const double most = job.ranks_per_node / (2 * link.bytes_per_second);
  if (const double each = measured.messages.message_seconds_per_byte; each > 0)
    machine.message_seconds_per_byte = std::clamp(each, std::min(1e-18, most), most);
  return machine;
}

}  // namespace weft
