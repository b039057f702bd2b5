// plan/program: running the steps.

#include "weft/plan/program.hpp"

namespace weft {

UserArray UserArray::packed(const std::vector<Box>& boxes, std::int64_t room_of_row) {
  UserArray array;
  for (const Box& box : boxes) {
    const Dims extents = box.extents();
    Dims room = extents;
    room.back() = std::max(room.back(), room_of_row);
    array.layouts.push_back(Layout::padded(extents, room));
    array.offsets.push_back(array.field_stride);
    array.field_stride += volume(room);
  }
  return array;
}

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

// From here on others' arrays are worked on: they must be in this run too, and have said where
// their arrays are.
void Program::meet_arrays() {
  if (!has_met_) team_->barrier(poll_);
  for (std::size_t i = 0; i < storages_.size(); ++i) {
    const Storage& storage = storages_[i];
    if (storage.rank == Storage::mine || storage.home == Storage::workspace) continue;
    addresses_[i] =
        team_->resolve(team_->member(storage.rank), storage.home == Storage::source ? 0 : 1) +
        storage.offset;
  }
}

void Program::run(const ArrayPlace& source, const ArrayPlace& target) {
  trace_.clear();
  for (std::size_t i = 0; i < storages_.size(); ++i) {
    const Storage& storage = storages_[i];
    if (storage.rank != Storage::mine || storage.home == Storage::workspace) continue;
    addresses_[i] = (storage.home == Storage::source ? source.data : target.data) + storage.offset;
  }
  const bool shares_arrays = shares_source_ || shares_target_;
  if (shares_arrays) {
    team_->publish(0, source.shared);
    team_->publish(1, target.shared);
  }
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (shares_arrays && i == first_shared_step_) meet_arrays();
    Step& step = steps_[i];
    if (step.sweep) {
      run_pass(i);
      continue;
    }
    const bool stored_by_pass = i > 0;
    const bool loaded_by_pass = i + 1 < steps_.size();
    const double begin = now();
    if (!stored_by_pass) step.exchange->start(addresses_);
    step.exchange->flush();
    if (!loaded_by_pass) step.exchange->finish();
    trace_.add(i, begin, now() - begin);
  }
}

void Program::run_pass(std::size_t i) {
  Exchange* from = i > 0 ? steps_[i - 1].exchange.get() : nullptr;
  Exchange* to = i + 1 < steps_.size() ? steps_[i + 1].exchange.get() : nullptr;
  const double begin = now();
  if (to != nullptr) to->start(addresses_);
  const double waited = steps_[i].sweep->run(addresses_, from, to);
  const double passed = now();
  trace_.add(i, begin, passed - begin - waited);
  if (from == nullptr) return;
  from->finish();
  trace_.add(i - 1, begin, waited + now() - passed);
}

}  // namespace weft
