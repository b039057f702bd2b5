// cli/doctor_page: the page, part by part.

#include "weft/cli/doctor_page.hpp"

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/cli/doctor_report.hpp"
#include "weft/cli/svg.hpp"

namespace weft::cli {

namespace {

// The colours are those of the page of ./dev demo.
constexpr const char* style = R"(<style>
:root {
  --page: #f6f7f9; --card: #ffffff; --ink: #1b2430; --soft: #5b6876; --line: #e3e7ec;
  --c0: #1f6fb2; --c1: #c8591b; --c2: #1a7f4b; --c3: #8a4fbf; --c4: #b0870b; --c5: #5b6876;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #10151b; --card: #182029; --ink: #e4eaf0; --soft: #94a3b3; --line: #2a3542;
    --c0: #5cabe8; --c1: #f0935a; --c2: #58c78d; --c3: #bb8ce8; --c4: #d9b64a; --c5: #94a3b3;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.6 Inter, system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 32px 20px; }
.grid { display: grid; gap: 18px; margin-top: 18px;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 480px), 1fr)); }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 6px; }
h2 { font-size: 1.12rem; margin: 0 0 8px; }
p { margin: 0 0 10px; }
.soft { color: var(--soft); font-size: .92rem; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 14px;
  padding: 20px 22px; min-width: 0; overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .94rem; }
th { text-align: left; color: var(--soft); font-weight: 500; font-size: .84rem; }
th, td { padding: 7px 12px 7px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
svg { width: 100%; height: auto; }
svg.map { max-width: 460px; }
svg text { fill: var(--soft); font-size: 12px; }
svg text.cell { fill: #16202b; font-size: 11px; }
svg .mark { stroke: var(--line); }
.legend { font-size: .88rem; color: var(--soft); }
.legend span { margin-right: 14px; white-space: nowrap; }
.legend i { display: inline-block; width: 12px; height: 12px; border-radius: 3px;
  margin-right: 5px; vertical-align: -1px; }
</style>
)";

std::string section(const std::string& title, const std::string& body) {
  return fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", title, body);
}

using Rows = std::vector<std::vector<std::string>>;

// The first row has the names of the columns; those after `texts` have numbers.
std::string table(const Rows& rows, std::size_t texts) {
  std::string text = "<table>\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    text += "<tr>";
    for (std::size_t c = 0; c < rows[r].size(); ++c)
      text += fmt::format("<{0}{1}>{2}</{0}>", r == 0 ? "th" : "td",
                          c < texts ? "" : " class=\"number\"", escaped(rows[r][c]));
    text += "</tr>\n";
  }
  return text + "</table>\n";
}

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
      "bytes of a message", "GB/s a rank sends", [](double x) { return size_text(x); }, true, {}};
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
                 "<p class=\"soft\">A pair sends in one direction at a time; in all-to-alls every "
                 "rank sends to all others at once.</p>\n" +
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
  Rows rows{{"cores at work", "copy, GB/s", "triad, GB/s"}};
  for (const MemorySpeed& speed : measured.memory.speeds)
    rows.push_back({std::to_string(speed.cores), fmt::format("{:.1f}", speed.copy / 1e9),
                    fmt::format("{:.1f}", speed.triad / 1e9)});
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

}  // namespace

std::string doctor_page(const MachineMeasurement& measured, const std::vector<Finding>& findings) {
  const JobFacts& job = measured.job;
  const std::string name = escaped(job.name);
  std::string page = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>weft doctor: {}</title>\n",
      name);
  page += style;
  page += fmt::format(
      "</head>\n<body>\n<main>\n<header>\n<h1>{}</h1>\n<p class=\"soft\">{}. Measured by weft {} "
      "doctor in {:.1f} s.</p>\n</header>\n",
      name, escaped(job_text(job)), WEFT_VERSION, measured.seconds);
  page += findings_part(findings) + "<div class=\"grid\">\n";
  page += roofline_part(measured);
  page += curves_part(measured);
  page += map_part(measured, "Bandwidth of pairs of ranks, GB/s", {"GB/s", {}, {}, true},
                   [](const PairSpeed& pair) { return pair.bytes_per_second / 1e9; });
  page +=
      map_part(measured, "Latency of pairs of ranks, microseconds", {"microseconds", {}, {}, false},
               [](const PairSpeed& pair) { return 1e6 * pair.latency_seconds; });
  page += memory_part(measured);
  page += engines_part(measured);
  return page + "</div>\n</main>\n</body>\n</html>\n";
}

}  // namespace weft::cli
