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

void Program::run(const void* source, void* target, std::byte* workspace) {
  trace_.clear();
  for (std::size_t i = 0; i < storages_.size(); ++i) {
    const Storage& storage = storages_[i];
    // Only passes and sends read the source; the array behind a const pointer is never written.
    std::byte* home = storage.home == Storage::source
                          ? static_cast<std::byte*>(const_cast<void*>(source))
                      : storage.home == Storage::target ? static_cast<std::byte*>(target)
                                                        : workspace;
    addresses_[i] = home + storage.offset;
  }
  for (std::size_t i = 0; i < steps_.size(); ++i) {
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
