// compute/sweep: items, and the threads that share them out.

#include "weft/compute/sweep.hpp"

#include <omp.h>

#include <algorithm>
#include <tuple>

#include "weft/base/simulation.hpp"
#include "weft/grid/split.hpp"

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

Sweep::Sweep(std::vector<Pass> passes, int threads, int parts, std::vector<Feeds> feeds)
    : passes_(std::move(passes)),
      threads_(threads),
      feeds_(std::move(feeds)),
      departures_(parts_of_messages(passes_.back())),
      ahead_(static_cast<std::size_t>(threads)) {
  for (const Pass& pass : passes_) ensure(pass.blocks() == passes_.front().blocks());
  const Pass& first = passes_.front();
  std::vector<Piece> pieces;
  const std::size_t count = passes_.size() == 1 ? first.tiles() : first.blocks();
  for (std::size_t i = 0; i < count; ++i) pieces.push_back(piece(i));
  make_items(std::move(pieces), static_cast<std::size_t>(parts));
}

// A tile, or a block of all passes: what its first pass needs, who waits for its last, and the last
// message that this stores to; what stays comes last.
Sweep::Piece Sweep::piece(std::size_t number) const {
  Piece piece{number, {}, Feeds::nobody, -1};
  for (std::size_t t = first_tile(0, number); t < first_tile(0, number + 1); ++t)
    for (const Pass::Part& part : passes_.front().sources(t))
      if (part.message != Patch::resident) piece.messages.push_back(part.message);
  std::sort(piece.messages.begin(), piece.messages.end());
  piece.messages.erase(std::unique(piece.messages.begin(), piece.messages.end()),
                       piece.messages.end());
  const std::size_t last = passes_.size() - 1;
  for (std::size_t t = first_tile(last, number); t < first_tile(last, number + 1); ++t)
    for (const Pass::Part& part : passes_[last].targets(t)) {
      piece.last_departure = std::max(piece.last_departure, part.message);
      if (part.message != Patch::resident)
        piece.feeds = std::min(piece.feeds, feeds_[static_cast<std::size_t>(part.message)]);
    }
  if (piece.last_departure < 0) piece.last_departure = passes_[last].target_messages();
  if (!keeps_priorities()) return {number, piece.messages, Feeds::other_nodes, 0};
  return piece;
}

// Pieces that complete the same message are run together, so that it leaves as early as it can.
void Sweep::make_items(std::vector<Piece> pieces, std::size_t parts) {
  std::stable_sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
    return std::tie(a.messages, a.feeds, a.last_departure) <
           std::tie(b.messages, b.feeds, b.last_departure);
  });
  for (const Piece& piece : pieces) order_.push_back(piece.number);
  for (std::size_t first = 0; first < pieces.size();) {
    std::size_t last = first;
    while (last < pieces.size() && pieces[last].messages == pieces[first].messages &&
           pieces[last].feeds == pieces[first].feeds)
      ++last;
    const std::size_t cuts = std::min(parts, last - first);
    for (std::size_t i = 0; i < cuts; ++i) {
      const auto range = split(static_cast<std::int64_t>(last - first),
                               static_cast<std::int64_t>(cuts), static_cast<std::int64_t>(i));
      items_.push_back({first + static_cast<std::size_t>(range.lo),
                        first + static_cast<std::size_t>(range.hi), pieces[first].messages,
                        pieces[first].feeds});
    }
    first = last;
  }
}

void Sweep::run(const Item& item, const Addresses& addresses, Exchange* to,
                const std::function<void()>& between) {
  next_piece_ = item.first;
  has_failed_ = false;
  failure_ = nullptr;
  if (threads_ == 1 || item.last - item.first == 1) {
    work(0, item.last, addresses, to, between);
  } else {
#pragma omp parallel num_threads(threads_)
    work(omp_get_thread_num(), item.last, addresses, to, between);
  }
  if (failure_) std::rethrow_exception(failure_);
  departures_.send_complete([to](int message) { to->ready(message); });
}

// On every thread; thread 0 is the one that called run(). An exception may not leave a thread.
void Sweep::work(int thread, std::size_t last, const Addresses& addresses, Exchange* to,
                 const std::function<void()>& between) {
  const auto look_around = [&] {
    if (thread != 0) return;
    departures_.send_complete([to](int message) { to->ready(message); });
    between();
  };
  try {
    for (std::size_t place = take(); place < last;) {
      const std::optional<std::size_t> next = take_early(last);
      for (std::size_t p = 0; p < passes_.size(); ++p) {
        const std::size_t end = first_tile(p, order_[place] + 1);
        for (std::size_t tile = first_tile(p, order_[place]); tile < end; ++tile) {
          PrefetchQueue& ahead = ahead_[static_cast<std::size_t>(thread)];
          ahead.clear();
          if (tile + 1 < end)
            passes_[p].announce(tile + 1, addresses, ahead);
          else if (p + 1 == passes_.size() && next && *next < last)
            passes_[0].announce(first_tile(0, order_[*next]), addresses, ahead);
          run_tile(p, tile, thread, addresses);
          look_around();
        }
      }
      place = next ? *next : take();
    }
  } catch (...) {
    fail(last);
  }
}

// A piece before the one at hand is run, so that what it will load can be announced; not of the
// last ones, which are left to whoever is free first.
std::optional<std::size_t> Sweep::take_early(std::size_t last) {
  const std::size_t kept = threads_ == 1 ? 0 : 2 * static_cast<std::size_t>(threads_);
  if (next_piece_.load(std::memory_order_relaxed) + kept >= last) return std::nullopt;
  return take();
}

void Sweep::run_tile(std::size_t p, std::size_t tile, int thread, const Addresses& addresses) {
  Pass& pass = passes_[p];
  pass.run(tile, thread, addresses, ahead_[static_cast<std::size_t>(thread)]);
  if (pass.streams()) finish_streaming();
  if (p + 1 < passes_.size()) return;
  for (const Pass::Part& part : pass.targets(tile))
    if (part.message != Patch::resident) departures_.stored(part.message);
}

// The first failure is told; the others stop behind the pieces that they have taken.
void Sweep::fail(std::size_t last) {
  next_piece_ = last;
  if (!has_failed_.exchange(true)) failure_ = std::current_exception();
}

}  // namespace weft
