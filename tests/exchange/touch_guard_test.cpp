// exchange/touch_guard: an access to guarded pages goes on, any other one ends the process.

#include "weft/exchange/touch_guard.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>

#include "support/sanitized.hpp"

using namespace weft;

namespace {

constexpr std::int64_t bytes = 8 * 4096;

// Pages that the processor cannot touch.
class ClosedPages {
 public:
  ClosedPages() : memory_(mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
  ~ClosedPages() { munmap(memory_, bytes); }
  volatile char* data() const { return static_cast<volatile char*>(memory_); }
  void* address() const { return memory_; }

 private:
  void* memory_;
};

}  // namespace

TEST(TouchGuard, lets_an_access_go_on_and_closes_the_pages_again) {
  const ClosedPages pages;
  {
    const TouchGuard guard(pages.address(), bytes);
    EXPECT_FALSE(guard.was_touched());
    pages.data()[5000] = 3;
    EXPECT_TRUE(guard.was_touched());
    EXPECT_EQ(pages.data()[5000], 3);
    EXPECT_EQ(pages.data()[bytes - 1], 0);
  }
  EXPECT_DEATH(pages.data()[5000] = 4, "");
}

TEST(TouchGuard, puts_pages_where_nobody_has_any) {
  void* gone = nullptr;
  {
    const ClosedPages pages;
    gone = pages.address();
  }
  {
    const TouchGuard guard(gone, bytes);
    EXPECT_EQ(static_cast<volatile char*>(gone)[77], 0);
    EXPECT_TRUE(guard.was_touched());
  }
  EXPECT_EQ(munmap(gone, bytes), 0);
}

TEST(TouchGuard, saves_nobody_who_touches_other_memory) {
  const ClosedPages guarded, other;
  EXPECT_DEATH(
      {
        const TouchGuard guard(guarded.address(), bytes);
        other.data()[0] = 1;
      },
      "");
}

TEST(TouchGuard, brings_the_handlers_back) {
  struct sigaction before {
  }, after{};
  sigaction(SIGSEGV, nullptr, &before);
  {
    const ClosedPages pages;
    const TouchGuard guard(pages.address(), bytes);
    sigaction(SIGSEGV, nullptr, &after);
    EXPECT_NE(before.sa_sigaction, after.sa_sigaction);
  }
  sigaction(SIGSEGV, nullptr, &after);
  EXPECT_EQ(before.sa_sigaction, after.sa_sigaction);
}
