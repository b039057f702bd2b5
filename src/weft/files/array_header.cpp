// files/array_header: arrays in words, and which of them weft takes.

#include "weft/files/array_header.hpp"

#include <algorithm>
#include <limits>

#include "weft/base/ensure.hpp"
#include "weft/problem/limits.hpp"

namespace weft {

Extents ArrayHeader::c_extents() const {
  Extents extents = shape;
  if (is_fortran) std::reverse(extents.begin(), extents.end());
  return extents;
}

std::string to_string(const ArrayHeader& header) {
  return fmt::format("{} {}{}{}{}", to_string(header.shape), header.scalar.name(),
                     header.is_fortran ? ", Fortran order" : "",
                     header.is_big_endian ? ", big endian" : "",
                     header.chunks.empty() ? "" : ", in chunks of " + to_string(header.chunks));
}

void require_shape(const Extents& shape, const std::string& name) {
  const auto refuse = [&](const std::string& why, const std::string& hint) {
    throw Error(Error::io, fmt::format("'{}' has {}", name, why), hint);
  };
  if (shape.empty())
    refuse("no axes: it holds a single number",
           fmt::format("weft transforms arrays of 1 to {} axes", most_axes));
  if (shape.size() > most_axes)
    refuse(
        fmt::format("{} axes", shape.size()),
        fmt::format("weft transforms arrays of 1 to {} axes: merge axes that are not transformed",
                    most_axes));
  for (int a = 0; a < shape.size(); ++a)
    if (shape[a] < 1)
      refuse(fmt::format("{} points along axis {} of {}", shape[a], a, to_string(shape)),
             "every axis must have at least 1 point");
  constexpr std::int64_t most_points = std::numeric_limits<std::int64_t>::max() / 32;
  if (volume_exceeds(shape, most_points))
    refuse(fmt::format("the shape {}, which is more than {} points", to_string(shape), most_points),
           "check whether the header is damaged");
}

}  // namespace weft
