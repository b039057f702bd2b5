// cli/doctor/doctor_page: the page, part by part.

#include "weft/cli/doctor/doctor_page.hpp"

#include <algorithm>

#include "weft/base/ensure.hpp"
#include "weft/cli/doctor/doctor_report.hpp"
#include "weft/cli/pages/page.hpp"
#include "weft/cli/pages/svg.hpp"

namespace weft::cli {

namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string findings_part(const std::vector<Finding>& findings) {
  if (findings.empty())
    return section("Findings", "<p>None: nothing that was checked is wrong.</p>\n");
  Rows rows{{"finding", "what was found", "what to try"}};
  for (const Finding& finding : findings)
    rows.push_back({finding.name, finding.what, finding.mend});
  return section("Findings", table(rows, 3));
}

// What the cores of a node compute at most, by the fastest length in cache.
double peak_of(const MachineMeasurement& measured) {
  double best = 0;
  if (!measured.engines.empty())
    for (const LineSpeed& speed : measured.engines.front().speeds)
      best = std::max(best, flops_of(speed));
  return best * measured.job.cores_per_node;
}

ChartSeries roof(const std::string& name, int colour, double bytes_per_second, double peak) {
  constexpr double first = 0.125, last = 16;  // flops a byte; passes have about 1 or 2
  const double ridge = std::clamp(peak / bytes_per_second, first, last);
  ChartSeries line{name, true, colour, {}};
  for (const double x : {first, ridge, last}) {
    const double y = std::min(peak, x * bytes_per_second);
    line.points.push_back({x, y / 1e9, fmt::format("{:.1f} GFlop/s", y / 1e9)});
  }
  return line;
}

std::string roofline_part(const MachineMeasurement& measured) {
  const auto& speeds = measured.memory.speeds;
  const double peak = peak_of(measured);
  if (speeds.empty() || peak == 0) return "";
  LogChart chart{
      "flops for each byte that is loaded or stored", "GFlop/s of a node", nullptr, false, {}};
  chart.series.push_back(
      roof(speeds.back().cores == 1 ? "1 core" : fmt::format("all {} cores", speeds.back().cores),
           0, speeds.back().copy, peak));
  if (speeds.size() > 1)
    chart.series.push_back(
        roof("1 core", 5, speeds.front().copy, peak / measured.job.cores_per_node));
  ChartSeries passes{fmt::format("passes of {0}x{0}x{0}", measured.passes.points), false, 1, {}};
  for (const PassSpeed& pass : measured.passes.passes)
    passes.points.push_back(
        {pass.flops_per_second / pass.bytes_per_second, pass.flops_per_second / 1e9,
         fmt::format("{}: {:.1f} GB/s", pass.name, pass.bytes_per_second / 1e9)});
  chart.series.push_back(passes);
  return section("Roofline of a node",
                 "<p class=\"soft\">The slopes are the copies of large arrays, the roof the "
                 "transforms of lines in cache. A pass on the slope is bound by memory; one below "
                 "both computes and moves in turn.</p>\n" +
                     svg_of(chart));
}

std::string curves_part(const MachineMeasurement& measured) {
  LogChart chart{
      "bytes of a message", "GB/s that are sent", [](double x) { return size_text(x); }, true, {}};
  int colour = 0;
  for (const SizeCurve& curve : measured.messages.curves) {
    ChartSeries line{curve.name, true, colour++, {}};
    for (const SizedTime& time : curve.times) {
      const double speed = curve.bytes_per_second(time) / 1e9;
      const auto bytes = static_cast<double>(time.bytes);
      line.points.push_back(
          {bytes, speed, fmt::format("{}, {:.3g} GB/s", size_text(bytes), speed)});
    }
    chart.series.push_back(line);
  }
  const std::string picture = svg_of(chart);
  if (picture.empty()) return "";
  return section("Bandwidth by size",
                 "<p class=\"soft\">What a rank sends. A pair sends in one direction at a time; in "
                 "all-to-alls every rank sends to all others at once. Between nodes, both ways at "
                 "once: what all ranks of a node send.</p>\n" +
                     picture);
}

std::string map_part(const MachineMeasurement& measured, const std::string& title, HeatMap map,
                     double (*value)(const PairSpeed&)) {
  const auto& names = measured.messages.map_ranks;
  map.names = names;
  map.cells.assign(names.size() * names.size(), 0);
  const auto place = [&](int rank) {
    return static_cast<std::size_t>(std::ranges::find(names, rank) - names.begin());
  };
  for (const PairSpeed& pair : measured.messages.pairs) {
    const std::size_t a = place(pair.first), b = place(pair.second);
    map.cells[a * names.size() + b] = map.cells[b * names.size() + a] = value(pair);
  }
  const std::string picture = svg_of(map);
  return picture.empty() ? "" : section(title, picture);
}

std::string memory_part(const MachineMeasurement& measured) {
  Rows rows{{"cores at work", "copy, GB/s", "triad, GB/s", "walk of a pass, GB/s",
             "in the shared cache, GB/s"}};
  for (const MemorySpeed& speed : measured.memory.speeds)
    rows.push_back({std::to_string(speed.cores), fmt::format("{:.1f}", speed.copy / 1e9),
                    fmt::format("{:.1f}", speed.triad / 1e9),
                    fmt::format("{:.1f}", speed.walk / 1e9),
                    speed.cached_walk > 0 ? fmt::format("{:.1f}", speed.cached_walk / 1e9) : ""});
  return section("Memory of a node", table(rows, 1));
}

std::string engines_part(const MachineMeasurement& measured) {
  if (measured.engines.empty()) return "";
  Rows rows{{"engine"}};
  for (const LineSpeed& speed : measured.engines.front().speeds)
    rows[0].push_back(std::to_string(speed.points));
  for (const EngineMeasurement& engine : measured.engines) {
    auto& row = rows.emplace_back(1, engine.name);
    for (const LineSpeed& speed : engine.speeds)
      row.push_back(fmt::format("{:.1f}", flops_of(speed) / 1e9));
  }
  return section("Transforms in cache, GFlop/s of a core by length", table(rows, 1));
}

std::string devices_part(const MachineMeasurement& measured) {
  if (measured.devices.speeds.empty()) return "";
  return section("Copies of devices", table(device_rows(measured.devices), 1));
}

}  // namespace

std::string doctor_page(const MachineMeasurement& measured, const std::vector<Finding>& findings) {
  const JobFacts& job = measured.job;
  std::string pictures = roofline_part(measured) + curves_part(measured);
  pictures += map_part(measured, "Bandwidth of pairs of ranks, GB/s", {"GB/s", {}, {}, true},
                       [](const PairSpeed& pair) { return pair.bytes_per_second / 1e9; });
  pictures +=
      map_part(measured, "Latency of pairs of ranks, microseconds", {"microseconds", {}, {}, false},
               [](const PairSpeed& pair) { return 1e6 * pair.latency_seconds; });
  pictures += memory_part(measured) + engines_part(measured) + devices_part(measured);
  return html_of(
      {"weft doctor: " + job.name, "",
       fmt::format("<h1>{}</h1>\n<p class=\"soft\">{}. Measured by weft {} doctor in "
                   "{:.1f} s.</p>\n",
                   escaped(job.name), escaped(job_text(job)), WEFT_VERSION, measured.seconds),
       findings_part(findings) + "<div class=\"grid\">\n" + pictures + "</div>\n"});
}

}  // namespace weft::cli
