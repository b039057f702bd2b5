// bench/peers/handoff: how long a number takes from one core to another, in seconds. Cores that
// share a cache take some 30 ns, others 150 and more; virtual cores change between the two, as
// the host moves them.
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

constexpr int rounds = 9;
constexpr int exchanges = 5000;  // of a round, each there and back

int core_of(const std::string& text) {
  int core = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), core);
  if (error != std::errc() || end != text.data() + text.size() || core < 0 || core >= CPU_SETSIZE)
    throw std::invalid_argument("'" + text + "' is no number of a core");
  return core;
}

// Binds this thread to the core; whether it may run there.
bool runs_on(int core) {
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(core, &only);
  return pthread_setaffinity_np(pthread_self(), sizeof only, &only) == 0;
}

/// Alone in its cache line, and in the one that processors load beside it.
struct alignas(128) Ball {
  std::atomic<int> hits{0};
};

std::runtime_error no_core(int core) {
  return std::runtime_error("there is no core " + std::to_string(core) + " for this process");
}

/// The best of all rounds.
double seconds_one_way(int first, int second) {
  Ball both;
  std::atomic<int>& ball = both.hits;
  std::barrier together(2);
  if (!runs_on(first)) throw no_core(first);
  bool is_on_second = false;
  std::thread other([&] {
    is_on_second = runs_on(second);
    for (int i = 0; i < rounds; ++i) {
      together.arrive_and_wait();
      for (int hit = 1; hit < 2 * exchanges; hit += 2) {
        while (ball.load(std::memory_order_acquire) != hit) {
        }
        ball.store(hit + 1, std::memory_order_release);
      }
    }
  });
  double best = 1e300;
  for (int i = 0; i < rounds; ++i) {
    ball = 0;
    together.arrive_and_wait();
    const auto begin = std::chrono::steady_clock::now();
    for (int hit = 1; hit < 2 * exchanges; hit += 2) {
      ball.store(hit, std::memory_order_release);
      while (ball.load(std::memory_order_acquire) != hit + 1) {
      }
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    best = std::min(best, took.count() / (2 * exchanges));
  }
  other.join();
  if (!is_on_second) throw no_core(second);
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 3) throw std::invalid_argument("two cores must be given");
    const int first = core_of(argv[1]), second = core_of(argv[2]);
    if (first == second) throw std::invalid_argument("the cores must differ");
    std::printf("{\"handoff_seconds\": %.9g}\n", seconds_one_way(first, second));
    return 0;
  } catch (const std::logic_error& error) {
    std::fprintf(stderr, "handoff: %s; usage: handoff CORE CORE\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "handoff: %s\n", error.what());
    return 1;
  }
}
