// support/random_problem: see the header.
#include "support/random_problem.hpp"

namespace weft::test {

Distribution random_distribution(Dice& dice, const Extents& extents, int ranks,
                                 std::vector<Distribution::Form> forms) {
  Distribution distribution;
  distribution.form = dice.pick(forms);
  if (distribution.form == Distribution::boxes)
    distribution = Distribution::of_boxes(random_tiling(dice, extents, ranks));
  return distribution;
}

Placement random_placement(int pieces, int ranks, std::uint64_t seed) {
  return {pieces, [=](const Dims& grid, const Dims& piece) {
            std::uint64_t mixed = seed;
            for (auto n : grid) mixed = mixed * 31 + static_cast<std::uint64_t>(n);
            for (auto n : piece) mixed = mixed * 37 + static_cast<std::uint64_t>(n);
            return static_cast<int>(Dice(mixed).between(0, ranks - 1));
          }};
}

namespace {

// A basis for each axis; where none is Fourier, the problem is real to real, or complex to complex.
void add_bases(Dice& dice, Problem& problem) {
  const Problem known = validated(problem);
  problem.bases.assign(static_cast<std::size_t>(problem.extents.size()), Basis::fourier);
  bool has_fourier = false;
  for (const int axis : known.axes) {
    auto basis = static_cast<Basis>(dice.between(0, static_cast<int>(Basis::chebyshev_gauss)));
    if (problem.extents[axis] < least_points(basis) || dice.chance(30)) basis = Basis::fourier;
    problem.bases[static_cast<std::size_t>(axis)] = basis;
    has_fourier = has_fourier || basis == Basis::fourier;
  }
  if (!has_fourier) problem.kind = dice.chance(30) ? Kind::c2c : Kind::r2r;
}

// Fewer modes than points along some axes, and a support within the grid.
void add_pruning(Dice& dice, Problem& problem) {
  const Problem known = validated(problem);
  problem.modes = problem.extents;
  problem.support = Box::whole(problem.extents);
  for (const int axis : known.axes) {
    const std::int64_t n = problem.extents[axis];
    if (dice.chance(60)) problem.modes[axis] = dice.between(1, n);
    if (!dice.chance(40)) continue;
    const std::int64_t lo = dice.between(0, n - 1);
    problem.support.set(axis, {lo, dice.between(lo + 1, n)});
  }
}

}  // namespace

Distribution scattered(Dice& dice, const Distribution& boxes, std::int64_t batch) {
  std::vector<UserArray> arrays;
  for (const auto& mine : boxes.boxes_of_rank()) {
    UserArray& array = arrays.emplace_back();
    std::int64_t end = dice.between(0, 3);
    for (const Box& box : mine) {
      std::vector<int> order;
      for (int a = 0; a < box.axes(); ++a) order.push_back(a);
      dice.shuffle(order);
      Layout layout{box.extents(), Dims::filled(box.axes(), 1)};
      std::int64_t stride = dice.between(1, 2);
      for (const int a : order) {
        layout.strides[a] = stride;
        stride *= std::max<std::int64_t>(1, box.extent(a)) + dice.between(0, 1);
      }
      array.layouts.push_back(layout);
      array.offsets.push_back(end);
      end += stride;
    }
    array.field_stride = end + dice.between(0, 2);
    array.elements = batch * array.field_stride;
  }
  Distribution made = boxes.gathered(boxes.boxes_of_rank(), std::move(arrays));
  if (dice.chance(50)) made.storage.order = order_in(made.arrays_of_rank());
  return made;
}

Problem problem_of(const RandomCase& random) {
  return with_columns(as_r2c(validated(random.problem)), random.ranks);
}

namespace {

// A grid of three axes of which the waves in a sphere are kept, or some waves whose columns are on
// any ranks.
void add_cutoff(Dice& dice, RandomCase& random) {
  Problem& problem = random.problem;
  problem.extents = {};
  for (int a = 0; a < 3; ++a) problem.extents.push_back(dice.between(1, 14));
  std::vector<int> axes{0, 1, 2};
  if (dice.chance(40)) dice.shuffle(axes);
  problem.axes = axes;
  problem.bases.clear();
  problem.modes = {};
  problem.support = {};
  if (dice.chance(25)) {
    problem.support = Box::whole(problem.extents);
    for (int a = 0; a < 3; ++a) {
      const std::int64_t lo = dice.between(0, problem.extents[a] - 1);
      problem.support.set(a, {lo, dice.between(lo + 1, problem.extents[a])});
    }
  }
  problem.in_place = false;
  if (problem.kind == Kind::r2r) problem.kind = Kind::c2c;
  const bool is_c2r = problem.kind == Kind::c2r;
  const auto order = (is_c2r ? problem.output : problem.input).storage.order;
  const Distribution real =
      random_distribution(dice, real_extents(problem), random.ranks,
                          {Distribution::free, Distribution::slab, Distribution::pencil,
                           Distribution::brick, Distribution::boxes});
  (is_c2r ? problem.output : problem.input) = real;
  (is_c2r ? problem.input : problem.output) = {};
  Storage& storage = (is_c2r ? problem.output : problem.input).storage;
  if (order.size() == 3) storage.order = order;
  if (dice.chance(20))
    storage.before = {dice.between(0, 2), dice.between(0, 2), dice.between(0, 2)};
  const int half = is_c2r || problem.kind == Kind::r2c ? axes.back() : -1;
  int column = static_cast<int>(dice.between(0, 2));
  if (column == half) column = (column + 1) % 3;
  const auto most = [&](int axis) {
    return static_cast<std::int32_t>((problem.extents[axis] - 1) / 2);
  };
  if (dice.chance(50)) {
    const std::int32_t least = std::min({most(0), most(1), most(2)});
    problem.cutoff = Cutoff::sphere(static_cast<double>(dice.between(0, 100 * least + 99)) / 100);
    if (dice.chance(30)) {
      ReciprocalVectors vectors{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
      for (auto& vector : vectors)
        for (double& number : vector) number += static_cast<double>(dice.between(-20, 20)) / 100;
      problem.cutoff = Cutoff::sphere(0.4 * problem.cutoff.radius(), vectors);
    }
    if (dice.chance(50))
      problem.cutoff = problem.cutoff.along(dice.chance(50) ? column : column - 3);
    return;
  }
  const int share = static_cast<int>(dice.between(1, 100));
  const int outer = 3 - column - half;
  std::vector<std::vector<Wave>> lists(static_cast<std::size_t>(random.ranks));
  std::map<std::pair<int, int>, std::size_t> owners;
  Wave wave{};
  const auto number = [&](int axis) { return wave[static_cast<std::size_t>(axis)]; };
  for (wave[0] = -most(0); wave[0] <= most(0); ++wave[0])
    for (wave[1] = -most(1); wave[1] <= most(1); ++wave[1])
      for (wave[2] = -most(2); wave[2] <= most(2); ++wave[2]) {
        const bool is_half_sphere = half < 0 || std::tuple(number(half), number(outer),
                                                           number(column)) >= std::tuple(0, 0, 0);
        if (!is_half_sphere || !dice.chance(share)) continue;
        const std::pair place{number((column + 1) % 3), number((column + 2) % 3)};
        const auto owner =
            owners.try_emplace(place, static_cast<std::size_t>(dice.between(0, random.ranks - 1)));
        lists[owner.first->second].push_back(wave);
      }
  if (owners.empty()) lists.front().push_back({0, 0, 0});
  for (auto& list : lists) dice.shuffle(list);
  problem.cutoff = Cutoff::of_waves(lists).along(column);
}

}  // namespace

Storage random_storage(Dice& dice, int axes) {
  Storage storage;
  if (dice.chance(50)) {
    for (int a = 0; a < axes; ++a) storage.order.push_back(a);
    dice.shuffle(storage.order);
  }
  for (Dims* const ghosts : {&storage.before, &storage.after})
    if (dice.chance(40))
      for (int a = 0; a < axes; ++a) ghosts->push_back(dice.between(0, 2));
  storage.interleaves_batch = dice.chance(30);
  return storage;
}

RandomCase random_case(std::uint64_t seed, int most_ranks) {
  Dice dice(seed);
  RandomCase random;
  random.ranks = static_cast<int>(dice.between(1, most_ranks));
  Problem& problem = random.problem;
  problem.batch = dice.chance(25) ? dice.between(2, 4) : 1;
  problem.extents = random_extents(dice, 3000 / problem.batch);
  problem.kind = dice.pick<Kind>({Kind::c2c, Kind::r2c, Kind::c2r});
  problem.precision =
      dice.pick<Precision>({Precision::single_precision, Precision::double_precision});
  problem.norm = dice.pick<Norm>({Norm::backward, Norm::ortho, Norm::forward, Norm::none});
  problem.in_place = dice.chance(30);
  if (dice.chance(60)) {
    std::vector<int> axes;
    for (int a = 0; a < problem.extents.size(); ++a)
      if (dice.chance(60)) axes.push_back(dice.chance(20) ? a - problem.extents.size() : a);
    dice.shuffle(axes);
    if (axes.empty() && problem.kind != Kind::c2c)
      axes.push_back(static_cast<int>(dice.between(0, problem.extents.size() - 1)));
    problem.axes = std::move(axes);
  }
  // Bases have dice of their own, so that a seed draws everything else as it did before there were
  // bases.
  if (Dice bases(~seed); bases.chance(30)) add_bases(bases, problem);
  if (Dice pruning(seed ^ 0x5bd1e995U); pruning.chance(25)) add_pruning(pruning, problem);
  using D = Distribution;
  const Problem known = validated(problem);
  problem.input = random_distribution(dice, input_extents(known), random.ranks,
                                      {D::free, D::slab, D::pencil, D::brick, D::boxes});
  std::vector<D::Form> outputs{D::free, D::same, D::slab, D::pencil, D::brick, D::boxes};
  // The output must fit into the input's boxes.
  bool fits = problem.kind != Kind::c2r;
  for (int a = 0; a < problem.extents.size(); ++a)
    fits = fits && output_extents(known)[a] <= input_extents(known)[a];
  if (!fits && problem.input.form == D::boxes) std::erase(outputs, D::same);
  problem.output = random_distribution(dice, output_extents(known), random.ranks, outputs);

  if (Dice storage(seed * 7919 + 13); storage.chance(25)) {
    if (storage.chance(70)) problem.input.storage = random_storage(storage, problem.extents.size());
    if (storage.chance(70))
      problem.output.storage = random_storage(storage, problem.extents.size());
    if (storage.chance(40)) {
      const auto order = problem.input.storage.order;
      if (storage.chance(30)) {
        problem.input = Distribution();
        problem.output = Distribution(D::same);
      }
      problem.input.storage.order = problem.output.storage.order = order;
    }
  }

  if (Dice strides(seed * 15485863 + 5); strides.chance(50))
    for (Distribution* const side : {&problem.input, &problem.output})
      if (side->form == D::boxes && side->storage == Storage() && strides.chance(50))
        *side = scattered(strides, *side, problem.batch);

  if (Dice cutoff(seed * 104729 + 7); cutoff.chance(12)) add_cutoff(cutoff, random);

  std::vector<std::string> names{""}, engine_names{""};
  for (const auto& row : exchanges()) names.push_back(row.name);
  for (const auto& row : engines())
    if (!row.applies()) engine_names.push_back(row.name);
  random.options.exchange = dice.pick(names);
  random.options.engine = dice.pick(engine_names);
  random.options.decomposition =
      dice.pick<D::Form>({D::free, D::free, D::slab, D::pencil, D::brick});
  random.options.effort = Effort::estimate;  // twelve ranks on a laptop's cores
  // Pretended nodes, even and uneven; `shared` needs all ranks in one.
  for (auto nodes = dice.between(0, 3); nodes > 0 && random.options.exchange != "shared"; --nodes)
    random.options.pretend.node_sizes.push_back(static_cast<int>(dice.between(1, 4)));
  random.options.threads = static_cast<int>(dice.between(1, 3));
  // With the true one, a tile would hold every field of this size.
  random.options.chunks = dice.pick<int>({0, 0, 1, 2, 3, 4, 6, 8, 16});
  random.options.in_flight = static_cast<int>(dice.between(1, 2));
  random.options.progress = dice.pick<Progress>({Progress::by_calls, Progress::by_tiles});
  random.options.pretend.cache_bytes = dice.pick<std::int64_t>({0, 2048, 16384});
  if (dice.chance(20)) {
    const int pieces = static_cast<int>(dice.between(0, 2 * random.ranks));
    random.options.placement = random_placement(pieces, random.ranks, seed);
  } else if (dice.chance(20)) {
    random.options.ranks = static_cast<int>(dice.between(1, random.ranks));
  }
  // A strategy that is demanded does not say who has the waves of a sphere.
  if (problem.cutoff.form() == Cutoff::Form::sphere) {
    random.options.placement = {};
    random.options.ranks = 0;
  }
  random.options.pretend.shared_cache_bytes = dice.pick<std::int64_t>({0, 0, 4096, 65536, 8 << 20});
  random.options.pretend.eager_message_bytes = dice.pick<std::int64_t>({0, 0, 1, 512});
  random.options.segment_bytes = dice.pick<std::int64_t>({0, 0, 1, 256, 2048});
  return random;
}

}  // namespace weft::test
