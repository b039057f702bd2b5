// run/shared_array: finds arrays in shared memory, and copies those that are elsewhere.

#include "weft/run/shared_array.hpp"

#include <cstring>

#include "weft/memory/buffer.hpp"

namespace weft {

std::shared_ptr<std::byte> field_memory(std::int64_t bytes, bool shared, int threads) {
  if (shared) {
    auto region = std::make_shared<SharedRegion>(bytes);
    return {region, region->data()};
  }
  auto buffer = std::make_shared<Buffer>(bytes, threads);
  return {buffer, buffer->data()};
}

ArrayPlace SharedArray::place(std::byte* array) {
  if (bytes_ == 0) return {array, std::nullopt};
  if (auto found = SharedRegion::containing(array)) return {array, found};
  if (stand_in_.bytes() == 0) stand_in_ = SharedRegion(bytes_);
  return {stand_in_.data(), SharedRegion::Location{stand_in_.handle(), 0}};
}

void SharedArray::load(const ArrayPlace& place, const std::byte* array) const {
  if (stands_in(place)) std::memcpy(place.data, array, static_cast<std::size_t>(bytes_));
}

void SharedArray::store(const ArrayPlace& place, std::byte* array) const {
  if (stands_in(place)) std::memcpy(array, place.data, static_cast<std::size_t>(bytes_));
}

}  // namespace weft
