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

Sweep::Sweep(Pass pass, int threads)
    : pass_(std::move(pass)),
      threads_(threads),
      arrived_(static_cast<std::size_t>(pass_.source_messages()), 0),
      departures_(parts_of_messages(pass_)) {}

double Sweep::run(const Addresses& addresses, Exchange* from, Exchange* to) {
  std::fill(arrived_.begin(), arrived_.end(), 0);
  departures_.reset();
  next_tile_ = 0;
  has_failed_ = false;
  failure_ = nullptr;
  waited_ = 0;
  if (threads_ == 1) {
    work(0, addresses, from, to);
  } else {
    // Which thread takes which tile is not known, and only this one may wait for messages.
    for (int message = 0; message < pass_.source_messages(); ++message) await(message, from);
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
  try {
    while (true) {
      const std::size_t tile = next_tile_.fetch_add(1, std::memory_order_relaxed);
      if (tile >= pass_.tiles()) break;
      if (threads_ == 1)
        for (const Pass::Part& part : pass_.sources(tile))
          if (part.message != Patch::resident) await(part.message, from);
      pass_.run(tile, thread, addresses);
      if (pass_.streams()) finish_streaming();
      for (const Pass::Part& part : pass_.targets(tile))
        if (part.message != Patch::resident) departures_.stored(part.message);
      if (thread == 0) departures_.send_complete([to](int message) { to->ready(message); });
    }
  } catch (...) {
    fail();
  }
}

// The first failure is told; the others stop at their next tile.
void Sweep::fail() {
  next_tile_ = pass_.tiles();
  if (!has_failed_.exchange(true)) failure_ = std::current_exception();
}

}  // namespace weft
