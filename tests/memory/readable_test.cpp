// memory/readable: tells memory that the processor can read from other addresses.

#include "weft/memory/readable.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cerrno>

using namespace weft;

TEST(Readable, are_this_process_s_own_variables_at_any_alignment) {
  const char text[] = "some text";
  for (const char& letter : text) EXPECT_TRUE(is_readable(&letter));
}

#ifdef __x86_64__  // an emulator of another processor does not say
TEST(Readable, are_no_addresses_without_memory_or_access) {
  constexpr std::size_t bytes = 8192;
  void* const memory = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  errno = 42;
  EXPECT_FALSE(is_readable(memory));
  EXPECT_FALSE(is_readable(nullptr));
  EXPECT_EQ(errno, 42) << "as before";
  ASSERT_EQ(mprotect(memory, bytes, PROT_READ), 0);
  EXPECT_TRUE(is_readable(memory));
  EXPECT_TRUE(is_readable(static_cast<char*>(memory) + bytes - 1)) << "the last byte";
  munmap(memory, bytes);
  EXPECT_FALSE(is_readable(memory));
}
#endif
