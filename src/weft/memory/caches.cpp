// memory/caches: reads cache sizes from /sys, or else asks the C library. The C library is the
// second choice, because glibc 2.36 gave ten times the size of a virtual machine's level-3 cache:
// it multiplies by cores that the machine does not have.

#include "weft/memory/caches.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <utility>

#include "weft/base/ensure.hpp"
#include "weft/base/simulation.hpp"

namespace weft {

namespace {

// Every rank has its own: SMPI loads the program once a rank.
Caches of_simulated_host = simulated_host;

std::string first_line(const std::string& file) {
  std::string line;
  std::ifstream in(file);
  std::getline(in, line);
  return line;
}

// Parses a size such as "32768K"; 0 if it has another form.
std::int64_t bytes_of(const std::string& text) {
  std::size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  if (digits == 0 || digits > 12) return 0;
  const std::int64_t number = std::stoll(text.substr(0, digits));
  const std::string unit = text.substr(digits);
  if (unit.empty()) return number;
  if (unit == "K") return number << 10;
  return unit == "M" ? number << 20 : 0;
}

Caches read() {
  Caches found;
  std::set<std::pair<int, std::string>> seen;  // level, and the processors that share the cache
  const long processors = sysconf(_SC_NPROCESSORS_CONF);
  for (long cpu = 0; cpu < processors; ++cpu) {
    const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cache/index";
    for (int index = 0;; ++index) {
      const std::string cache = folder + std::to_string(index) + "/";
      const std::string level = first_line(cache + "level");
      if (level.empty()) break;
      if (level != "2" && level != "3") continue;
      if (!seen.emplace(level.front(), first_line(cache + "shared_cpu_list")).second) continue;
      const std::int64_t bytes = bytes_of(first_line(cache + "size"));
      if (level == "2") {
        found.level_2 = std::max(found.level_2, bytes);
      } else {
        found.level_3 += bytes;
        found.level_3_of_core = std::max(found.level_3_of_core, bytes);
      }
    }
  }
  const auto ask_c_library = [](int name) { return std::max<std::int64_t>(0, sysconf(name)); };
  if (found.level_2 == 0) found.level_2 = ask_c_library(_SC_LEVEL2_CACHE_SIZE);
  if (found.level_3 == 0)
    found.level_3 = found.level_3_of_core = ask_c_library(_SC_LEVEL3_CACHE_SIZE);
  return found;
}

}  // namespace

const Caches& caches() {
  if (is_simulated) return of_simulated_host;
  static const Caches found = read();
  return found;
}

void set_simulated_caches(const Caches& stated) {
  if (stated.level_2 < 1 || stated.level_3 < 1)
    throw Error(Error::invalid,
                fmt::format("simulated caches of {} and {} bytes", stated.level_2, stated.level_3),
                "give at least 1 byte each");
  of_simulated_host = stated;
}

}  // namespace weft
