// plan/sweep: threads, and who waits for which message.

#include "weft/plan/sweep.hpp"

#include <omp.h>

#include <algorithm>

#include "weft/base/trace.hpp"

namespace weft {

namespace {

std::vector<std::int64_t> parts_of_messages(const Pass& pass) {
  std::vector<std::int64_t> parts(static_cast<std::size_t>(pass.target_messages()), 0);
  for (std::size_t tile = 0; tile < pass.tiles(); ++tile)
    for (const Pass::Part& part : pass.targets(tile))
      if (part.message != Patch::resident) ++parts[static_cast<std::size_t>(part.message)];
  return parts;
}

}  // namespace

Sweep::Sweep(std::vector<Pass> passes, int threads)
    : passes_(std::move(passes)),
      threads_(threads),
      pieces_(passes_.size() == 1 ? passes_.front().tiles() : passes_.front().blocks()),
      arrived_(static_cast<std::size_t>(passes_.front().source_messages()), 0),
      departures_(parts_of_messages(passes_.back())) {
  for (const Pass& pass : passes_) ensure(pass.blocks() == passes_.front().blocks());
  if (passes_.size() > 1) order_blocks();
}

// As a pass orders its tiles: what completes the same message is run together.
void Sweep::order_blocks() {
  const Pass& pass = passes_.back();
  std::vector<int> last_messages(pieces_, -1);
  for (std::size_t block = 0; block < pieces_; ++block) {
    blocks_.push_back(block);
    int& last = last_messages[block];
    for (std::size_t tile = pass.first_tile(block); tile < pass.first_tile(block + 1); ++tile)
      for (const Pass::Part& part : pass.targets(tile)) last = std::max(last, part.message);
    if (last < 0) last = pass.target_messages();
  }
  std::stable_sort(blocks_.begin(), blocks_.end(), [&](std::size_t x, std::size_t y) {
    return last_messages[x] < last_messages[y];
  });
}

double Sweep::run(const Addresses& addresses, Exchange* from, Exchange* to) {
  std::fill(arrived_.begin(), arrived_.end(), 0);
  departures_.reset();
  next_piece_ = 0;
  has_failed_ = false;
  failure_ = nullptr;
  waited_ = 0;
  if (threads_ == 1) {
    work(0, addresses, from, to);
  } else {
    // Which thread takes which tile is not known, and only this one may wait for messages.
    for (int message = 0; message < passes_.front().source_messages(); ++message)
      await(message, from);
#pragma omp parallel num_threads(threads_)
    work(omp_get_thread_num(), addresses, from, to);
  }
  if (failure_) std::rethrow_exception(failure_);
  departures_.send_complete([to](int message) { to->ready(message); });
  return waited_;
}

void Sweep::await(int message, Exchange* from) {
  auto& arrived = arrived_[static_cast<std::size_t>(message)];
  if (arrived != 0) return;
  arrived = 1;
  const double begin = now();
  from->await(message);
  waited_ += now() - begin;
}

// On every thread; thread 0 is the one that called run(). An exception may not leave a thread.
void Sweep::work(int thread, const Addresses& addresses, Exchange* from, Exchange* to) {
  const auto send_complete = [&] {
    if (thread == 0) departures_.send_complete([to](int message) { to->ready(message); });
  };
  try {
    while (true) {
      const std::size_t piece = next_piece_.fetch_add(1, std::memory_order_relaxed);
      if (piece >= pieces_) break;
      if (passes_.size() == 1) {
        run_tile(0, piece, thread, addresses, from);
        send_complete();
        continue;
      }
      for (std::size_t p = 0; p < passes_.size(); ++p) {
        const std::size_t end = passes_[p].first_tile(blocks_[piece] + 1);
        for (std::size_t tile = passes_[p].first_tile(blocks_[piece]); tile < end; ++tile) {
          run_tile(p, tile, thread, addresses, from);
          send_complete();
        }
      }
    }
  } catch (...) {
    fail();
  }
}

void Sweep::run_tile(std::size_t p, std::size_t tile, int thread, const Addresses& addresses,
                     Exchange* from) {
  Pass& pass = passes_[p];
  if (threads_ == 1 && p == 0)
    for (const Pass::Part& part : pass.sources(tile))
      if (part.message != Patch::resident) await(part.message, from);
  pass.run(tile, thread, addresses);
  if (pass.streams()) finish_streaming();
  if (p + 1 < passes_.size()) return;
  for (const Pass::Part& part : pass.targets(tile))
    if (part.message != Patch::resident) departures_.stored(part.message);
}

// The first failure is told; the others stop at their next piece.
void Sweep::fail() {
  next_piece_ = pieces_;
  if (!has_failed_.exchange(true)) failure_ = std::current_exception();
}

}  // namespace weft
