// cli/doctor/doctor_report: formats measurements.

#include "weft/cli/doctor/doctor_report.hpp"

#include <algorithm>
#include <cmath>

#include "weft/choose/checked_options.hpp"
#include "weft/cli/report_parts.hpp"
#include "weft/networks/machine_file.hpp"

namespace weft::cli {

namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string gigabytes(double bytes_per_second) {
  return fmt::format("{:.2f}", bytes_per_second / 1e9);
}

std::string microseconds(double seconds) { return fmt::format("{:.2f}", 1e6 * seconds); }

std::string memory_text(const MachineMeasurement& measured) {
  Rows rows{{"cores at work", "copy GB/s", "triad GB/s", "walk of a pass GB/s",
             "in the shared cache GB/s"}};
  for (const MemorySpeed& speed : measured.memory.speeds)
    rows.push_back({std::to_string(speed.cores), gigabytes(speed.copy), gigabytes(speed.triad),
                    gigabytes(speed.walk),
                    speed.cached_walk > 0 ? gigabytes(speed.cached_walk) : ""});
  return aligned(rows, 0);
}

std::string transforms_text(const MachineMeasurement& measured) {
  Rows rows{{"ns a point, of lines in cache of"}};
  if (measured.engines.empty()) return "";
  for (const LineSpeed& speed : measured.engines.front().speeds)
    rows[0].push_back(std::to_string(speed.points));
  for (const EngineMeasurement& engine : measured.engines) {
    auto& row = rows.emplace_back(1, engine.name);
    for (const LineSpeed& speed : engine.speeds)
      row.push_back(fmt::format("{:.2f}", 1e9 * speed.mean()));
  }
  return aligned(rows, 1);
}

// The fastest, the median and the slowest of some pairs.
void add_pairs(const MachineMeasurement& measured, bool share_host, Rows& rows) {
  std::vector<double> latencies, speeds;
  for (const PairSpeed& pair : measured.messages.pairs) {
    if (pair.share_host != share_host) continue;
    latencies.push_back(pair.latency_seconds);
    speeds.push_back(pair.bytes_per_second);
  }
  if (speeds.empty()) return;
  std::sort(latencies.begin(), latencies.end());
  std::sort(speeds.rbegin(), speeds.rend());
  const std::size_t half = speeds.size() / 2;
  rows.push_back({fmt::format("{} {}", counted(speeds.size(), "pair"),
                              share_host ? "on a host" : "between hosts"),
                  microseconds(latencies.front()), microseconds(latencies[half]),
                  microseconds(latencies.back()), gigabytes(speeds.front()),
                  gigabytes(speeds[half]), gigabytes(speeds.back())});
}

// The percentage of the time in which the ranks of a node together send and receive all that they
// can.
double percent_of_messages(const MachineModel& machine) {
  const double of_rank =
      std::get<Crossbar>(machine.network).link.bytes_per_second / machine.ranks_per_node;
  return std::min(100.0, 100 * machine.message_seconds_per_byte * 2 * of_rank);
}

std::string messages_text(const MachineMeasurement& measured) {
  const MessageMeasurement& messages = measured.messages;
  std::string text;
  Rows rows{{"messages", "us best", "median", "worst", "GB/s best", "median", "worst"}};
  add_pairs(measured, true, rows);
  add_pairs(measured, false, rows);
  if (rows.size() > 1) text += aligned(rows, 1);
  if (messages.node_bytes_per_second > 0)
    text += fmt::format("all ranks of a node to another node: {} GB/s each way\n",
                        gigabytes(messages.node_bytes_per_second));
  text += fmt::format("a small message takes a rank {} us, a barrier the ranks of a node {} us\n",
                      microseconds(messages.message_seconds),
                      microseconds(messages.synchronization_seconds));
  // It is 0 on slow links, where it is not measured, and by chance on a busy machine.
  if (messages.message_seconds_per_byte > 0)
    text += fmt::format(
        "while a rank sends to and receives from other nodes at the full rate, it cannot compute "
        "for {:.0f}% of the time\n",
        percent_of_messages(machine_of(measured)));
  else if (messages.node_bytes_per_second > 0)
    text +=
        "no time was measured in which a rank that sends to and receives from other nodes cannot "
        "compute\n";
  for (const SizeCurve& curve : messages.curves) {
    double best = 0;
    for (const SizedTime& time : curve.times) best = std::max(best, curve.bytes_per_second(time));
    text += fmt::format("{}: at best {} GB/s a {}, of {} sizes up to {}\n", curve.name,
                        gigabytes(best), curve.is_of_node ? "node" : "rank", curve.times.size(),
                        size_text(static_cast<double>(curve.times.back().bytes)));
  }
  return text;
}

std::string plans_text(const MachineMeasurement& measured) {
  const PassMeasurement& passes = measured.passes;
  if (passes.passes.empty()) return "";
  Rows rows{
      {fmt::format("passes of {0}x{0}x{0}", passes.points), "ms", "GB/s a node", "GFlop/s a node"}};
  for (const PassSpeed& pass : passes.passes)
    rows.push_back({pass.name, milliseconds(pass.seconds), gigabytes(pass.bytes_per_second),
                    gigabytes(pass.flops_per_second)});
  std::string text = aligned(rows, 1);
  std::string hidden;
  for (const OverlapSpeed& overlap : measured.overlap)
    hidden += fmt::format("{}{:.0f}% with --progress {}", hidden.empty() ? "" : ", ",
                          100 * overlap.hidden, to_string(overlap.progress));
  if (!hidden.empty()) text += "exchanges in 4 chunks hidden behind computing: " + hidden + "\n";
  return text;
}

// Empty for what is unknown.
std::string known_gigabytes(double bytes_per_second) {
  return bytes_per_second > 0 ? gigabytes(bytes_per_second) : "";
}

std::string device_text(const DeviceMeasurement& devices) {
  if (devices.driver.empty()) return fmt::format("no device is measured: {}\n", devices.why_none);
  std::string text = aligned(device_rows(devices), 1);
  Rows rows{{"copies from the device of another rank", "GB/s"}};
  for (const DevicePair& pair : devices.pairs)
    rows.push_back({fmt::format("rank {}, device {}, by rank {}, device {}", pair.first,
                                pair.first_device, pair.second, pair.second_device),
                    gigabytes(pair.bytes_per_second)});
  if (rows.size() > 1) text += "\n" + aligned(rows, 1);
  if (!devices.why_no_pairs.empty())
    text += fmt::format("ranks cannot copy from each other's devices: {}\n", devices.why_no_pairs);
  return text;
}

Json json_of(const JobFacts& job) {
  Json places = Json::array(), hosts = Json::array();
  for (std::size_t r = 0; r < job.ranks.size(); ++r) {
    const RankPlace& place = job.ranks[r];
    places.push_back({{"rank", r},
                      {"node", place.node},
                      {"host", place.host},
                      {"threads", place.threads},
                      {"processors", place.processors},
                      {"cores", place.cores}});
  }
  for (const Host& host : job.hosts)
    hosts.push_back({{"cores", host.cores},
                     {"processors", host.processors},
                     {"quota_processors", host.quota == 0 ? Json() : Json(host.quota)}});
  return {{"mpi", job.mpi},
          {"ranks", job.ranks.size()},
          {"nodes", job.nodes},
          {"hosts", hosts},
          {"places", places},
          {"huge_pages", job.huge_pages.empty() ? Json() : Json(job.huge_pages)},
          {"mpi_thread_multiple", job.has_mpi_threads},
          {"why_not_shared", job.why_not_shared}};
}

Json json_of(const MemoryMeasurement& memory) {
  Json speeds = Json::array();
  for (const MemorySpeed& speed : memory.speeds)
    speeds.push_back({{"cores", speed.cores},
                      {"copy_bytes_per_second", speed.copy},
                      {"triad_bytes_per_second", speed.triad},
                      {"walk_bytes_per_second", speed.walk},
                      {"shared_cache_walk_bytes_per_second", speed.cached_walk},
                      {"spread", speed.spread}});
  return {{"bytes_per_core", memory.bytes_per_core},
          {"exceeds_caches", memory.exceeds_caches},
          {"speeds", speeds}};
}

Json json_of(const EngineMeasurement& engine) {
  Json speeds = Json::array();
  for (const LineSpeed& speed : engine.speeds) {
    Json& of = speeds.emplace_back(Json{{"points", speed.points},
                                        {"rows_seconds_per_point", speed.rows},
                                        {"columns_seconds_per_point", speed.columns},
                                        {"seconds_per_point", speed.mean()}});
    if (speed.real_rows == 0) continue;  // of the default engine only
    of["real_rows_seconds_per_point"] = speed.real_rows;
    of["single_rows_seconds_per_point"] = speed.single_rows;
    of["single_columns_seconds_per_point"] = speed.single_columns;
  }
  return {{"name", engine.name}, {"spread", engine.spread}, {"speeds", speeds}};
}

Json json_of(const MessageMeasurement& messages) {
  Json pairs = Json::array(), curves = Json::array();
  for (const PairSpeed& pair : messages.pairs)
    pairs.push_back({{"ranks", {pair.first, pair.second}},
                     {"share_node", pair.share_node},
                     {"share_host", pair.share_host},
                     {"latency_seconds", pair.latency_seconds},
                     {"bytes_per_second", pair.bytes_per_second}});
  for (const SizeCurve& curve : messages.curves) {
    Json sizes = Json::array();
    for (const SizedTime& time : curve.times)
      sizes.push_back({{"bytes", time.bytes},
                       {"seconds", time.seconds},
                       {"bytes_per_second", curve.bytes_per_second(time)}});
    curves.push_back(
        {{"name", curve.name}, {"of", curve.is_of_node ? "node" : "rank"}, {"sizes", sizes}});
  }
  return {{"message_seconds", messages.message_seconds},
          {"synchronization_seconds", messages.synchronization_seconds},
          {"message_seconds_per_byte", messages.message_seconds_per_byte},
          {"node_bytes_per_second",
           messages.node_bytes_per_second > 0 ? Json(messages.node_bytes_per_second) : Json()},
          {"pairs", pairs},
          {"bandwidth_by_size", curves}};
}

Json json_of(const PassMeasurement& passes) {
  Json all = Json::array();
  for (const PassSpeed& pass : passes.passes)
    all.push_back({{"name", pass.name},
                   {"seconds", pass.seconds},
                   {"bytes_per_second", pass.bytes_per_second},
                   {"flops_per_second", pass.flops_per_second}});
  return {{"extents", {passes.points, passes.points, passes.points}},
          {"strategy", passes.strategy},
          {"spread", passes.spread},
          {"passes", all}};
}

Json known(double bytes_per_second) {
  return bytes_per_second > 0 ? Json(bytes_per_second) : Json();
}

Json json_of(const DeviceMeasurement& devices) {
  if (devices.driver.empty()) return {{"driver", Json()}, {"why_none", devices.why_none}};
  Json speeds = Json::array(), pairs = Json::array();
  for (const DeviceSpeed& speed : devices.speeds) {
    const DeviceSpeed::Figures& figures = speed.figures;
    speeds.push_back({{"rank", speed.rank},
                      {"number", figures.number},
                      {"name", speed.name},
                      {"bus", speed.bus},
                      {"copy_bytes_per_second", figures.copy},
                      {"memory_peak_bytes_per_second", known(figures.memory_peak)},
                      {"to_device_pageable_bytes_per_second", figures.up_pageable},
                      {"to_device_registered_bytes_per_second", figures.up_registered},
                      {"from_device_pageable_bytes_per_second", figures.down_pageable},
                      {"from_device_registered_bytes_per_second", figures.down_registered},
                      {"both_ways_bytes_per_second", figures.both_ways},
                      {"bus_peak_bytes_per_second", known(figures.bus_peak)}});
  }
  for (const DevicePair& pair : devices.pairs)
    pairs.push_back({{"ranks", {pair.first, pair.second}},
                     {"devices", {pair.first_device, pair.second_device}},
                     {"bytes_per_second", pair.bytes_per_second}});
  return {{"driver", devices.driver},
          {"speeds", speeds},
          {"pairs", pairs},
          {"why_no_pairs", devices.why_no_pairs.empty() ? Json() : Json(devices.why_no_pairs)}};
}

}  // namespace

std::vector<std::vector<std::string>> device_rows(const DeviceMeasurement& devices) {
  Rows rows{{fmt::format("GB/s of devices ({})", devices.driver), "copy", "peak", "to it: pageable",
             "registered", "from it: pageable", "registered", "both ways", "peak of the bus"}};
  for (const DeviceSpeed& speed : devices.speeds) {
    const DeviceSpeed::Figures& figures = speed.figures;
    rows.push_back({fmt::format("{} of rank {}: {}", figures.number, speed.rank, speed.name),
                    gigabytes(figures.copy), known_gigabytes(figures.memory_peak),
                    gigabytes(figures.up_pageable), gigabytes(figures.up_registered),
                    gigabytes(figures.down_pageable), gigabytes(figures.down_registered),
                    gigabytes(figures.both_ways), known_gigabytes(figures.bus_peak)});
  }
  return rows;
}

std::string job_text(const JobFacts& job) {
  return fmt::format("{} on {} of {}; {}", counted(job.ranks.size(), "rank"),
                     counted(static_cast<std::size_t>(job.nodes), "node"),
                     counted(static_cast<std::size_t>(job.cores_per_node), "core"), job.mpi);
}

double flops_of(const LineSpeed& speed) {
  return 5 * std::log2(static_cast<double>(speed.points)) / speed.mean();
}

std::string size_text(double bytes) {
  const char* const units[] = {"B", "KiB", "MiB", "GiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(units); ++unit) bytes /= 1024;
  return fmt::format("{:g} {}", bytes, units[unit]);
}

std::string doctor_text(const MachineMeasurement& measured, const std::vector<Finding>& findings) {
  const JobFacts& job = measured.job;
  std::string text =
      fmt::format("'{}': {}; measured in {:.1f} s\n", job.name, job_text(job), measured.seconds);
  text += fmt::format("caches: {} a core, {} a node for its cores together\n\n",
                      size_text(static_cast<double>(job.cache_bytes)),
                      size_text(static_cast<double>(job.shared_cache_bytes)));
  for (const std::string& part :
       {memory_text(measured), transforms_text(measured), messages_text(measured),
        plans_text(measured), device_text(measured.devices)})
    text += part + "\n";
  if (findings.empty()) return text + "No findings: nothing that was checked is wrong.";
  text += counted(findings.size(), "finding") + ":\n";
  for (const Finding& finding : findings)
    text += fmt::format("- {}: {}\n  try: {}\n", finding.name, finding.what, finding.mend);
  text.pop_back();
  return text;
}

std::string doctor_json(const MachineMeasurement& measured, const std::vector<Finding>& findings) {
  Json engines = Json::array(), overlap = Json::array(), found = Json::array(),
       limits = Json::array();
  for (const EngineMeasurement& engine : measured.engines) engines.push_back(json_of(engine));
  for (const OverlapSpeed& each : measured.overlap)
    overlap.push_back({{"progress", to_string(each.progress)}, {"hidden", each.hidden}});
  for (const Finding& finding : findings)
    found.push_back({{"name", finding.name}, {"what", finding.what}, {"mend", finding.mend}});
  for (const Threshold& threshold : thresholds())
    limits.push_back(
        {{"name", threshold.name}, {"value", threshold.value}, {"reason", threshold.reason}});
  const Json object{{"weft", WEFT_VERSION},
                    {"seconds", measured.seconds},
                    {"machine", Json::parse(print_machine(machine_with_findings(measured)))},
                    {"job", json_of(measured.job)},
                    {"memory", json_of(measured.memory)},
                    {"engines", engines},
                    {"messages", json_of(measured.messages)},
                    {"passes", json_of(measured.passes)},
                    {"overlap", overlap},
                    {"devices", json_of(measured.devices)},
                    {"findings", found},
                    {"thresholds", limits}};
  return json_text(object, 1) + "\n";
}

}  // namespace weft::cli
