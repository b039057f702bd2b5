// memory/cache_probe: chases pointers through memory of growing size (McVoy and Staelin, lmbench:
// Portable Tools for Performance Analysis, 1996).

#include "weft/memory/cache_probe.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace weft {

namespace {

constexpr std::int64_t line_bytes = 64, page = std::int64_t{2} << 20;
constexpr std::int64_t smallest_bytes = std::int64_t{128} << 10,
                       largest_bytes = std::int64_t{48} << 20;
// A load that misses the last cache takes about 100 ns, so that so many take less than half a
// millisecond.
constexpr int chased = 4096;
constexpr int chases = 3;
// Latencies that rise by less than this from one size to twice that size are those of one cache: of
// level 3, once they are beyond those of level 2 by the second factor.
constexpr double flat = 1.25, beyond_level_2 = 1.8;
// Walking 1.4 times what a cache holds, 0.3 of the loads miss it. Those that miss level 2 take the
// latency of level 3; those that miss level 3 take 5 to 8 times its latency, so that its double
// shows 1.2 to 1.3 times its capacity.
constexpr double part_missing_level_2 = 0.35, rise_beyond_level_3 = 2;
// Measured capacities are on a grid of factors of 1.4, and other processes use shared caches, too.
constexpr double uncertainty = 4;

// Has the compiler compute `value`.
void keep(const void* value) { asm volatile("" : : "r"(value) : "memory"); }

struct alignas(line_bytes) Node {
  Node* next;
  std::int64_t written;
};

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Links some of `count` nodes to a cycle that no prefetcher follows: as many as are chased, or all
// if there are fewer.
void link(Node* nodes, std::uint64_t count) {
  const std::uint64_t numbers = std::bit_floor(count);
  const std::uint64_t length = std::min<std::uint64_t>(numbers, chases * chased);
  // A linear congruential generator of full period (Knuth, The Art of Computer
  // Programming, 3.2.1.2).
  const auto next = [&](std::uint64_t x) { return (x * 1664525 + 1013904223) % numbers; };
  const auto node = [&](std::uint64_t x) { return nodes + x * count / numbers; };
  std::uint64_t x = 0;
  for (std::uint64_t i = 1; i < length; ++i, x = next(x)) node(x)->next = node(next(x));
  node(x)->next = node(0);
}

// Writes to every cache line, so that those that the caches do not hold are lost from them, and
// that the system gives the memory pages of its own.
void walk(Node* nodes, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) nodes[i].written = i;
  keep(nodes);
}

// Nanoseconds a load: the fastest of some chases, each over other nodes if there are so many.
double latency_of(const Node* nodes) {
  double least = 1e9;
  const Node* at = nodes;
  for (int run = 0; run < chases; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < chased; ++i) at = at->next;
    keep(at);
    least = std::min(least, 1e9 * seconds_since(begin) / chased);
  }
  return least;
}

}  // namespace

std::vector<Latency> measured_latencies(double milliseconds) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<Latency> latencies;
  // Pages are touched as the sizes grow, so that a probe that ends early has not zeroed them all.
  const std::unique_ptr<void, void (*)(void*)> memory(std::aligned_alloc(page, largest_bytes),
                                                      std::free);
  if (memory == nullptr) return latencies;
#ifdef MADV_HUGEPAGE
  madvise(memory.get(), largest_bytes, MADV_HUGEPAGE);
#endif
  auto* const nodes = static_cast<Node*>(memory.get());
  double last = 0;
  for (std::int64_t bytes = smallest_bytes; bytes <= largest_bytes;
       bytes = bytes % 3 == 0 ? bytes / 3 * 4 : bytes / 2 * 3) {
    const auto begin_size = std::chrono::steady_clock::now();
    // The next size takes at most twice as long, as it grows by half at most and misses more.
    if (1e3 * (seconds_since(begin) + 2 * last) > milliseconds) break;
    link(nodes, static_cast<std::uint64_t>(bytes / line_bytes));
    walk(nodes, bytes / line_bytes);
    latencies.push_back({bytes, latency_of(nodes)});
    last = seconds_since(begin_size);
  }
  return latencies;
}

Caches capacities_of(const std::vector<Latency>& latencies) {
  Caches found;
  if (latencies.size() < 3) return found;
  const auto nanoseconds = [&](std::size_t i) { return latencies[i].nanoseconds; };
  const double second = std::min({nanoseconds(0), nanoseconds(1), nanoseconds(2)});
  // Sizes grow by 1.3 or 1.5, so that two steps double them. The first that is in level 3:
  std::size_t in_3 = 0;
  while (in_3 + 2 < latencies.size() && (nanoseconds(in_3) < beyond_level_2 * second ||
                                         nanoseconds(in_3 + 2) > flat * nanoseconds(in_3)))
    ++in_3;
  if (in_3 + 2 >= latencies.size()) return found;
  const double third = nanoseconds(in_3 + 2);
  for (std::size_t i = 0; i <= in_3; ++i)
    if (nanoseconds(i) <= second + part_missing_level_2 * (third - second))
      found.level_2 = latencies[i].bytes;
  for (std::size_t i = in_3; i < latencies.size() && nanoseconds(i) <= rise_beyond_level_3 * third;
       ++i)
    found.level_3 = latencies[i].bytes;
  return found;
}

namespace {

bool contradicts(std::int64_t told, std::int64_t measured) {
  return told > 0 && measured > 0 && confirmed(told, measured) != told;
}

}  // namespace

Caches CacheProbe::capacities(const Caches& told) {
  constexpr int most_runs = 3;
  const std::lock_guard lock(guard_);
  Measured& measured = measured_[told.level_3];
  auto& fastest = measured.fastest;
  Caches& found = measured.found;
  int& runs = measured.runs;
  const auto is_contradicted = [&] {
    return contradicts(told.level_2, found.level_2) || contradicts(told.level_3, found.level_3);
  };
  for (; runs == 0 || (runs < most_runs && is_contradicted()); ++runs) {
    const std::vector<Latency> latencies = measure_();
    for (std::size_t i = 0; i < latencies.size(); ++i) {
      if (i == fastest.size()) fastest.push_back(latencies[i]);
      fastest[i].nanoseconds = std::min(fastest[i].nanoseconds, latencies[i].nanoseconds);
    }
    found = capacities_of(fastest);
  }
  return found;
}

Caches probed_caches(const Caches& told) {
  static CacheProbe probe([] {
    constexpr double milliseconds = 30;
    return measured_latencies(milliseconds);
  });
  return probe.capacities(told);
}

std::int64_t confirmed(std::int64_t told, std::int64_t measured) {
  if (measured <= 0) return told;
  const bool is_confirmed =
      static_cast<double>(told) <= uncertainty * static_cast<double>(measured) &&
      static_cast<double>(measured) <= uncertainty * static_cast<double>(told);
  return is_confirmed ? told : measured;
}

}  // namespace weft
