// making/step_plan_rings: which exchanges go through a ring, and how these are cut into cells.

#include <algorithm>

#include "weft/making/step_plan.hpp"

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

// The sweeps beside an exchange at an end may load from and store to arrays of this rank only. What
// other ranks have in theirs is copied.
void StepPlan::add_copies_at_ends() {
  if (!is_pass(0) && steps_.front().shares_memory) add_copy_at(true);
  if (!is_pass(steps_.size() - 1) && steps_.back().shares_memory) add_copy_at(false);
}

// In place, the target is written while the copy runs, so the source must have been read before.
std::optional<Ring> StepPlan::possible_ring(std::size_t i) const {
  if (i == 0 || i + 1 >= steps_.size() || !steps_[i].shares_memory || !stays_in_nodes(i))
    return std::nullopt;
  if (before(i).is_of_parts() || after(i).is_of_parts()) return std::nullopt;
  const bool in_place = blueprint_->problem.in_place;
  if (i + 2 == steps_.size() && is_copy(i + 1) && (!in_place || i - 1 > source_last_step_))
    return Ring::to_target;
  if (i == 1 && is_copy(0) && !is_copy(2) && (!in_place || (steps_.size() > 4 && !overlaps_)))
    return Ring::from_source;
  return std::nullopt;
}

// The passes that run together with the copy of a ring.
std::vector<std::size_t> StepPlan::passes_beside(std::size_t exchange, Ring ring) const {
  std::vector<std::size_t> passes;
  if (ring == Ring::from_source)
    for (std::size_t i = exchange + 1; is_pass(i); ++i) passes.push_back(i);
  else
    for (std::size_t i = exchange; i > 0 && is_pass(i - 1); --i) passes.push_back(i - 1);
  return passes;
}

// Along an axis that the passes beside the ring do not transform: the slowest in memory that has as
// many indices as there should be cells, else the one that has most.
Cutting StepPlan::ring_cutting(std::size_t exchange, Ring ring) const {
  const bool at_start = ring == Ring::from_source;
  const Dims local = local_extents(at_start ? after(exchange) : before(exchange));
  const std::int64_t element = scalar_before(exchange).bytes();
  const Machine& machine = blueprint_->machine;
  int threads = 1;
  for (int rank = 0; rank < machine.ranks; ++rank)
    threads = std::max(threads, machine.threads(rank));
  const double bytes =
      static_cast<double>(volume(before(exchange).extents()) * element) / machine.ranks;
  const auto wanted = static_cast<std::int64_t>(std::clamp<double>(
      bytes * cells_in_a_cache / static_cast<double>(machine.cache_bytes * threads), 1,
      most_cells));
  const auto passes = passes_beside(exchange, ring);
  const auto parts_along = [&](int axis) -> std::int64_t {
    for (const std::size_t pass : passes)
      if (std::ranges::find(axes(pass), axis) != axes(pass).end()) return 1;
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

void StepPlan::find_rings() {
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const auto ring = possible_ring(i);
    if (!ring) continue;
    steps_[i].ring = *ring;
    steps_[i].cutting = ring_cutting(i, *ring);
    find_source_last_step();
  }
}

// A pass that works in place on what the pass before has stored stores to a ring what that pass
// stores there, too. They must then share a sweep, which takes the cells in turn. Returns whether a
// ring was given up because they do not.
bool StepPlan::drop_ring() {
  for (std::size_t i = 1; i < steps_.size(); ++i) {
    if (ring(i) != Ring::to_target) continue;
    for (std::size_t pass = i - 1; steps_[pass].works_in_place; --pass) {
      if (steps_[pass - 1].joins_next) continue;
      steps_[i].ring = Ring::none;
      steps_[i].cutting = {};
      return true;
    }
  }
  return false;
}

}  // namespace weft
