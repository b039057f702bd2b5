// run/run_array: finds arrays in shared memory, and copies those that are elsewhere.

#include "weft/run/run_array.hpp"

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

// Waves lie one after another.
ArrayPoints::ArrayPoints(const Share& share)
    : element_bytes_(share.scalar.bytes()),
      fields_(share.fields),
      field_bytes_(share.array.field_stride * element_bytes_) {
  std::int64_t points = 0;
  for (const Box& box : share.boxes) points += box.volume() * share.fields;
  if (share.waves.are_given() || points == share.array.elements) {
    bytes_ = share.array.elements * element_bytes_;
    return;
  }
  for (std::size_t i = 0; i < share.boxes.size(); ++i) {
    const Layout& layout = share.array.layouts[i];
    if (!share.boxes[i].empty())
      parts_.push_back({BoxCopy(layout.extents, layout.strides, layout.strides),
                        share.array.offsets[i] * element_bytes_});
  }
}

void ArrayPoints::copy(const std::byte* from, std::byte* to) const {
  if (bytes_ > 0) std::memcpy(to, from, static_cast<std::size_t>(bytes_));
  for (std::int64_t field = 0; field < fields_; ++field)
    for (const Part& part : parts_) {
      const std::int64_t at = field * field_bytes_ + part.offset;
      // Both have the same layout, so either may be what BoxCopy calls near.
      part.box.load(to + at, from + at, element_bytes_);
    }
}

const SharedRegion& StandIn::memory() {
  if (memory_.bytes() == 0) memory_ = SharedRegion(planned_bytes_);
  return memory_;
}

RunArray::RunArray(std::byte* given, std::int64_t bytes, const ArrayPoints& points,
                   StandIn* stand_in)
    : given_(given), data_(given), bytes_(bytes), points_(&points) {
  if (stand_in == nullptr || !stand_in->is_needed()) return;
  shared_ = SharedRegion::containing(given);
  if (shared_) return;
  data_ = stand_in->memory().data();
  shared_ = SharedRegion::Location{stand_in->memory().handle(), 0};
}

bool RunArray::overlaps(const void* data, std::int64_t bytes) const {
  const auto* begin = static_cast<const std::byte*>(data);
  return given_ < begin + bytes && begin < given_ + bytes_;
}

void RunArray::fill_stand_in() const {
  if (data_ != given_) points_->copy(given_, data_);
}

void RunArray::take_from_stand_in() const {
  if (data_ != given_) points_->copy(data_, given_);
}

}  // namespace weft
