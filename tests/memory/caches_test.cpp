// memory/caches: the sizes that Linux reports, whatever they are on this machine, or those that
// support/pretend_machine pretends.
#include "weft/memory/caches.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "weft/base/ensure.hpp"

namespace {

// Not through a stream: support/pretend_machine answers those.
std::string text_of(const std::string& file) {
  std::string text(4096, '\0');
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return "";
  const ssize_t length = read(descriptor, text.data(), text.size());
  close(descriptor);
  text.resize(length > 0 ? static_cast<std::size_t>(length) - 1 : 0);
  return text;
}

// The bytes of each cache of a level, by the processors that share it; as often as pretended.
std::map<std::string, std::int64_t> told_caches(const std::string& level) {
  const char* pretended = std::getenv("PRETEND_CACHES");
  const double factor = pretended != nullptr ? std::strtod(pretended, nullptr) : 1;
  std::map<std::string, std::int64_t> found;
  for (long cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); ++cpu)
    for (int index = 0; index < 8; ++index) {
      const std::string cache = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                                "/cache/index" + std::to_string(index) + "/";
      const std::string size = text_of(cache + "size");
      if (text_of(cache + "level") != level || size.empty() || size.back() != 'K') continue;
      const auto kilobytes = static_cast<std::int64_t>(std::stod(size) * factor);
      found[text_of(cache + "shared_cpu_list")] = kilobytes << 10;
    }
  return found;
}

}  // namespace

TEST(Caches, level_2_is_the_largest_of_any_core) {
  const auto told = told_caches("2");
  if (told.empty()) GTEST_SKIP() << "not checked: this system does not tell";
  std::int64_t largest = 0;
  for (const auto& [cores, bytes] : told) largest = std::max(largest, bytes);
  EXPECT_EQ(weft::caches().level_2, largest);
}

TEST(Caches, level_3_is_all_of_them_together) {
  const auto told = told_caches("3");
  if (told.empty()) GTEST_SKIP() << "not checked: this system does not tell";
  std::int64_t sum = 0;
  for (const auto& [cores, bytes] : told) sum += bytes;
  EXPECT_EQ(weft::caches().level_3, sum);
}

TEST(Caches, are_stated_for_simulated_hosts_only) {
  const weft::Caches before = weft::caches();
  weft::set_simulated_caches({1, 1});
  EXPECT_EQ(weft::caches().level_2, before.level_2);
  EXPECT_EQ(weft::caches().level_3, before.level_3);
  EXPECT_THROW(weft::set_simulated_caches({0, 1}), weft::Error);
}
