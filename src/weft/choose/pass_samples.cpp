// choose/pass_samples: makes samples, and changes what their passes do.

#include "weft/choose/pass_samples.hpp"

#include <algorithm>

#include "weft/making/maker.hpp"

namespace weft {

namespace {

// A sample loads as much as this. A choice: walking it takes some milliseconds.
constexpr std::int64_t sample_bytes = std::int64_t{8} << 20;
// Where grains are large, it loads more, up to this for each thread, so that each has so many: of a
// thread's last two, and the first one, none is prefetched (compute/grain_share). When time is
// short, it has the fewest.
constexpr std::int64_t most_bytes_of_a_thread = 2 * sample_bytes;
constexpr std::int64_t usual_grains = 8, fewest_grains = 5;

// What a sweep loads.
std::int64_t loaded_bytes(const SweepProgram& sweep) {
  const PassProgram& pass = sweep.passes.front();
  std::int64_t points = 0;
  for (const Tile& tile : pass.tiles)
    points += (pass.spec.forward ? tile.real : tile.spectral).volume();
  return points * pass.spec.source_scalar().bytes();
}

}  // namespace

PassSamples::PassSamples(const Blueprint& blueprint, int rank)
    : blueprint_(blueprint),
      threads_(blueprint.machine.threads(rank)),
      strategy_(blueprint.strategy),
      of_stage_(strategy_.stages.size()) {
  for (const bool is_forward : {true, false}) add_direction(is_forward, rank);
}

void PassSamples::add_direction(bool is_forward, int rank) {
  for (const SweepProgram& sweep : make_program(blueprint_, is_forward, rank).sweeps) {
    samples_.push_back(sample_of(sweep, bytes_for(sweep, sample_bytes, usual_grains),
                                 blueprint_.problem.in_place));
    for (std::size_t p = 0; p < sweep.passes.size(); ++p) {
      const PassSpec& spec = sweep.passes[p].spec;
      if (spec.stage < 0) continue;
      of_stage_[static_cast<std::size_t>(spec.stage)].push_back(
          {samples_.size() - 1, p, walk_rule(spec)});
    }
  }
}

bool PassSamples::has_choice(std::size_t stage) const {
  return std::holds_alternative<PassStage>(strategy_.stages[stage]) && !pass(stage).axes.empty() &&
         !pass(stage).choice.is_whole.value_or(false);
}

void PassSamples::set(std::size_t stage, const PassChoice& choice) {
  std::get<PassStage>(strategy_.stages[stage]).choice = choice;
  for (const StageSample& at : of_stage_[stage]) {
    PassSpec& spec = samples_[at.sample].sweep.passes[at.pass].spec;
    spec.engines = choice.engines;
    spec.keeps_columns = choice.keeps_columns;
    spec.prefetches = choice.prefetches.value_or(at.rule.prefetches);
    // What the rule says of a sample, whose rows may lie closer, is not what it says of the pass.
    spec.loads_directly = at.rule.loads_directly;
    spec.stores_directly = at.rule.stores_directly;
    if (at.rule.tries_loads && choice.loads_directly) spec.loads_directly = choice.loads_directly;
    if (at.rule.tries_stores && choice.stores_directly)
      spec.stores_directly = choice.stores_directly;
  }
}

bool PassSamples::has_columns(std::size_t stage) const {
  const int last = pass(stage).axes.back();
  const StageSample& at = of_stage_[stage].front();
  const int run_axis = samples_[at.sample].sweep.passes[at.pass].spec.limits.run_axis;
  const int innermost = blueprint_.route.before[0].extents().size() - 1;
  return last != (run_axis >= 0 ? run_axis : innermost) && points_along(last) > 1;
}

std::int64_t PassSamples::points_along(int axis) const {
  const KeptLine& kept = blueprint_.route.states.kept(axis);
  return kept.is_all() ? blueprint_.route.before[0].extents()[axis] : kept.points;
}

Basis PassSamples::basis(int axis) const {
  return basis_of(blueprint_.problem, blueprint_.route.input_view().user_axis(axis));
}

double PassSamples::seconds_of_grains() const {
  const double speed = blueprint_.machine.speeds.walked_bytes_per_second;
  double bytes = 0;
  for (const Sample& sample : samples_)
    if (!sample.sweep.order.empty())
      bytes += 2.0 * static_cast<double>(loaded_bytes(sample.sweep)) /
               static_cast<double>(sample.sweep.order.size());
  return speed > 0 ? bytes / speed : 0;
}

void PassSamples::shrink(double part) {
  const std::int64_t least = blueprint_.machine.cache_bytes * threads_;
  for (Sample& sample : samples_) {
    const double bytes = static_cast<double>(loaded_bytes(sample.sweep)) * part;
    sample = sample_of(
        sample.sweep,
        bytes_for(sample.sweep, std::max(static_cast<std::int64_t>(bytes), least), fewest_grains));
  }
}

// What a sample is to load: `bytes`, or more if threads then have fewer than so many grains.
std::int64_t PassSamples::bytes_for(const SweepProgram& sweep, std::int64_t bytes,
                                    std::int64_t grains) const {
  if (sweep.order.empty()) return bytes;
  const std::int64_t of_grain = loaded_bytes(sweep) / std::ssize(sweep.order);
  return std::max(bytes, threads_ * std::min(most_bytes_of_a_thread, grains * of_grain));
}

}  // namespace weft
