// memory/huge_pages: madvise on the whole huge pages inside an array.

#include "weft/memory/huge_pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <string>

#include "weft/base/pages.hpp"

// The headers of some systems are too old to define this hint; an older kernel refuses it.
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

namespace weft {

namespace {

constexpr std::int64_t least_bytes = 2 * huge_page_bytes;

// Copying an array to huge pages takes as long as 15 to 100 runs gain (docs/lab, "Huge pages for
// arrays of the application"), so it waits until the array has been given often.
constexpr int runs_before_collapse = 32;

// MADV_COLLAPSE does not ask for this setting.
bool system_has_huge_pages() {
  static const bool has = [] {
    std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
    std::string words;
    std::getline(file, words);
    return words.find('[') != std::string::npos && words.find("[never]") == std::string::npos;
  }();
  return has;
}

// Copies what exists of these pages to huge ones. Stops where the system has none left.
void collapse(std::byte* begin, const std::byte* end) {
  for (; begin < end; begin += huge_page_bytes)
    if (madvise(begin, static_cast<std::size_t>(huge_page_bytes), MADV_COLLAPSE) != 0 &&
        (errno == EINVAL || errno == ENOMEM))
      return;
}

}  // namespace

HugePages::Seen& HugePages::seen(const std::byte* data, std::int64_t bytes) {
  const auto known = std::ranges::find_if(
      seen_, [&](const Seen& one) { return one.data == data && one.bytes == bytes; });
  if (known != seen_.end()) return *known;
  Seen& fresh = seen_[next_];
  next_ = (next_ + 1) % seen_.size();
  fresh = {data, bytes, 0};
  return fresh;
}

void HugePages::ask(std::byte* data, std::int64_t bytes) {
  if (bytes < least_bytes || data == nullptr || !system_has_huge_pages()) return;
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  const std::int64_t before =
      (huge_page_bytes - static_cast<std::int64_t>(address % huge_page_bytes)) % huge_page_bytes;
  const std::int64_t inside = (bytes - before) / huge_page_bytes * huge_page_bytes;
  if (inside <= 0) return;
  Seen& array = seen(data, bytes);
  if (array.runs > runs_before_collapse) return;
  ++array.runs;
  if (array.runs == 1)
    madvise(data + before, static_cast<std::size_t>(inside), MADV_HUGEPAGE);  // a hint
  else if (array.runs > runs_before_collapse)
    collapse(data + before, data + before + inside);
}

}  // namespace weft
