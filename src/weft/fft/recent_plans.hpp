// fft/recent_plans: plans of an FFT library that were made not long ago, to be used again.
// Keeps: what is found here gives the same bits as a plan that is made anew.
#pragma once

#include <cstdint>
#include <iterator>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

#include "weft/fft/engine.hpp"

namespace weft {

/// What a plan depends on: the lines, how their arrays are aligned, whether they are one array, and
/// whether it was measured.
struct PlanKey {
  Lines lines;
  std::uintptr_t in_alignment, out_alignment;
  bool is_in_place, is_measured;

  PlanKey(Lines of, const void* in, const void* out, bool measured)
      : lines(std::move(of)),
        in_alignment(reinterpret_cast<std::uintptr_t>(in) % alignment),
        out_alignment(reinterpret_cast<std::uintptr_t>(out) % alignment),
        is_in_place(in == out),
        is_measured(measured) {}

  friend bool operator==(const PlanKey&, const PlanKey&) = default;

 private:
  static constexpr std::uintptr_t alignment = 64;
};

/// The plans for lines of up to 65536 points that were made last. A plan of weft makes kernels for
/// every thread, slot and direction, most of them for the same lines, and programs make the same
/// plans again; a library's planner takes longer than all else for small fields. Threads may use
/// one plan at the same time. Any thread may call it.
template <class Made>
class RecentPlans {
 public:
  /// The plan of this key, or what `make` returns.
  template <class Make>
  std::shared_ptr<Made> find_or_make(const PlanKey& key, const Make& make) {
    if (auto found = find(key)) return found;
    std::shared_ptr<Made> made = make();
    constexpr std::int64_t most_points = 65536;
    if (key.lines.n <= most_points) keep(key, made);
    return made;
  }

 private:
  using Entry = std::pair<PlanKey, std::shared_ptr<Made>>;

  std::shared_ptr<Made> find(const PlanKey& key) {
    const std::lock_guard lock(mutex_);
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry)
      if (entry->first == key) {
        entries_.splice(entries_.begin(), entries_, entry);
        return entry->second;
      }
    return nullptr;
  }

  // What is dropped is freed without the lock, as the library has one of its own.
  void keep(const PlanKey& key, const std::shared_ptr<Made>& made) {
    constexpr std::size_t most_kept = 64;
    std::list<Entry> one{Entry(key, made)}, dropped;
    const std::lock_guard lock(mutex_);
    entries_.splice(entries_.begin(), one);
    if (entries_.size() > most_kept)
      dropped.splice(dropped.begin(), entries_, std::prev(entries_.end()));
  }

  std::mutex mutex_;
  std::list<Entry> entries_;  // the last used first
};

}  // namespace weft
