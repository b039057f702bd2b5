// exchange/touch_guard: a handler of SIGSEGV and SIGBUS for one range of pages.

#include "weft/exchange/touch_guard.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>

#include "weft/base/ensure.hpp"

namespace weft {

namespace {

constexpr std::array<int, 2> guarded_signals{SIGSEGV, SIGBUS};
// So often a page may fault before this is no longer taken for an answer: making pages accessible
// has no effect then.
constexpr int most_faults = 100;

// What the handler reads; it may run at any time, on any thread.
std::atomic<std::uintptr_t> first_page{0}, end_of_pages{0};
std::atomic<int> faults{0};
std::array<struct sigaction, guarded_signals.size()> before;

std::mutex& one_at_a_time() {
  static std::mutex mutex;
  return mutex;
}

// Where the driver has reserved the addresses by pages without access, these become accessible;
// else others are put in their places.
bool open_pages() {
  void* const pages = reinterpret_cast<void*>(first_page.load());
  const std::size_t bytes = end_of_pages - first_page;
  if (mprotect(pages, bytes, PROT_READ | PROT_WRITE) == 0) return true;
  return mmap(pages, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
              0) == pages;
}

// The access is tried again after the return, and then ends in the handler that was there before.
void handle(int number, siginfo_t* info, void* /*context*/) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const bool is_guarded = address >= first_page && address < end_of_pages;
  if (is_guarded && ++faults <= most_faults && open_pages()) return;
  for (std::size_t i = 0; i < guarded_signals.size(); ++i)
    if (guarded_signals[i] == number) sigaction(number, &before[i], nullptr);
}

}  // namespace

TouchGuard::TouchGuard(void* begin, std::int64_t bytes) : only_(one_at_a_time()) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  faults = 0;
  end_of_pages = (first + static_cast<std::uintptr_t>(bytes) + page - 1) / page * page;
  first_page = first / page * page;
  struct sigaction action {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < guarded_signals.size(); ++i)
    if (sigaction(guarded_signals[i], &action, &before[i]) != 0) {
      first_page = end_of_pages = 0;
      throw Error(Error::system, "cannot replace the handler of a signal");
    }
}

TouchGuard::~TouchGuard() {
  for (std::size_t i = 0; i < guarded_signals.size(); ++i)
    sigaction(guarded_signals[i], &before[i], nullptr);
  if (was_touched())
    mprotect(reinterpret_cast<void*>(first_page.load()), end_of_pages - first_page, PROT_NONE);
  first_page = end_of_pages = 0;
}

bool TouchGuard::was_touched() const { return faults > 0; }

}  // namespace weft
