// plan/shares: boxes, arrays and waves of one rank.

#include "weft/plan/shares.hpp"

#include <algorithm>

#include "weft/problem/axis_transform.hpp"

namespace weft {

std::pair<Share, Share> shares_of(const Blueprint& blueprint, int rank) {
  const Problem& r2c = blueprint.problem;
  const Route& route = blueprint.route;
  Share real{route.user_input.boxes(rank), {}, r2c.input_scalar(), real_extents(r2c), 0, 1, {}};
  Share spectral{
      route.user_output.boxes(rank), {}, r2c.output_scalar(), spectral_extents(r2c), 0, 1, {}};
  real.array = blueprint.real_array(rank);
  spectral.array = blueprint.spectral_array(rank);
  for (Share* share : {&real, &spectral}) {
    share->elements = share->array.elements;
    share->fields = r2c.batch;
  }
  if (const Columns* columns = blueprint.columns.get()) {
    const std::int64_t waves = columns->count(rank);
    spectral.boxes.clear();
    spectral.array = {{}, {}, waves, waves * r2c.batch};
    spectral.elements = spectral.array.elements;
    spectral.waves = columns->waves(rank);
    spectral.extents = halved(r2c.extents, half_axis(r2c));
  }
  if (r2c.in_place) {
    // Either side must hold the other.
    const std::int64_t bytes =
        std::max(real.elements * real.scalar.bytes(), spectral.elements * spectral.scalar.bytes());
    for (Share* share : {&real, &spectral})
      share->elements = (bytes + share->scalar.bytes() - 1) / share->scalar.bytes();
  }
  return {std::move(real), std::move(spectral)};
}

}  // namespace weft
