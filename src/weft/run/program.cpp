// run/program: taking a run further.

#include "weft/run/program.hpp"

#include <utility>

namespace weft {

std::int64_t Program::tile_bytes() const {
  std::int64_t bytes = 0;
  for (const TileMemory& tile : tiles_) bytes += tile.bytes();
  return bytes;
}

void Program::set_workspaces(const std::vector<std::byte*>& workspaces) {
  for (std::size_t i = 0; i < storages_.size(); ++i) {
    const Storage& storage = storages_[i];
    if (storage.home != Storage::workspace) continue;
    const int member = team_ == nullptr                ? 0
                       : storage.rank == Storage::mine ? team_->me()
                                                       : team_->member(storage.rank);
    addresses_[i] = workspaces[static_cast<std::size_t>(member)] + storage.offset;
  }
}

void Program::begin(const ArrayPlace& source, const ArrayPlace& target, std::int64_t number) {
  trace_.clear();
  first_array_ = number % 2 == 0 ? 0 : 2;
  ++runs_;
  for (std::size_t i = 0; i < storages_.size(); ++i) {
    const Storage& storage = storages_[i];
    if (storage.rank != Storage::mine || storage.home == Storage::workspace) continue;
    addresses_[i] = (storage.home == Storage::source ? source.data : target.data) + storage.offset;
  }
  if (shares_source_ || shares_target_) {
    team_->publish(first_array_, source.shared);
    team_->publish(first_array_ + 1, target.shared);
    team_->count(*met_, all_met());
  }
  open_exchanges_ = 0;
  for (Step& step : steps_) {
    step.has_started = step.is_open = step.has_finished = step.is_loaded = false;
    step.told = 0;
    if (step.sweep) step.sweep->begin();
    if (step.exchange) ++open_exchanges_;
  }
  schedule_.begin();
  advance();
}

// From here on others' arrays are worked on, and all have said where theirs are.
void Program::meet_arrays() {
  for (std::size_t i = 0; i < storages_.size(); ++i) {
    const Storage& storage = storages_[i];
    if (storage.rank == Storage::mine || storage.home == Storage::workspace) continue;
    addresses_[i] = team_->resolve(team_->member(storage.rank),
                                   first_array_ + (storage.home == Storage::source ? 0 : 1)) +
                    storage.offset;
  }
  schedule_.happens(meets_);
}

void Program::move() {
  for (Step& step : steps_)
    if (step.has_started && !step.has_finished) step.exchange->move();
}

bool Program::advance() {
  bool moved = false;
  if (meets_ >= 0 && !schedule_.has_happened(meets_) && team_->reached(*met_, all_met())) {
    meet_arrays();
    moved = true;
  }
  for (std::size_t i = 0; i < steps_.size(); ++i)
    if (steps_[i].exchange && !steps_[i].has_finished) moved = advance_exchange(i) || moved;
  return moved;
}

bool Program::advance_exchange(std::size_t i) {
  Step& step = steps_[i];
  Exchange& exchange = *step.exchange;
  bool moved = false;
  if (!step.has_started) {
    if (!schedule_.has_happened(step.begins)) return false;
    step.has_started = true;
    exchange.start(addresses_);
    moved = true;
  }
  exchange.progress();
  if (!step.is_open && exchange.is_open()) {
    step.is_open = moved = true;
    schedule_.happens(step.opens);
    if (i == 0)
      for (int m = 0; m < exchange.outgoing_messages(); ++m) exchange.ready(m);
    if (i == 0) trace_.begin_activity(i);
  }
  for (; step.told < exchange.arrivals().size(); ++step.told) {
    schedule_.happens(step.first_arrival + exchange.arrivals()[step.told]);
    moved = true;
  }
  const bool is_loaded = i + 1 < steps_.size()
                             ? schedule_.has_happened(steps_[i + 1].passes)
                             : std::cmp_equal(step.told, exchange.incoming_messages());
  if (step.is_open && is_loaded && !step.is_loaded) {
    step.is_loaded = moved = true;
    exchange.loaded();
    exchange.progress();
  }
  if (std::cmp_equal(step.told, exchange.incoming_messages())) trace_.end_activity(i);
  if (step.is_loaded && exchange.has_finished()) {
    step.has_finished = moved = true;
    --open_exchanges_;
    schedule_.happens(step.finishes);
  }
  return moved;
}

void Program::run_item(const std::function<void()>& between) {
  const int number = schedule_.take();
  ensure(number >= 0);
  const auto [i, item] = work_[static_cast<std::size_t>(number)];
  Exchange* to = i + 1 < steps_.size() ? steps_[i + 1].exchange.get() : nullptr;
  const double began = now();
  steps_[i].sweep->run(steps_[i].sweep->items()[item], addresses_, to, between);
  trace_.add_item({i, item, began, now() - began});
  if (to != nullptr) trace_.begin_activity(i + 1);
  schedule_.done(number);
}

bool Program::wait() {
  Exchange* only = nullptr;
  if (meets_ >= 0 && !schedule_.has_happened(meets_)) return false;
  for (Step& step : steps_) {
    if (!step.has_started || step.has_finished) continue;
    if (only != nullptr) return false;
    only = step.exchange.get();
  }
  if (only == nullptr) return false;
  only->wait();
  return true;
}

void Program::waited(double begin, double seconds) {
  for (std::size_t i = 0; i < steps_.size(); ++i)
    if (steps_[i].exchange && !steps_[i].has_finished) {
      trace_.add(i, begin, seconds);
      return;
    }
}

}  // namespace weft
