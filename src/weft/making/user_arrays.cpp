// making/user_arrays: the arrays of both sides, as the blueprint lays them out.

#include "weft/making/user_arrays.hpp"

#include <algorithm>

namespace weft {

Patches user_array(const StepList& steps, int rank, int role, int buffer) {
  const Route& route = steps.blueprint().route;
  const bool real_side = (role == source_role) == steps.forward();
  const View& view = real_side ? route.input_view() : route.output_view();
  const Decomposition& user = real_side ? route.user_input : route.user_output;
  const UserArray array =
      real_side ? steps.blueprint().real_array(rank) : steps.blueprint().spectral_array(rank);
  return view.patches(user.boxes(rank), array.layouts, array.offsets, array.field_stride, buffer);
}

std::int64_t user_array_bytes(const StepList& steps, int rank, int role) {
  const bool real_side = (role == source_role) == steps.forward();
  const std::int64_t elements = real_side ? steps.blueprint().real_array(rank).elements
                                          : steps.blueprint().spectral_elements(rank);
  const Scalar scalar =
      role == source_role ? steps.scalar_before(0) : steps.scalar_after(steps.size() - 1);
  return elements * scalar.bytes();
}

bool user_arrays_match(const StepList& steps) {
  const std::int64_t from_bytes = steps.scalar_before(0).bytes();
  const std::int64_t to_bytes = steps.scalar_after(steps.size() - 1).bytes();
  const auto lie_alike = [&](const Patch& from, const Patch& to) {
    if (from.offset * from_bytes != to.offset * to_bytes) return false;
    for (int a = 0; a < from.box.axes(); ++a) {
      const bool halved_rows = a == steps.half_axis() && from_bytes != to_bytes;
      if (from.box.lo[a] != to.box.lo[a]) return false;
      if (halved_rows ? from.strides[a] != 1 || to.strides[a] != 1
                      : from.strides[a] * from_bytes != to.strides[a] * to_bytes)
        return false;
    }
    for (int a = 0; a < from.box.axes(); ++a)
      if (from.box.hi[a] != to.box.hi[a] && (a != steps.half_axis() || from_bytes == to_bytes))
        return false;
    return true;
  };
  for (int rank = 0; rank < steps.blueprint().machine.ranks; ++rank) {
    const Patches source = user_array(steps, rank, source_role, 0);
    const Patches target = user_array(steps, rank, target_role, 0);
    if (!std::equal(source.begin(), source.end(), target.begin(), target.end(), lie_alike))
      return false;
  }
  return true;
}

}  // namespace weft
