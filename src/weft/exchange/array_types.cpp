// exchange/array_types: sub-array types out of patches.

#include "weft/exchange/array_types.hpp"

namespace weft {

std::vector<ArrayMessage> array_messages(const std::vector<Transfer>& transfers,
                                         const Patches& array, Side side,
                                         std::int64_t element_bytes) {
  std::vector<ArrayMessage> messages;
  for (std::size_t first = 0; first < transfers.size();) {
    std::vector<Datatype> parts;
    std::vector<MPI_Aint> displacements;
    std::vector<MPI_Datatype> handles;
    std::size_t last = first;
    for (; last < transfers.size() && transfers[last].peer == transfers[first].peer; ++last) {
      const Transfer& transfer = transfers[last];
      const int box = side == Side::source ? transfer.source_box : transfer.target_box;
      const Patch patch = clipped(array[static_cast<std::size_t>(box)], transfer.box);
      parts.push_back(box_type(element_bytes, patch.box.extents(), patch.strides));
      displacements.push_back(static_cast<MPI_Aint>(patch.offset * element_bytes));
      handles.push_back(parts.back().handle());
    }
    messages.push_back(
        {transfers[first].peer, array.front().buffer, struct_type(displacements, handles)});
    first = last;
  }
  return messages;
}

}  // namespace weft
