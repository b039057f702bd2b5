// model/layout_candidates: enumerates process grids, inputs and outputs.

#include "weft/model/layout_candidates.hpp"

#include <algorithm>
#include <limits>

#include "weft/model/route.hpp"

namespace weft {

namespace {

// Number of process grids above which those that divide the most axes are omitted. A choice: the
// search compares every pair of grids, and 150 grids keep it well under a second for 1000 ranks.
constexpr std::size_t most_grids = 150;
// Number of input grids that are searched one by one where the output must be distributed as the
// input. A choice: each needs a search of its own, and grids are listed with the slabs first.
constexpr std::size_t most_starts = 12;
// An input grid may give its busiest rank this much more than the most even grid does. A choice: it
// admits slabs of a number of planes that the ranks do not divide.
constexpr double uneven_start = 1.25;

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
      view{problem_.extents, problem_.batch, split_, SplitOrder::first_slow} {
  const int user_half = half_axis(problem);
  if (user_half >= 0) half = view.inner_axis(user_half);
  real = view.inner_extents();
  spectral = halved(real, half);
  axes = view.inner_axes(problem.axes.list());
  pieces = choices.placement.pieces_among(machine.ranks);
  nodes = machine.nodes();
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
  const auto& any = candidate.real ? candidate.real : candidate.spectral;
  for (int axis : search_.axes)
    if (computes && any->is_whole(axis)) candidate.whole |= search_.bit(axis);
  const auto points = [](const std::optional<Decomposition>& at) {
    return at ? static_cast<double>(at->largest_volume()) : 0;
  };
  candidate.real_points = points(candidate.real);
  candidate.spectral_points = points(candidate.spectral);
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
      if (search_.real.size() < 3) return divided <= 1;
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
    for (int a = 0; a < parts.size(); ++a) fits = fits && parts[a] <= search_.spectral[a];
    if (fits) full.push_back(parts);
  }
  for (int axis : search_.axes)
    if (std::none_of(full.begin(), full.end(), [&](const Dims& parts) { return parts[axis] == 1; }))
      return;
  if (!full.empty()) grids = std::move(full);
}

void LayoutCandidates::add_grids() {
  const int axes = search_.real.size();
  std::vector<Dims> grids = factorizations(search_.pieces, axes);
  prefer_grids_without_empty_ranks(grids);
  for (int most = 3; grids.size() > most_grids && most >= 1; --most)
    std::erase_if(grids, [&](const Dims& parts) { return divided_axes(parts) > most; });
  std::erase_if(grids, [&](const Dims& parts) { return !may_stage(parts); });
  prefer_grids_without_empty_ranks(grids);
  // The whole field on one rank: the last resort where no axis can be divided.
  if (search_.pieces > 1) grids.push_back(Dims::filled(axes, 1));
  for (const Dims& parts : grids)
    candidates.push_back(on(placed(parts, search_.choices.placement, search_.machine.ranks)));
}

Candidate LayoutCandidates::on(const ProcessGrid& grid) const {
  return {{Place::on_grid, grid},
          Decomposition::on_grid(search_.real, grid, search_.machine.ranks),
          Decomposition::on_grid(search_.spectral, grid, search_.machine.ranks)};
}

// The place of the user's input or output.
Place LayoutCandidates::end(Place::Form form, const Distribution& distribution) const {
  const bool is_free = distribution.form == Distribution::free;
  return {form, {{}, is_free ? slab_owners_ : std::vector<int>{}}};
}

// A free input starts on a process grid, so that the first pass can compute where it starts.
void LayoutCandidates::add_input() {
  const bool batch = search_.view.has_batch_axis();
  if (search_.problem.input.form == Distribution::free && !search_.split) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const auto& candidate : candidates)
      least = std::min(least, candidate.real->largest_volume());
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const auto& candidate = candidates[i];
      if (static_cast<double>(candidate.real->largest_volume()) <=
              uneven_start * static_cast<double>(least) &&
          !(batch && candidate.place.grid.parts[0] > 1))
        starts.push_back(i);
    }
    if (starts.size() > most_starts && search_.problem.output.form == Distribution::same)
      starts.resize(most_starts);
    if (!starts.empty()) return;
  }
  const auto user = starting_input(search_.problem, search_.machine.ranks, slab_owners_);
  Candidate candidate{end(Place::input, search_.problem.input), search_.view.inner(user), {}};
  if (candidate.real->grid()) candidate.place = {Place::on_grid, *candidate.real->grid()};
  if (search_.half < 0 || candidate.real->is_whole(search_.half))
    candidate.spectral = unmoved(*candidate.real, search_.spectral, search_.half);
  starts.push_back(find_or_add(std::move(candidate)));
}

void LayoutCandidates::add_output() {
  if (search_.problem.output.form == Distribution::free && !search_.split) return;
  if (search_.problem.output.form == Distribution::same && starts_on_grids())
    return;  // differs per start
  const Extents extents = halved(search_.problem.extents, half_axis(search_.problem));
  const View view{extents, search_.problem.batch, search_.split, SplitOrder::first_fast};
  const int ranks = search_.machine.ranks;
  const auto user = required_output(
      search_.problem, starting_input(search_.problem, ranks, slab_owners_), ranks, slab_owners_);
  Candidate candidate{end(Place::output, search_.problem.output), {}, view.inner(user)};
  if (candidate.spectral->grid()) candidate.place = {Place::on_grid, *candidate.spectral->grid()};
  if (search_.half < 0) candidate.real = candidate.spectral;
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
            : !search_.split && candidate.spectral && candidates[i].place.form != Place::on_grid &&
                  candidates[i].spectral == candidate.spectral)
      return i;
  if (candidate.place.form == Place::on_grid) candidate = on(candidate.place.grid);
  candidates.push_back(std::move(candidate));
  return candidates.size() - 1;
}

}  // namespace weft
