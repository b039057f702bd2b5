// making/step_planner: which exchanges go through a ring, and how these are cut into cells.

#include <algorithm>

#include "weft/making/step_planner.hpp"

namespace weft {

namespace {

// What other ranks need of a cell should be in the caches until it has been copied, beside what
// else passes load and store. A program that moves as the last pass of 256x256x256 on two ranks
// does took as long with cells of 0.5 to 1 MiB, three of them in a ring, as with stores to the
// arrays of both; whole plans have not been measured.
constexpr double cells_in_a_cache = 1;  // of a core
constexpr int most_cells = 256;
// Rows of a cell that is cut along the contiguous axis are no shorter.
constexpr std::int64_t least_row_bytes = 1024;

// Extents of the first box that any rank owns.
Dims local_extents(const Decomposition& at) {
  for (int owner = 0; owner < at.owners(); ++owner)
    if (const auto boxes = at.boxes(owner); !boxes.empty()) return boxes.front().extents();
  return at.extents();
}

}  // namespace

// In place, the target is written while the copy runs, so the source must have been read before.
std::optional<Ring> StepPlanner::possible_ring(std::size_t i) const {
  if (i == 0 || i + 1 >= plan_.size() || !plan_[i].shares_memory || !plan_.stays_in_nodes(i))
    return std::nullopt;
  if (plan_.before(i).is_of_parts() || plan_.after(i).is_of_parts()) return std::nullopt;
  if (i + 2 == plan_.size() && plan_.is_copy(i + 1) &&
      (!in_place() || i - 1 > plan_.source_last_step()))
    return Ring::to_target;
  if (i == 1 && plan_.is_copy(0) && !plan_.is_copy(2) &&
      (!in_place() || (plan_.size() > 4 && !plan_.overlaps())))
    return Ring::from_source;
  return std::nullopt;
}

// Along an axis that the passes beside the ring do not transform: the slowest in memory that has as
// many indices as there should be cells, else the one that has most.
Cutting StepPlanner::ring_cutting(std::size_t exchange, Ring ring) const {
  const bool at_start = ring == Ring::from_source;
  const Dims local = local_extents(at_start ? plan_.after(exchange) : plan_.before(exchange));
  const std::int64_t element = plan_.scalar_before(exchange).bytes();
  const Machine& machine = plan_.blueprint().machine;
  int threads = 1;
  for (int rank = 0; rank < machine.ranks; ++rank)
    threads = std::max(threads, machine.threads(rank));
  const double bytes =
      static_cast<double>(volume(plan_.before(exchange).extents()) * element) / machine.ranks;
  const auto wanted = static_cast<std::int64_t>(std::clamp<double>(
      bytes * cells_in_a_cache / static_cast<double>(machine.cache_bytes * threads), 1,
      most_cells));
  const auto passes = plan_.passes_beside(exchange, ring);
  const auto parts_along = [&](int axis) -> std::int64_t {
    for (const std::size_t pass : passes)
      if (std::ranges::find(plan_.axes(pass), axis) != plan_.axes(pass).end()) return 1;
    const bool is_row = axis + 1 == local.size();
    return std::min(wanted, is_row ? local[axis] * element / least_row_bytes : local[axis]);
  };
  Cutting cutting;
  for (int axis = 0; axis < local.size(); ++axis) {
    const auto parts = static_cast<int>(parts_along(axis));
    if (parts <= cutting.cells()) continue;
    cutting = at_start ? Cutting{axis, 1, axis, parts} : Cutting{axis, parts, axis, 1};
  }
  return cutting;
}

void StepPlanner::find_rings() {
  for (std::size_t i = 0; i < plan_.size(); ++i) {
    const auto ring = possible_ring(i);
    if (!ring) continue;
    plan_[i].ring = *ring;
    plan_[i].cutting = ring_cutting(i, *ring);
  }
}

// A pass that works in place on what the pass before has stored stores to a ring what that pass
// stores there, too. They must then share a sweep, which takes the cells in turn. Returns whether a
// ring was given up because they do not.
bool StepPlanner::drop_ring() {
  for (std::size_t i = 1; i < plan_.size(); ++i) {
    if (plan_.ring(i) != Ring::to_target) continue;
    for (std::size_t pass = i - 1; plan_[pass].works_in_place; --pass) {
      if (plan_[pass - 1].joins_next) continue;
      plan_[i].ring = Ring::none;
      plan_[i].cutting = {};
      return true;
    }
  }
  return false;
}

}  // namespace weft
