// cli/tables: `weft exchanges` and `weft engines` - the entries of this build, and the reasons why
// some do not apply here. Engines are what Options::engine names: libraries for the processor, and
// kinds of devices.

#include <CLI/CLI.hpp>

#include "weft/base/json_text.hpp"
#include "weft/choose/common_engine.hpp"
#include "weft/cli/command.hpp"
#include "weft/cli/report_parts.hpp"
#include "weft/device/device_fft.hpp"
#include "weft/device/driver.hpp"
#include "weft/device/nccl.hpp"
#include "weft/fft/engine.hpp"
#include "weft/making/exchange_table.hpp"
#include "weft/plan/machine_here.hpp"

namespace weft::cli {

namespace {

struct Line {
  std::string name, version, summary;
  std::optional<std::string> why_not, caveat;
  std::vector<DeviceTraits> devices;
};

std::vector<Line> exchange_lines(const Communicator& comm) {
  // An example of a field: which exchanges apply depends mostly on the ranks and nodes.
  Problem problem;
  problem.extents = {256, 256, 256};
  const Machine machine = machine_here(comm, {});
  std::vector<Line> lines;
  for (const ExchangeEntry& entry : exchanges())
    lines.push_back(
        {entry.name, "", entry.summary, entry.applies(validated(problem), machine), {}, {}});
  return lines;
}

// A device that cannot be asked what it is cannot be used either.
Line line_of(const DriverEntry& driver) {
  Line line{driver.name, "", driver.summary, driver.applies(), {}, {}};
  if (line.why_not) return line;
  try {
    line.version = driver.version();
    if (const std::string nccl = nccl_library(driver.name).text(); !nccl.empty())
      line.version += "; " + nccl;
    DeviceDriver& devices = driver.get();
    for (int device = 0; device < devices.devices(); ++device)
      line.devices.push_back(devices.traits(device));
  } catch (const Error& error) {
    line.devices.clear();
    line.why_not = error.what();
  }
  return line;
}

// Of the driver's library of transforms. Where there are no devices, it is not loaded.
Line library_line_of(const DriverEntry& driver, const std::optional<std::string>& why_no_device) {
  Line line{
      driver.library,
      "",
      fmt::format("devices as with {}, where this library transforms all that it can", driver.name),
      why_no_device,
      {},
      {}};
  if (line.why_not) return line;
  try {
    line.version = driver.get().fft().version();
  } catch (const Error& error) {
    line.why_not = error.message();
  }
  return line;
}

std::vector<Line> engine_lines(const Communicator&) {
  std::vector<Line> lines;
  for (const EngineEntry& entry : engines()) {
    const auto why_not = entry.applies();
    if (why_not)
      lines.push_back({entry.name, "", entry.summary, why_not, {}, {}});
    else
      lines.push_back({entry.name, entry.version(), entry.summary, {}, entry.caveat(), {}});
  }
  for (const DriverEntry& entry : device_drivers()) {
    lines.push_back(line_of(entry));
    lines.push_back(library_line_of(entry, lines.back().why_not));
  }
  lines.push_back({fastest_engine_name,
                   "",
                   "processors or devices, whichever are predicted to be faster for a plan",
                   {},
                   {},
                   {}});
  return lines;
}

std::string text_of(const Line& line, std::size_t width) {
  std::string text = fmt::format("{:<{}}  {}", line.name, width, line.summary);
  if (!line.version.empty()) text += fmt::format(" ({})", line.version);
  for (std::size_t i = 0; i < line.devices.size(); ++i) {
    const DeviceTraits& device = line.devices[i];
    text += fmt::format("{} device {}: {} at {}, {} processors, {}", i == 0 ? " -" : ";", i,
                        device.name, device.bus, device.processors,
                        bytes_text(static_cast<double>(device.memory_bytes)));
  }
  if (line.why_not) text += fmt::format(" - does not apply here: {}", *line.why_not);
  if (line.caveat) text += fmt::format(" - {}", *line.caveat);
  return text;
}

std::string text_of(const std::vector<Line>& lines) {
  std::size_t width = 0;
  for (const Line& line : lines) width = std::max(width, line.name.size());
  std::string text;
  for (const Line& line : lines) text += (text.empty() ? "" : "\n") + text_of(line, width);
  return text;
}

Json json_of(const DeviceTraits& device, int number) {
  return {{"number", number},
          {"name", device.name},
          {"bus", device.bus},
          {"memory_bytes", device.memory_bytes},
          {"processors", device.processors}};
}

std::string json_of(const std::vector<Line>& lines) {
  Json all = Json::array();
  for (const Line& line : lines) {
    Json entry{{"name", line.name}, {"summary", line.summary}};
    if (!line.version.empty()) entry["version"] = line.version;
    entry["applies"] = !line.why_not;
    if (line.why_not) entry["reason"] = *line.why_not;
    if (line.caveat) entry["caveat"] = *line.caveat;
    for (std::size_t i = 0; i < line.devices.size(); ++i)
      entry["devices"].push_back(json_of(line.devices[i], static_cast<int>(i)));
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
  return table_command("engines", "list what computes: FFT libraries, and devices", engine_lines);
}

}  // namespace weft::cli
