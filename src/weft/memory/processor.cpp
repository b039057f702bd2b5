// memory/processor: reads /proc/cpuinfo.

#include "weft/memory/processor.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

#include "weft/memory/caches.hpp"

namespace weft {

namespace {

// What follows "NAME : " in the first line of that name; empty if there is none.
std::string value_of(const std::string& cpuinfo, std::string_view name) {
  std::istringstream lines(cpuinfo);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || !line.starts_with(name)) continue;
    if (line.find_first_not_of(" \t", name.size()) != colon) continue;
    const std::size_t value = line.find_first_not_of(" \t", colon + 1);
    return value == std::string::npos ? std::string() : line.substr(value);
  }
  return {};
}

}  // namespace

std::string processor_text(const std::string& cpuinfo) {
  // The names on x86, and the numbers on Arm, which has no names there.
  constexpr std::pair<const char*, const char*> parts[] = {{"model name", ""},
                                                           {"cpu family", "family "},
                                                           {"model", "model "},
                                                           {"CPU implementer", "implementer "},
                                                           {"CPU part", "part "}};
  std::string text;
  for (const auto& [name, before] : parts)
    if (const std::string value = value_of(cpuinfo, name); !value.empty())
      text += fmt::format("{}{}{}", text.empty() ? "" : ", ", before, value);
  text += fmt::format("{}{} cores", text.empty() ? "" : ", ", sysconf(_SC_NPROCESSORS_CONF));
  constexpr double mebibyte = 1 << 20;
  for (const auto& [level, bytes] : {std::pair{2, caches().level_2}, {3, caches().level_3}})
    if (bytes > 0)
      text += fmt::format(", level {} {:g} MiB", level, static_cast<double>(bytes) / mebibyte);
  return text;
}

const std::string& processor_text() {
  static const std::string text = [] {
    std::ifstream file("/proc/cpuinfo");
    std::ostringstream all;
    all << file.rdbuf();
    return processor_text(all.str());
  }();
  return text;
}

}  // namespace weft
