// measuring/measure_memory: every core that takes part has arrays of its own, which it touched
// first, so that they are in the memory that is nearest to it.

#include "weft/measuring/measure_memory.hpp"

#include <omp.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <vector>

#include "weft/base/ensure.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/cores.hpp"
#include "weft/measuring/repeat.hpp"
#include "weft/memory/buffer.hpp"
#include "weft/memory/caches.hpp"
#include "weft/memory/tile_walk.hpp"
#include "weft/memory/walk_probe.hpp"

namespace weft {

namespace {

// McCalpin's rule for each array. There are two arrays that are copied.
constexpr std::int64_t caches_per_array = 4;
constexpr std::int64_t fewest_bytes = std::int64_t{3} << 18, most_bytes = std::int64_t{768} << 20;
// Memory is touched for the first time at about this rate, in the worst case.
constexpr double touched_per_second = 5e8;
// A choice: 40 rounds with two cores take two seconds or so.
constexpr int fewest_rounds_of_walks = 2, most_rounds_of_walks = 40;

// The threads of this rank among the cores of its node: thread t is number places[t]. The first
// threads of all ranks come first, so that few cores are spread over the caches and memories of the
// node as its ranks are.
std::vector<int> places_of_threads(const std::vector<std::int64_t>& threads_of_node, int rank) {
  std::vector<int> places;
  const auto mine = threads_of_node[static_cast<std::size_t>(rank)];
  int place = 0;
  for (std::int64_t thread = 0; thread < mine; ++thread)
    for (std::size_t r = 0; r < threads_of_node.size(); ++r) {
      if (threads_of_node[r] <= thread) continue;
      if (static_cast<int>(r) == rank) places.push_back(place);
      ++place;
    }
  return places;
}

int threads_below(const std::vector<int>& places, int cores) {
  return static_cast<int>(
      std::count_if(places.begin(), places.end(), [&](int place) { return place < cores; }));
}

// The arrays of this rank's threads.
class CoreArrays {
 public:
  // Error::system if there is not enough memory.
  CoreArrays(int threads, std::int64_t bytes)
      : bytes_(bytes), buffers_(static_cast<std::size_t>(threads)), tiles_(buffers_.size()) {
    std::exception_ptr failure;
#pragma omp parallel num_threads(std::max(1, threads))
    if (const auto t = static_cast<std::size_t>(omp_get_thread_num()); t < buffers_.size()) {
      try {
        buffers_[t] = Buffer(bytes);
        tiles_[t] = Buffer(tile_walk_bytes);
      } catch (...) {
#pragma omp critical(weft_doctor_arrays)
        failure = std::current_exception();
      }
    }
    if (failure != nullptr) std::rethrow_exception(failure);
  }

  void copy(int threads) {
    in_parallel(threads, [&](std::byte* data) {
      std::memcpy(data, data + half(), static_cast<std::size_t>(half()));
    });
  }
  void add(int threads) {
    in_parallel(threads, [&](std::byte* data) {
      const std::int64_t count = third() / static_cast<std::int64_t>(sizeof(double));
      auto* const sum = reinterpret_cast<double*>(data);
      const double *const a = sum + count, *const b = sum + 2 * count;
      for (std::int64_t i = 0; i < count; ++i) sum[i] = a[i] + 3 * b[i];
    });
  }
  // In pieces of at most `bytes` bytes, source and target together, over and over again, so that
  // all of it is walked over once; streaming if the piece is all.
  void walk(int threads, std::int64_t bytes) {
    const std::int64_t part = std::min(bytes / 2 / 64 * 64, half());
    in_parallel(threads, [&](std::byte* data) {
      Buffer& tile = tiles_[static_cast<std::size_t>(omp_get_thread_num())];
      for (std::int64_t done = 0; done < half(); done += part)
        walk_by_tiles(data + half(), data, std::min(part, half() - done), tile.data(),
                      part == half());
    });
  }
  // That a thread loads and stores.
  double bytes_of_copy() const { return 2 * static_cast<double>(half()); }
  double bytes_of_add() const { return static_cast<double>(3 * third()); }

 private:
  std::int64_t half() const { return bytes_ / 2 / 64 * 64; }
  std::int64_t third() const { return bytes_ / 3 / 64 * 64; }

  template <class Work>
  void in_parallel(int threads, const Work& work) {
    if (threads == 0) return;
#pragma omp parallel num_threads(threads)
    {
      std::byte* const data = buffers_[static_cast<std::size_t>(omp_get_thread_num())].data();
      work(data);
      asm volatile("" : : "r"(data) : "memory");  // has the compiler store what it computes
    }
  }

  std::int64_t bytes_;
  // The buffers and the tiles of each thread. A tile that begins some bytes beyond the beginning of
  // a page, as large arrays of malloc() do, is slower by a fourth: loads of the field seem to
  // depend on stores to the tile just before.
  std::vector<Buffer> buffers_, tiles_;
};

// How large arrays may be, if all numbers of cores are to have the fewest rounds: found out with
// small ones, since a busy machine takes many times as long. Collective.
std::int64_t bytes_there_is_time_for(const Communicator& comm, const TimeLimit& limit, int mine,
                                     std::size_t counts) {
  constexpr std::int64_t tried_bytes = std::int64_t{8} << 20;
  const double before = limit.left(comm);
  agree(comm, [&] {
    CoreArrays small(mine, tried_bytes);
    small.copy(mine);
    small.add(mine);
    small.walk(mine, tried_bytes);
  });
  const double passed = before - limit.left(comm);
  const double parts = before / (passed * fewest_rounds_of_walks * static_cast<double>(counts));
  if (passed <= 0) return before > 0 ? most_bytes : fewest_bytes;
  return static_cast<std::int64_t>(std::clamp(
      tried_bytes * parts, static_cast<double>(fewest_bytes), static_cast<double>(most_bytes)));
}

std::int64_t bytes_for_caches(const JobFacts& job) {
  const std::int64_t of_core = std::min(std::max(caches().level_3_of_core, job.cache_bytes),
                                        std::max(job.shared_cache_bytes, job.cache_bytes));
  return 2 * caches_per_array * of_core;
}

// What some cores take together, in each round.
struct CoreTimes {
  std::vector<double> copy = {}, add = {}, walk = {}, cached_walk = {};

  void reserve(int rounds) {
    for (auto* times : {&copy, &add, &walk, &cached_walk})
      times->reserve(static_cast<std::size_t>(rounds));
  }
  // The speed of `cores` cores that load and store so many bytes each.
  MemorySpeed speed(int cores, double bytes_of_copy, double bytes_of_add) {
    const Repeated copies = repeated(copy), adds = repeated(add), walks = repeated(walk);
    MemorySpeed found{cores,
                      cores * bytes_of_copy / copies.best,
                      cores * bytes_of_add / adds.best,
                      std::max({copies.spread(), adds.spread(), walks.spread()}),
                      cores * bytes_of_copy / walks.median,
                      0};
    if (!cached_walk.empty()) {
      const Repeated inside = repeated(cached_walk);
      found.cached_walk = cores * bytes_of_copy / inside.median;
      found.spread = std::max(found.spread, inside.spread());
    }
    return found;
  }
};

}  // namespace

std::vector<int> measured_cores(int most) {
  std::vector<int> all;
  for (int cores = 1; cores < most; cores = cores < 4        ? cores + 1
                                            : cores % 3 == 0 ? cores / 3 * 4
                                                             : cores / 2 * 3)
    all.push_back(cores);
  all.push_back(most);
  return all;
}

MemoryMeasurement measure_memory(const Communicator& comm, const JobFacts& job,
                                 const TimeLimit& limit) {
  const Communicator node = comm.split(job.ranks[static_cast<std::size_t>(comm.rank())].node);
  const auto threads = node.gather_each(core_share(comm).cores);
  const auto places = agree(comm, [&] { return places_of_threads(threads, node.rank()); });
  std::int64_t workers = 0;
  for (const std::int64_t each : threads) workers += each;
  const int most = static_cast<int>(comm.max(std::min<std::int64_t>(workers, job.cores_per_node)));
  const int mine = threads_below(places, most);
  const std::vector<int> counts = measured_cores(most);
  MemoryMeasurement found;
  const std::int64_t wanted = bytes_for_caches(job);
  const std::int64_t there =
      std::min({wanted, job.spare_bytes / std::max(1, mine),
                static_cast<std::int64_t>(limit.left() / 4 * touched_per_second),
                bytes_there_is_time_for(comm, limit, mine, counts.size())});
  found.bytes_per_core = std::max(fewest_bytes, comm.min(there));
  found.exceeds_caches = found.bytes_per_core >= comm.max(wanted) / 2;
  auto arrays = agree(comm, [&] { return CoreArrays(mine, found.bytes_per_core); });
  const std::int64_t cached =
      comm.min(bytes_in_shared_cache(job.shared_cache_bytes, job.cache_bytes, most));
  auto all = agree(comm, [&] {
    std::vector<CoreTimes> times(counts.size());
    for (CoreTimes& each : times) each.reserve(most_rounds_of_walks);
    return times;
  });
  // In turn, round by round, so that what else runs on the machine meets all of them.
  const TimeLimit rounds = limit.part(limit.left() / 2);
  for (int round = 0; rounds.allows(comm, round, fewest_rounds_of_walks, most_rounds_of_walks);
       ++round)
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const int active = threads_below(places, counts[i]);
      const auto time = [&](std::vector<double>& seconds_of, const auto& work) {
        seconds_of.push_back(timed_together(comm, work));
      };
      time(all[i].copy, [&] { arrays.copy(active); });
      time(all[i].add, [&] { arrays.add(active); });
      time(all[i].walk, [&] { arrays.walk(active, found.bytes_per_core); });
      if (cached > 0) time(all[i].cached_walk, [&] { arrays.walk(active, cached); });
    }
  agree(comm, [&] {
    for (std::size_t i = 0; i < counts.size(); ++i)
      found.speeds.push_back(
          all[i].speed(counts[i], arrays.bytes_of_copy(), arrays.bytes_of_add()));
  });
  return found;
}

}  // namespace weft
