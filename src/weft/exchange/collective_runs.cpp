// exchange/collective_runs: lists the rows of boxes, and joins those that touch each other.

#include "weft/exchange/collective_runs.hpp"

#include <algorithm>

#include "weft/base/ensure.hpp"

namespace weft {

namespace {

// Adds the rows of a patch, along the axis of adjacent elements if there is one.
void add_rows(const Patch& patch, std::vector<ByteRun>& elements) {
  if (patch.box.volume() == 0) return;
  const int axes = patch.box.axes();
  int adjacent = 0;
  while (adjacent < axes && patch.strides[adjacent] != 1) ++adjacent;
  const std::int64_t row =
      adjacent < axes ? patch.box.hi[adjacent] - patch.box.lo[adjacent] : std::int64_t{1};
  Dims point = patch.box.lo;
  for (std::int64_t left = patch.box.volume() / row; left > 0; --left) {
    elements.push_back({patch.at(point), row});
    for (int a = axes - 1; a >= 0; --a) {
      if (a == adjacent) continue;
      if (++point[a] < patch.box.hi[a]) break;
      point[a] = patch.box.lo[a];
    }
  }
}

std::vector<ByteRun> runs_of(const Collective& collective,
                             const std::vector<Collective::Part>& parts,
                             std::int64_t element_bytes) {
  std::vector<ByteRun> elements;
  if (collective.method == Collective::alltoall)
    elements.push_back(
        {collective.first_slot, collective.largest_count * std::ssize(collective.group)});
  else
    for (const Collective::Part& part : parts)
      if (collective.method == Collective::alltoallv)
        elements.push_back({part.offset, part.count});
      else
        for (const Patch& patch : part.boxes) add_rows(patch, elements);
  std::erase_if(elements, [](const ByteRun& run) { return run.bytes == 0; });
  std::ranges::sort(elements, {}, &ByteRun::offset);
  std::vector<ByteRun> runs;
  for (const ByteRun& next : elements) {
    const ByteRun run{next.offset * element_bytes, next.bytes * element_bytes};
    ensure(runs.empty() || runs.back().offset + runs.back().bytes <= run.offset, run.offset);
    if (!runs.empty() && runs.back().offset + runs.back().bytes == run.offset)
      runs.back().bytes += run.bytes;
    else
      runs.push_back(run);
  }
  return runs;
}

}  // namespace

std::vector<ByteRun> sent_runs(const Collective& collective, std::int64_t element_bytes) {
  return runs_of(collective, collective.sends, element_bytes);
}
std::vector<ByteRun> received_runs(const Collective& collective, std::int64_t element_bytes) {
  return runs_of(collective, collective.receives, element_bytes);
}

}  // namespace weft
