// memory/point_copy: gathers rows of points, and scatters them.

#include "weft/memory/point_copy.hpp"

#include <algorithm>

namespace weft {

namespace {

// The part of a map that is one field's, and the field's elements.
template <class Real>
struct FieldPart {
  const std::int32_t* elements;  // from the first point on
  Real* values;                  // of the field, two numbers an element
};

// The points of a row are of one field.
template <class Real, class Byte>
FieldPart<Real> part_at(const PointMap& map, Byte* array, std::int64_t point) {
  const auto points = static_cast<std::int64_t>(map.elements.size());
  const std::int64_t field = point / points;
  return {map.elements.data() + (point - field * points),
          reinterpret_cast<Real*>(array) + 2 * field * map.field_stride};
}

}  // namespace

PointCopy::PointCopy(const Dims& extents, const Dims& near_strides, const Dims& point_strides,
                     int row_axis) {
  const auto add = [&](int a) {
    axes_[static_cast<std::size_t>(count_++)] = {extents[a], near_strides[a], point_strides[a]};
  };
  for (int a = 0; a < extents.size(); ++a)
    if (a != row_axis && extents[a] != 1) add(a);
  std::stable_sort(axes_.begin(), axes_.begin() + count_,
                   [](const Axis& a, const Axis& b) { return a.point > b.point; });
  add(row_axis);
}

template <class Row>
void PointCopy::for_each_row(std::int64_t near, std::int64_t point, const Row& row,
                             int level) const {
  if (level + 1 == count_) {
    row(near, point);
    return;
  }
  const Axis& axis = axes_[static_cast<std::size_t>(level)];
  for (std::int64_t i = 0; i < axis.n; ++i)
    for_each_row(near + i * axis.near, point + i * axis.point, row, level + 1);
}

void PointCopy::load(std::byte* near, const std::byte* array, std::int64_t first,
                     const PointMap& map, Precision precision) const {
  const Axis& inner = axes_[static_cast<std::size_t>(count_ - 1)];
  const auto load_as = [&]<class Real>(Real* tile) {
    for_each_row(0, first, [&](std::int64_t to, std::int64_t point) {
      const auto from = part_at<const Real>(map, array, point);
      for (std::int64_t i = 0; i < inner.n; ++i) {
        Real* const value = tile + 2 * (to + i * inner.near);
        const std::int32_t element = from.elements[i * inner.point];
        if (element == PointMap::absent) {
          value[0] = value[1] = 0;
          continue;
        }
        const Real* const held = from.values + 2 * std::int64_t{element < 0 ? ~element : element};
        value[0] = held[0];
        value[1] = element < 0 ? -held[1] : held[1];
      }
    });
  };
  if (precision == Precision::double_precision)
    load_as(reinterpret_cast<double*>(near));
  else
    load_as(reinterpret_cast<float*>(near));
}

void PointCopy::store(const std::byte* near, std::byte* array, std::int64_t first,
                      const PointMap& map, Precision precision, double factor) const {
  const Axis& inner = axes_[static_cast<std::size_t>(count_ - 1)];
  const auto store_as = [&]<class Real>(const Real* tile) {
    const auto by = static_cast<Real>(factor);
    for_each_row(0, first, [&](std::int64_t from, std::int64_t point) {
      const auto to = part_at<Real>(map, array, point);
      for (std::int64_t i = 0; i < inner.n; ++i) {
        const std::int32_t element = to.elements[i * inner.point];
        if (element < 0) continue;
        const Real* const value = tile + 2 * (from + i * inner.near);
        Real* const held = to.values + 2 * std::int64_t{element};
        held[0] = value[0] * by;
        held[1] = value[1] * by;
      }
    });
  };
  if (precision == Precision::double_precision)
    store_as(reinterpret_cast<const double*>(near));
  else
    store_as(reinterpret_cast<const float*>(near));
}

}  // namespace weft
