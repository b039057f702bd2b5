// planning/layout_candidates: enumerates process grids, inputs and outputs.

#include "weft/planning/layout_candidates.hpp"

#include <algorithm>
#include <limits>

#include "weft/planning/constants.hpp"
#include "weft/planning/route.hpp"

namespace weft {

namespace {

Dims without_ones(const Dims& parts) {
  Dims rest;
  for (auto part : parts)
    if (part > 1) rest.push_back(part);
  return rest;
}

}  // namespace

SearchView::SearchView(const Problem& problem_, const Machine& machine_, const Choices& choices_,
                       std::optional<AxisSplit> split_)
    : problem(problem_),
      machine(machine_),
      choices(choices_),
      split(split_),
      states(problem_, split_) {
  axes = view().inner_axes(problem.axes.list());
  pieces = choices.placement.pieces_among(machine.ranks);
  nodes = machine.nodes();
  // States are numbered by the changed axes that are done; the last one has all of them.
  for (unsigned done = 0; done <= all(); ++done) {
    std::size_t number = 0, digit = 1;
    for (const int axis : axes) {
      if ((states.changed() & FieldStates::bit(axis)) == 0) continue;
      if ((done & bit(axis)) != 0) number += digit;
      digit *= 2;
    }
    state_of_.push_back(number);
    if (number >= extents.size()) extents.resize(number + 1);
    extents[number] = states.extents(inner_set(done));
  }
}

unsigned SearchView::inner_set(unsigned done) const {
  unsigned set = 0;
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (((done >> i) & 1U) != 0) set |= FieldStates::bit(axes[i]);
  return set;
}

LayoutCandidates::LayoutCandidates(const SearchView& search)
    : search_(search),
      slab_owners_(slab_owners(search.problem.extents.size(), search.choices.placement,
                               search.machine.ranks)) {
  add_grids();
  const std::size_t grids = candidates.size();
  add_input();
  add_output();
  // With a placement by the user, passes compute only on the process grids, not at the ends.
  for (std::size_t i = 0; i < candidates.size(); ++i)
    measure(candidates[i], i < grids || !search_.choices.placement.is_given());
}

void LayoutCandidates::measure(Candidate& candidate, bool computes) const {
  const auto& any = candidate.first() ? candidate.first() : candidate.last();
  // Along an axis that a grid divides, all points may be one rank's, until there are more of them.
  const auto stays_whole = [&](int axis) {
    const bool changes = (search_.states.changed() & FieldStates::bit(axis)) != 0;
    return !changes || candidate.place.form != Place::on_grid ||
           candidate.place.grid.parts[axis] == 1;
  };
  for (int axis : search_.axes)
    if (computes && any->is_whole(axis) && stays_whole(axis)) candidate.whole |= search_.bit(axis);
  for (const auto& at : candidate.at)
    candidate.points.push_back(at ? static_cast<double>(at->largest_volume()) : 0);
}

bool LayoutCandidates::may_stage(const Dims& parts) const {
  const int divided = divided_axes(parts);
  if (!search_.choices.grid.empty() && search_.choices.form != Distribution::brick &&
      without_ones(parts) != without_ones(search_.choices.grid))
    return false;
  switch (search_.choices.form) {
    case Distribution::slab:
      return divided <= 1;
    case Distribution::pencil: {
      // A field of two axes has no pencils other than slabs.
      if (search_.extents.front().size() < 3) return divided <= 1;
      if (!search_.choices.grid.empty()) return true;
      const Dims balanced =
          balanced_factorization(search_.pieces, Dims::filled(2, std::int64_t{1} << 40), {0, 1});
      Dims mine = without_ones(parts), wanted = without_ones(balanced);
      std::sort(mine.begin(), mine.end());
      std::sort(wanted.begin(), wanted.end());
      return mine == wanted;
    }
    default:
      return true;
  }
}

// Keeps only the grids that give every rank points, if each axis is whole in one of them.
void LayoutCandidates::prefer_grids_without_empty_ranks(std::vector<Dims>& grids) const {
  std::vector<Dims> full;
  for (const Dims& parts : grids) {
    bool fits = true;
    for (int a = 0; a < parts.size(); ++a) fits = fits && parts[a] <= search_.extents.back()[a];
    if (fits) full.push_back(parts);
  }
  for (int axis : search_.axes)
    if (std::none_of(full.begin(), full.end(), [&](const Dims& parts) { return parts[axis] == 1; }))
      return;
  if (!full.empty()) grids = std::move(full);
}

void LayoutCandidates::add_grids() {
  const int axes = search_.extents.front().size();
  std::vector<Dims> grids = factorizations(search_.pieces, axes);
  prefer_grids_without_empty_ranks(grids);
  for (int most = 3; grids.size() > constants::most_grids && most >= 1; --most)
    std::erase_if(grids, [&](const Dims& parts) { return divided_axes(parts) > most; });
  std::erase_if(grids, [&](const Dims& parts) { return !may_stage(parts); });
  prefer_grids_without_empty_ranks(grids);
  // The whole field on one rank: the last resort where no axis can be divided.
  if (search_.pieces > 1) grids.push_back(Dims::filled(axes, 1));
  for (const Dims& parts : grids)
    candidates.push_back(on(placed(parts, search_.choices.placement, search_.machine.ranks)));
}

Candidate LayoutCandidates::on(const ProcessGrid& grid) const {
  Candidate candidate;
  candidate.place = {Place::on_grid, grid};
  for (const Extents& extents : search_.extents)
    candidate.at.push_back(Decomposition::on_grid(extents, grid, search_.machine.ranks));
  return candidate;
}

// The place of the user's input or output.
Place LayoutCandidates::end(Place::Form form, const Distribution& distribution) const {
  const bool is_free = distribution.form == Distribution::free;
  return {form, {{}, is_free ? slab_owners_ : std::vector<int>{}}};
}

// A free input starts on a process grid, so that the first pass can compute where it starts.
void LayoutCandidates::add_input() {
  const bool batch = search_.view().has_batch_axis();
  if (search_.problem.input.form == Distribution::free && !search_.split) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const auto& candidate : candidates)
      least = std::min(least, candidate.first()->largest_volume());
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const auto& candidate = candidates[i];
      if (static_cast<double>(candidate.first()->largest_volume()) <=
              constants::uneven_start * static_cast<double>(least) &&
          !(batch && candidate.place.grid.parts[0] > 1))
        starts.push_back(i);
    }
    if (starts.size() > constants::most_starts && search_.problem.output.form == Distribution::same)
      starts.resize(constants::most_starts);
    if (!starts.empty()) return;
  }
  const auto user = starting_input(search_.problem, search_.machine.ranks, slab_owners_);
  Candidate candidate;
  candidate.place = end(Place::input, search_.problem.input);
  candidate.at.resize(search_.extents.size());
  candidate.at.front() = search_.view().inner(user);
  if (candidate.first()->grid()) candidate.place = {Place::on_grid, *candidate.first()->grid()};
  add_states(candidate, *candidate.first());
  starts.push_back(find_or_add(std::move(candidate)));
}

// The field stays where it is at `known` while axes are transformed that are whole there.
void LayoutCandidates::add_states(Candidate& candidate, const Decomposition& known) const {
  for (std::size_t state = 0; state < search_.extents.size(); ++state) {
    const Extents& extents = search_.extents[state];
    bool stays = !candidate.at[state];
    for (int axis = 0; axis < extents.size(); ++axis)
      stays = stays && (extents[axis] == known.extents()[axis] || known.is_whole(axis));
    if (stays) candidate.at[state] = unmoved(known, extents);
  }
}

void LayoutCandidates::add_output() {
  if (search_.problem.output.form == Distribution::free && !search_.split) return;
  if (search_.problem.output.form == Distribution::same && starts_on_grids())
    return;  // differs per start
  const int ranks = search_.machine.ranks;
  const auto user = required_output(
      search_.problem, starting_input(search_.problem, ranks, slab_owners_), ranks, slab_owners_);
  Candidate candidate;
  candidate.place = end(Place::output, search_.problem.output);
  candidate.at.resize(search_.extents.size());
  candidate.at.back() = search_.states.output_view().inner(user);
  if (candidate.last()->grid()) candidate.place = {Place::on_grid, *candidate.last()->grid()};
  add_states(candidate, Decomposition(*candidate.last()));
  output = find_or_add(std::move(candidate));
}

bool LayoutCandidates::starts_on_grids() const {
  return std::all_of(starts.begin(), starts.end(), [&](std::size_t start) {
    return candidates[start].place.form == Place::on_grid;
  });
}

std::size_t LayoutCandidates::find_or_add(Candidate candidate) {
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if (candidate.place.form == Place::on_grid
            ? candidates[i].place == candidate.place
            : !search_.split && candidate.last() && candidates[i].place.form != Place::on_grid &&
                  candidates[i].last() == candidate.last())
      return i;
  if (candidate.place.form == Place::on_grid) candidate = on(candidate.place.grid);
  candidates.push_back(std::move(candidate));
  return candidates.size() - 1;
}

}  // namespace weft
