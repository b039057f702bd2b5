// cli/tables: `weft exchanges` and `weft engines` - the entries of this build, and the reasons why
// some do not apply here.

#include <CLI/CLI.hpp>

#include "weft/base/json_text.hpp"
#include "weft/cli/command.hpp"
#include "weft/fft/engine.hpp"
#include "weft/making/exchange_table.hpp"
#include "weft/plan/machine_here.hpp"

namespace weft::cli {

namespace {

struct Line {
  std::string name, version, summary;
  std::optional<std::string> why_not, caveat;
};

std::vector<Line> exchange_lines(const Communicator& comm) {
  // An example of a field: which exchanges apply depends mostly on the ranks and nodes.
  Problem problem;
  problem.extents = {256, 256, 256};
  const Machine machine = machine_here(comm, {});
  std::vector<Line> lines;
  for (const ExchangeEntry& entry : exchanges())
    lines.push_back(
        {entry.name, "", entry.summary, entry.applies(validated(problem), machine), {}});
  return lines;
}

std::vector<Line> engine_lines(const Communicator&) {
  std::vector<Line> lines;
  for (const EngineEntry& entry : engines()) {
    const auto why_not = entry.applies();
    if (why_not)
      lines.push_back({entry.name, "", entry.summary, why_not, {}});
    else
      lines.push_back({entry.name, entry.version(), entry.summary, {}, entry.caveat()});
  }
  return lines;
}

std::string text_of(const std::vector<Line>& lines) {
  std::size_t width = 0;
  for (const Line& line : lines) width = std::max(width, line.name.size());
  std::string text;
  for (const Line& line : lines) {
    text += fmt::format("{}{:<{}}  {}", text.empty() ? "" : "\n", line.name, width, line.summary);
    if (!line.version.empty()) text += fmt::format(" ({})", line.version);
    if (line.why_not) text += fmt::format(" - does not apply here: {}", *line.why_not);
    if (line.caveat) text += fmt::format(" - {}", *line.caveat);
  }
  return text;
}

std::string json_of(const std::vector<Line>& lines) {
  Json all = Json::array();
  for (const Line& line : lines) {
    Json entry{{"name", line.name}, {"summary", line.summary}};
    if (!line.version.empty()) entry["version"] = line.version;
    entry["applies"] = !line.why_not;
    if (line.why_not) entry["reason"] = *line.why_not;
    if (line.caveat) entry["caveat"] = *line.caveat;
    all.push_back(entry);
  }
  return json_text(all, 1);
}

Command table_command(const std::string& name, const std::string& summary,
                      std::vector<Line> (*lines)(const Communicator&)) {
  return {name, summary, fmt::format("  weft {0}\n  mpiexec -n 2 weft {0} --json\n", name),
          [lines](CLI::App& app) {
            const auto as_json = std::make_shared<bool>(false);
            app.add_flag("--json", *as_json, "print a JSON array of objects");
            return [as_json, lines](const Surroundings& here) {
              const auto all = lines(here.comm);
              here.console.say(*as_json ? json_of(all) : text_of(all));
            };
          }};
}

}  // namespace

Command exchanges_command() {
  return table_command("exchanges", "list the ways to move data between ranks", exchange_lines);
}

Command engines_command() {
  return table_command("engines", "list the local FFT libraries", engine_lines);
}

}  // namespace weft::cli
