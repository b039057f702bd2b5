// run/binder: passes, those that are walked together, and their kernels.

#include <algorithm>

#include "weft/comm/agreement.hpp"
#include "weft/grid/split.hpp"
#include "weft/run/binder.hpp"

namespace weft {

namespace {

// Targets beyond this do not stay in the caches until they are read again.
constexpr std::int64_t streaming_bytes = std::int64_t{8} << 20;
// Tiles are not cut into rows shorter than this for the sake of message bounds.
constexpr std::int64_t least_cut_bytes = 256;

}  // namespace

// The passes from `first` to `last` walked block by block: the blocks of each of this rank's boxes.
// Nothing where a block would not stay in the cache.
std::optional<std::vector<Blocks>> Binder::blocks_of(std::size_t first, std::size_t last) const {
  std::vector<int> axes;
  for (std::size_t i = first; i <= last; ++i) {
    const auto& more = std::get<PassStage>(tasks_[i].stage).axes;
    axes.insert(axes.end(), more.begin(), more.end());
  }
  const auto& boxes = before(first).boxes(rank_);
  std::vector<Blocks> all;
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    std::vector<TileRanges> tilings;
    for (std::size_t i = first; i <= last; ++i) {
      const Task& task = tasks_[i];
      tilings.push_back(tile_ranges(task.real->boxes(rank_)[b],
                                    std::get<PassStage>(task.stage).axes, tile_limits(i),
                                    cuts_of(i)));
    }
    all.push_back(blocks_around(boxes[b], axes, tilings));
    // What is read on the way passes through the same cache, so a block may have half of it.
    const std::int64_t bytes =
        all.back().points() * tasks_[first].spectral_scalar.bytes() * blueprint_.threads;
    if (bytes > blueprint_.machine.shared_cache_bytes / 2) return std::nullopt;
  }
  return all;
}

// Passes that work in place on what the pass before stored are taken together, as many as have
// blocks that fit the shared cache - on all ranks, so that all have the same steps.
void Binder::group_passes() {
  const Communicator& comm = *blueprint_.comm;
  std::size_t first = 0;
  for (std::size_t i = 1; i < tasks_.size(); ++i) {
    const bool may_join =
        is_pass(i) && is_pass(i - 1) && !std::get<PassStage>(tasks_[i].stage).axes.empty();
    if (may_join) {
      const bool fits =
          together(comm, [&] { return works_in_place_[i] && blocks_of(first, i).has_value(); });
      joins_next_[i - 1] = comm.min(std::int64_t{fits}) > 0;
    }
    if (!joins_next_[i - 1]) first = i;
  }
}

// Where tiles are not to cross: the bounds of the messages that they store to, and those of the
// parts that exchanges are cut into.
std::vector<std::vector<std::int64_t>> Binder::cuts_of(std::size_t step) const {
  const Decomposition& here = *tasks_[step].real;
  std::vector<std::vector<std::int64_t>> cuts(static_cast<std::size_t>(here.extents().size()));
  const auto add = [&](int axis, const std::vector<std::int64_t>& positions) {
    auto& along = cuts[static_cast<std::size_t>(axis)];
    along.insert(along.end(), positions.begin(), positions.end());
    std::sort(along.begin(), along.end());
    along.erase(std::unique(along.begin(), along.end()), along.end());
  };
  const auto add_parts = [&](int axis, int parts) {
    if (overlaps_ && parts > 1) add(axis, cut_positions(here.boxes(rank_), axis, parts));
  };
  if (step > 0 && !is_pass(step - 1)) {
    const Cutting& cutting = tasks_[step - 1].cutting;
    add_parts(cutting.target_axis, cutting.target_parts);
  }
  if (step + 1 >= tasks_.size() || is_pass(step + 1)) return cuts;
  const Cutting& cutting = tasks_[step + 1].cutting;
  add_parts(cutting.source_axis, cutting.source_parts);
  const Decomposition& next = after(step + 1);
  if (!next.grid()) return cuts;
  const std::int64_t element = scalar_after(step).bytes();
  for (int a = 0; a < here.extents().size(); ++a) {
    const std::int64_t n = next.extents()[a], parts = next.grid()->parts[a];
    const bool is_row = a + 1 == here.extents().size();
    if (a == half_axis_ || (is_row && n / parts * element < least_cut_bytes)) continue;
    std::vector<std::int64_t> positions;
    for (std::int64_t i = 1; i < parts; ++i) positions.push_back(split(n, parts, i).lo);
    add(a, positions);
  }
  return cuts;
}

TileLimits Binder::tile_limits(std::size_t step) const {
  const std::int64_t element = tasks_[step].spectral_scalar.bytes();
  return {blueprint_.machine.cache_bytes / 4 / element, 128 / element};
}

PassSpec Binder::pass_spec(std::size_t step) const {
  const Task& task = tasks_[step];
  PassSpec spec;
  spec.engine = &engine_;
  spec.real_boxes = task.real->boxes(rank_);
  spec.spectral_boxes = task.spectral->boxes(rank_);
  spec.axes = std::get<PassStage>(task.stage).axes;
  spec.forward = forward_;
  spec.real_scalar = task.real_scalar;
  spec.spectral_scalar = task.spectral_scalar;
  if (task.real_scalar != task.spectral_scalar) spec.half_axis = half_axis_;
  if (const auto& split = blueprint_.strategy.split) {
    const int axis = blueprint_.route.input_view.inner_axis(split->axis);
    if (std::find(spec.axes.begin(), spec.axes.end(), axis) != spec.axes.end())
      spec.twiddle = SplitTwiddle{axis, split->first * split->second};
  }
  spec.source = pass_sources_[step];
  spec.target = pass_targets_[step];
  const auto messages = [&](std::size_t neighbour, auto count) {
    return neighbour < tasks_.size() && !is_pass(neighbour)
               ? ((*program_.steps_[neighbour].exchange).*count)()
               : 0;
  };
  spec.source_messages = step > 0 ? messages(step - 1, &Exchange::incoming_messages) : 0;
  spec.target_messages = messages(step + 1, &Exchange::outgoing_messages);
  spec.limits = tile_limits(step);
  spec.cuts = cuts_of(step);
  // What is in the cache already, or is looked for there by the next pass, does not bypass it.
  const bool is_cached = joins_next_[step] || (step > 0 && joins_next_[step - 1]);
  spec.streaming =
      !is_cached && task.spectral->volume(rank_) * task.spectral_scalar.bytes() > streaming_bytes;
  return spec;
}

void Binder::make_passes() {
  std::size_t last_transform = tasks_.size();
  for (std::size_t i = 0; i < tasks_.size(); ++i)
    if (is_pass(i) && !std::get<PassStage>(tasks_[i].stage).axes.empty()) last_transform = i;
  double points = 1;
  for (int axis : blueprint_.problem.axes)
    points *= static_cast<double>(blueprint_.problem.extents[axis]);
  int passes = 0, exchanges = 0;
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    auto& step = program_.steps_[i];
    if (!is_pass(i)) {
      Program::StepReport report{
          fmt::format("exchange {}: {}", exchanges++, to_string(tasks_[i].stage)), true};
      for (const auto& sent : step.exchange->sent()) {
        report.bytes += sent.bytes;
        if (blueprint_.machine.node(sent.peer) == blueprint_.machine.node(rank_)) continue;
        ++report.messages;
        report.message_bytes += sent.bytes;
      }
      report.segments = step.exchange->segments();
      program_.reports_.push_back(report);
      continue;
    }
    std::size_t last = i;
    while (joins_next_[last]) ++last;
    std::optional<std::vector<Blocks>> blocks;
    if (last > i) blocks = blocks_of(i, last);
    std::vector<Pass> together_run;
    std::vector<std::string> names;
    for (std::size_t k = i; k <= last; ++k) {
      PassSpec spec = pass_spec(k);
      if (k == last_transform) spec.factor = norm_factor(blueprint_.problem.norm, points, forward_);
      if (blocks) spec.blocks = *blocks;
      for (std::size_t at : {i, last}) {
        use(spec.source, at);
        use(spec.target, at);
      }
      names.push_back(fmt::format("{}", fmt::join(spec.axes, ",")));
      together_run.emplace_back(std::move(spec));
    }
    const std::string what =
        names.front().empty() ? "copy" : fmt::format("axes {}", fmt::join(names, " then "));
    program_.reports_.push_back({fmt::format("pass {}: {}", passes++, what), false});
    // Each part of what leaves is computed by itself, the first of them soon.
    const int parts =
        overlaps_ && last + 1 < tasks_.size() ? tasks_[last + 1].cutting.source_parts : 1;
    std::vector<Feeds> feeds;
    if (const int messages = together_run.back().target_messages(); messages > 0)
      feeds = feeds_of_messages(pass_targets_[last], messages, after(last + 1), blueprint_.machine,
                                rank_);
    step.sweep = std::make_unique<Sweep>(std::move(together_run), blueprint_.threads, parts,
                                         std::move(feeds));
    i = last;
  }
  make_kernels();
}

// Passes run one after the other, so each thread has one tile for all of them.
void Binder::make_kernels() {
  std::int64_t group_bytes = 0, tile_bytes = 0;
  for (const auto& step : program_.steps_) {
    if (!step.sweep) continue;
    for (const Pass& pass : step.sweep->passes()) {
      group_bytes = std::max(group_bytes, pass.group_bytes());
      tile_bytes = std::max(tile_bytes, pass.tile_bytes());
    }
  }
  program_.tiles_ = tile_memory(blueprint_.threads, group_bytes, tile_bytes);
  for (auto& step : program_.steps_)
    if (step.sweep)
      for (Pass& pass : step.sweep->passes())
        pass.make_kernels(program_.tiles_, engine_, blueprint_.effort);
}

}  // namespace weft
