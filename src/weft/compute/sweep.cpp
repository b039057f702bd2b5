// compute/sweep: how the threads share out the grains of an item.

#include "weft/compute/sweep.hpp"

#include <omp.h>

#include <algorithm>

namespace weft {

namespace {

std::vector<Pass> passes_of(const SweepProgram& program, EngineSet& engines) {
  std::vector<Pass> passes;
  passes.reserve(program.passes.size());
  for (const PassProgram& pass : program.passes) passes.emplace_back(pass, engines);
  return passes;
}

std::vector<std::int64_t> parts_of_messages(const Pass& pass) {
  std::vector<std::int64_t> parts(static_cast<std::size_t>(pass.target_messages()), 0);
  for (std::size_t tile = 0; tile < pass.tiles(); ++tile)
    for (const Pass::Part& part : pass.targets(tile))
      if (part.message != Patch::resident) ++parts[static_cast<std::size_t>(part.message)];
  return parts;
}

}  // namespace

Sweep::Sweep(const SweepProgram& program, int threads, EngineSet& engines)
    : program_(&program),
      passes_(passes_of(program, engines)),
      threads_(threads),
      grains_(threads),
      send_countdown_(parts_of_messages(passes_.back())),
      prefetches_(static_cast<std::size_t>(threads)) {}

void Sweep::run(const Item& item, const Addresses& addresses, const Listener& listener) {
  item_ = &item;
  grains_.deal(item.first, item.last, passes_.back().target_messages() > 0);
  has_failed_ = false;
  failure_ = nullptr;
  if (threads_ == 1 || item.last - item.first == 1) {
    work(0, addresses, listener);
  } else {
#pragma omp parallel num_threads(threads_)
    work(omp_get_thread_num(), addresses, listener);
  }
  if (failure_) std::rethrow_exception(failure_);
  send_countdown_.send_complete(listener.stored);
}

// Runs on every thread; thread 0 is the one that called run(). No exception may leave a thread.
void Sweep::work(int thread, const Addresses& addresses, const Listener& listener) {
  try {
    for (std::optional<std::size_t> place = grains_.take(thread); place;) {
      const std::optional<std::size_t> next = grains_.take_early(thread);
      run_grain(*place, next, thread, addresses, listener);
      place = next ? next : grains_.take(thread);
    }
  } catch (...) {
    fail();
  }
}

void Sweep::run_grain(std::size_t place, std::optional<std::size_t> next, int thread,
                      const Addresses& addresses, const Listener& listener) {
  const std::size_t number = program_->order[place];
  PrefetchQueue& prefetches = prefetches_[static_cast<std::size_t>(thread)];
  for (std::size_t p = 0; p < passes_.size(); ++p) {
    Pass& pass = passes_[p];
    const bool is_last = p + 1 == passes_.size();
    const std::size_t end = program_->first_tile(p, number + 1);
    for (std::size_t tile = program_->first_tile(p, number); tile < end; ++tile) {
      prefetches.clear();
      if (tile + 1 < end) {
        if (pass.prefetches()) pass.queue_prefetch(tile + 1, addresses, prefetches);
      } else if (is_last && next && passes_[0].prefetches()) {
        passes_[0].queue_prefetch(program_->first_tile(0, program_->order[*next]), addresses,
                                  prefetches);
      } else if (is_last && !next) {
        queue_following(thread, addresses);
      }
      pass.run(tile, thread, addresses, prefetches);
      if (pass.streams()) finish_streaming();
      if (is_last)
        for (const Pass::Part& part : pass.targets(tile))
          if (part.message != Patch::resident) send_countdown_.count_part(part.message);
      if (thread != 0) continue;
      send_countdown_.send_complete(listener.stored);
      listener.between();
    }
  }
}

// Prefetches what the first grain of the next item will load, as that item probably runs next. Not
// what a message brings that this item did not need, as it may be on its way. Where threads have
// parts of an item each, only the first thread knows its grain.
void Sweep::queue_following(int thread, const Addresses& addresses) {
  const auto next = std::ranges::lower_bound(program_->items, item_->last, {}, &Item::first);
  const std::size_t place = item_->last + static_cast<std::size_t>(thread);
  if (next == program_->items.end() || place >= next->last || !passes_[0].prefetches()) return;
  if (thread > 0 && passes_.back().target_messages() == 0) return;
  passes_[0].queue_prefetch(program_->first_tile(0, program_->order[place]), addresses,
                            prefetches_[static_cast<std::size_t>(thread)], &item_->messages);
}

// Keeps the first failure for run() to throw. The other threads finish the grains that they have
// taken and take no more.
void Sweep::fail() {
  grains_.clear();
  if (!has_failed_.exchange(true)) failure_ = std::current_exception();
}

}  // namespace weft
