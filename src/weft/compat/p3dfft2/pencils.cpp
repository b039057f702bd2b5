// compat/p3dfft2/pencils: how points are shared out, as P3DFFT shares them out.
#include "pencils.hpp"

#include <algorithm>

namespace weft::p3dfft2 {

namespace {

using Extents3 = std::array<std::int64_t, 3>;

// Part `i` of `parts`: the last ones have one point more.
Range part(std::int64_t points, std::int64_t parts, std::int64_t i) {
  const std::int64_t small = parts - points % parts;
  const auto first = [&](std::int64_t k) {
    return k * (points / parts) + std::max<std::int64_t>(0, k - small);
  };
  return {first(i), first(i + 1)};
}

std::int64_t volume(const Extents3& points) { return points[0] * points[1] * points[2]; }

}  // namespace

std::array<std::int64_t, 3> Grid::extents(Side side) const {
  if (side == Side::real_space) return points;
  return {modes[0] / 2 + 1, modes[1], modes[2]};
}

Box Grid::box(Side side, int rank) const {
  const bool is_c = (layout & rows_adjacent) != 0;
  const int first = is_c ? rank / dims[1] : rank % dims[0];
  const int second = is_c ? rank % dims[1] : rank / dims[0];
  const auto n = extents(side);
  Box box = Box::whole({n[2], n[1], n[0]});
  if (side == Side::real_space) {
    box.set(1, part(n[1], dims[0], first));
    box.set(0, part(n[2], dims[1], second));
  } else {
    box.set(2, part(n[0], dims[0], first));
    box.set(1, part(n[1], dims[1], second));
  }
  return box;
}

Box Grid::box_of_half_spectrum(int rank) const {
  Box half = box(Side::real_space, rank);
  half.set(2, {0, points[0] / 2 + 1});
  return half;
}

Grid::Dimensions Grid::dimensions(Side side, int rank) const {
  const Box mine = box(side, rank);
  const bool is_turned = side == Side::spectrum && (layout & z_contiguous) != 0;
  Dimensions told{};
  for (std::size_t i = 0; i < 3; ++i) {
    const int axis = is_turned ? static_cast<int>(i) : 2 - static_cast<int>(i);
    told.start[i] = static_cast<int>(mine.lo[axis]) + 1;
    told.end[i] = static_cast<int>(mine.hi[axis]);
    told.size[i] = static_cast<int>(mine.extent(axis));
  }
  return told;
}

Grid::Dimensions Grid::padded_dimensions(int rank) const {
  Dimensions told = dimensions(Side::real_space, rank);
  const Dimensions waves = dimensions(Side::spectrum, rank);
  const auto wide = [](const std::array<int, 3>& size) {
    return Extents3{size[0], size[1], size[2]};
  };
  const std::int64_t wanted = 2 * volume(wide(waves.size));
  if (volume(wide(told.size)) >= wanted) return told;
  // A rank without points of real space may have some of the spectrum.
  for (std::size_t i = 1; i < 3; ++i) told.size[i] = std::max(told.size[i], 1);
  const std::int64_t plane = std::int64_t{told.size[0]} * told.size[1];
  told.size[2] = static_cast<int>((wanted + plane - 1) / plane);
  return told;
}

}  // namespace weft::p3dfft2
