// cli/bench/rows: visits a share of a field, row by row.
#pragma once

#include "weft/layout.hpp"
#include "weft/plan/plan_body.hpp"

namespace weft::cli {

/// Calls visit(first element, global index of its point, points) for every row of the share.
template <class Visit>
void for_each_row(const Share& share, std::int64_t batch, const Visit& visit) {
  const Layout whole = Layout::packed(share.extents);
  for (std::int64_t field = 0; field < batch; ++field)
    for (std::size_t b = 0; b < share.boxes.size(); ++b) {
      const Box& box = share.boxes[b];
      const Dims& strides = share.array.layouts[b].strides;
      const int last = box.axes() - 1;
      Dims at = box.lo;
      std::int64_t element = share.array.offsets[b] + field * share.array.field_stride;
      while (true) {
        visit(element, whole.at(at) + field * volume(share.extents), box.extent(last));
        int a = last - 1;
        for (; a >= 0; --a) {
          element += strides[a];
          if (++at[a] < box.hi[a]) break;
          element -= strides[a] * box.extent(a);
          at[a] = box.lo[a];
        }
        if (a < 0) break;
      }
    }
}

}  // namespace weft::cli
