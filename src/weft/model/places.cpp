// model/places: enumerating process grids, inputs and outputs.

#include "weft/model/places.hpp"

#include <algorithm>
#include <limits>

#include "weft/model/route.hpp"

namespace weft {

namespace {

// Beyond this many process grids those that divide many axes are left out.
constexpr std::size_t most_grids = 150;
// Input grids tried one by one where the output must lie as the input does.
constexpr std::size_t most_starts = 12;

int divided_axes(const Dims& parts) {
  return static_cast<int>(std::count_if(parts.begin(), parts.end(), [](auto p) { return p > 1; }));
}

Dims without_ones(const Dims& parts) {
  Dims rest;
  for (auto part : parts)
    if (part > 1) rest.push_back(part);
  return rest;
}

}  // namespace

Subject::Subject(const Problem& problem_, const Machine& machine_, const Choices& choices_,
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
  for (int axis : problem.axes) {
    axes.push_back(view.inner_axis(axis));
    if (split && axis == split->axis) axes.push_back(axes.back() + 1);
  }
  std::sort(axes.begin(), axes.end());
  pieces = choices.placement.pieces_among(machine.ranks);
}

Places::Places(const Subject& subject)
    : subject_(subject),
      slab_owners_(slab_owners(subject.problem.extents.size(), subject.choices.placement,
                               subject.machine.ranks)) {
  add_grids();
  const std::size_t grids = candidates.size();
  add_input();
  add_output();
  // Where the user says where pieces are computed, it is not done where the ends happen to lie.
  for (std::size_t i = 0; i < candidates.size(); ++i)
    measure(candidates[i], i < grids || !subject_.choices.placement.is_given());
}

void Places::measure(Candidate& candidate, bool computes) const {
  const auto& any = candidate.real ? candidate.real : candidate.spectral;
  for (int axis : subject_.axes)
    if (computes && any->is_whole(axis)) candidate.whole |= subject_.bit(axis);
  const auto points = [](const std::optional<Decomposition>& at) {
    return at ? static_cast<double>(at->largest_volume()) : 0;
  };
  candidate.real_points = points(candidate.real);
  candidate.spectral_points = points(candidate.spectral);
}

bool Places::may_stage(const Dims& parts) const {
  const int divided = divided_axes(parts);
  if (!subject_.choices.grid.empty() && subject_.choices.form != Distribution::brick &&
      without_ones(parts) != without_ones(subject_.choices.grid))
    return false;
  switch (subject_.choices.form) {
    case Distribution::slab:
      return divided <= 1;
    case Distribution::pencil: {
      // A prime number of ranks, or a field of two axes, has no pencils beside slabs.
      if (subject_.real.size() < 3) return divided <= 1;
      if (!subject_.choices.grid.empty()) return true;
      const Dims balanced =
          balanced_factorization(subject_.pieces, Dims::filled(2, std::int64_t{1} << 40), {0, 1});
      Dims mine = without_ones(parts), wanted = without_ones(balanced);
      std::sort(mine.begin(), mine.end());
      std::sort(wanted.begin(), wanted.end());
      return mine == wanted;
    }
    default:
      return true;
  }
}

// Grids that feed every rank are enough if each axis is whole in one of them.
void Places::prefer_grids_without_empty_ranks(std::vector<Dims>& grids) const {
  std::vector<Dims> full;
  for (const Dims& parts : grids) {
    bool fits = true;
    for (int a = 0; a < parts.size(); ++a) fits = fits && parts[a] <= subject_.spectral[a];
    if (fits) full.push_back(parts);
  }
  for (int axis : subject_.axes)
    if (std::none_of(full.begin(), full.end(), [&](const Dims& parts) { return parts[axis] == 1; }))
      return;
  if (!full.empty()) grids = std::move(full);
}

void Places::add_grids() {
  const int axes = subject_.real.size();
  std::vector<Dims> grids = factorizations(subject_.pieces, axes);
  prefer_grids_without_empty_ranks(grids);
  for (int most = 3; grids.size() > most_grids && most >= 1; --most)
    std::erase_if(grids, [&](const Dims& parts) { return divided_axes(parts) > most; });
  std::erase_if(grids, [&](const Dims& parts) { return !may_stage(parts); });
  prefer_grids_without_empty_ranks(grids);
  // Everything on one rank: the last resort where no axis can be divided.
  if (subject_.pieces > 1) grids.push_back(Dims::filled(axes, 1));
  for (const Dims& parts : grids)
    candidates.push_back(on(placed(parts, subject_.choices.placement, subject_.machine.ranks)));
}

Candidate Places::on(const ProcessGrid& grid) const {
  return {{Place::on_grid, grid},
          Decomposition::on_grid(subject_.real, grid, subject_.machine.ranks),
          Decomposition::on_grid(subject_.spectral, grid, subject_.machine.ranks)};
}

// Where the user's data start or end.
Place Places::end(Place::Form form, const Distribution& said) const {
  const bool is_free = said.form == Distribution::free;
  return {form, {{}, is_free ? slab_owners_ : std::vector<int>{}}};
}

// The input lies on a process grid if it may: then the stages meet it as one of theirs.
void Places::add_input() {
  const bool batch = subject_.view.has_batch_axis();
  if (subject_.problem.input.form == Distribution::free && !subject_.split) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const auto& candidate : candidates)
      least = std::min(least, candidate.real->largest_volume());
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const auto& candidate = candidates[i];
      // A quarter more than the most even one is even enough.
      if (candidate.real->largest_volume() * 4 <= least * 5 &&
          !(batch && candidate.place.grid.parts[0] > 1))
        starts.push_back(i);
    }
    if (starts.size() > most_starts && subject_.problem.output.form == Distribution::same)
      starts.resize(most_starts);
    if (!starts.empty()) return;
  }
  const auto user = starting_input(subject_.problem, subject_.machine.ranks, slab_owners_);
  Candidate candidate{end(Place::input, subject_.problem.input), subject_.view.inner(user), {}};
  if (candidate.real->grid()) candidate.place = {Place::on_grid, *candidate.real->grid()};
  if (subject_.half < 0 || candidate.real->is_whole(subject_.half))
    candidate.spectral = unmoved(*candidate.real, subject_.spectral, subject_.half);
  starts.push_back(find_or_add(std::move(candidate)));
}

void Places::add_output() {
  if (subject_.problem.output.form == Distribution::free && !subject_.split) return;
  if (subject_.problem.output.form == Distribution::same && starts_on_grids()) return;  // per start
  const Extents extents = halved(subject_.problem.extents, half_axis(subject_.problem));
  const View view{extents, subject_.problem.batch, subject_.split, SplitOrder::first_fast};
  const int ranks = subject_.machine.ranks;
  const auto user = required_output(
      subject_.problem, starting_input(subject_.problem, ranks, slab_owners_), ranks, slab_owners_);
  Candidate candidate{end(Place::output, subject_.problem.output), {}, view.inner(user)};
  if (candidate.spectral->grid()) candidate.place = {Place::on_grid, *candidate.spectral->grid()};
  if (subject_.half < 0) candidate.real = candidate.spectral;
  output = find_or_add(std::move(candidate));
}

bool Places::starts_on_grids() const {
  return std::all_of(starts.begin(), starts.end(), [&](std::size_t start) {
    return candidates[start].place.form == Place::on_grid;
  });
}

std::size_t Places::find_or_add(Candidate candidate) {
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if (candidate.place.form == Place::on_grid
            ? candidates[i].place == candidate.place
            : !subject_.split && candidate.spectral && candidates[i].place.form != Place::on_grid &&
                  candidates[i].spectral == candidate.spectral)
      return i;
  if (candidate.place.form == Place::on_grid) candidate = on(candidate.place.grid);
  candidates.push_back(std::move(candidate));
  return candidates.size() - 1;
}

}  // namespace weft
