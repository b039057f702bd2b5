// memory/huge_pages: the pages of an array that is given often become huge; no byte changes.

#include "weft/memory/huge_pages.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "weft/base/pages.hpp"

namespace weft {
namespace {

// The kilobytes of this process that are in anonymous huge pages.
long huge_kilobytes() {
  std::ifstream file("/proc/self/smaps_rollup");
  std::string word;
  long kilobytes = 0;
  while (file >> word)
    if (word == "AnonHugePages:") file >> kilobytes;
  return kilobytes;
}

TEST(HugePages, keep_every_byte_of_arrays_that_begin_anywhere) {
  HugePages pages;
  std::vector<std::byte> memory(static_cast<std::size_t>(5 * huge_page_bytes), std::byte{7});
  for (const std::int64_t begin : {0, 1, 4099})
    for (int run = 0; run < 40; ++run) {
      const auto bytes = static_cast<std::int64_t>(memory.size()) - begin;
      memory[static_cast<std::size_t>(begin + run)] = std::byte{7};
      pages.ask(memory.data() + begin, bytes);
    }
  EXPECT_TRUE(std::ranges::all_of(memory, [](std::byte each) { return each == std::byte{7}; }));
}

TEST(HugePages, are_made_of_the_pages_of_an_array_that_is_given_often) {
  constexpr std::int64_t bytes = 8 * huge_page_bytes;
  void* const mapped =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(mapped, MAP_FAILED);
  auto* const data = static_cast<std::byte*>(mapped);
  madvise(data, bytes, MADV_NOHUGEPAGE);  // small pages to begin with
  std::fill_n(data, bytes, std::byte{3});
  const long before = huge_kilobytes();
  HugePages pages;
  for (int run = 0; run < 40; ++run) pages.ask(data, bytes);
  const long after = huge_kilobytes();
  // The same as weft asks for, to learn whether this system does it at all.
  constexpr int collapse = 25;  // MADV_COLLAPSE
  const auto first = reinterpret_cast<std::uintptr_t>(data) % huge_page_bytes;
  const bool can =
      madvise(data + (huge_page_bytes - first) % huge_page_bytes, huge_page_bytes, collapse) == 0 &&
      huge_kilobytes() > before;
  munmap(mapped, bytes);
  if (!can) GTEST_SKIP() << "this system makes no huge pages of small ones";
  EXPECT_GT(after, before);
}

}  // namespace
}  // namespace weft
