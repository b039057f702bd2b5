// making/maker: drafts the memory of a node's ranks, then makes steps, sweeps and tasks.

#include "weft/making/maker.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

#include "weft/making/draft.hpp"
#include "weft/making/feeds.hpp"
#include "weft/making/pass_tiling.hpp"
#include "weft/making/sweep_items.hpp"
#include "weft/making/task_list.hpp"
#include "weft/making/whole_pass.hpp"
#include "weft/problem/line_transform.hpp"

namespace weft {

namespace {

// Facts that are the same for all ranks of a node.
struct NodeFacts {
  bool shares_source = false, shares_target = false;
  std::size_t first_step_on_others = 0;
};

class Maker {
 public:
  Maker(const StepPlan& plan, const Draft& draft, const NodeFacts& facts)
      : plan_(plan), tiling_(plan), draft_(draft), facts_(facts) {}

  Program make() {
    program_.rank = draft_.rank();
    program_.buffers = draft_.buffers();
    program_.workspace_bytes = draft_.workspace_bytes();
    program_.shares_source = facts_.shares_source;
    program_.shares_target = facts_.shares_target;
    const Machine& machine = plan_.blueprint().machine;
    program_.may_group = machine.has_devices && machine.tile_bytes == 0;
    find_normalizing_pass();
    std::vector<StepSource> sources;
    for (std::size_t i = 0; i < plan_.size(); ++i) {
      std::size_t last = i;
      while (plan_[last].joins_next) ++last;
      if (plan_.is_pass(i))
        add_sweep(i, last);
      else
        add_exchange(i);
      sources.push_back({i, plan_.is_pass(i) ? nullptr : &draft_.layout(i)});
      i = last;
    }
    write_tasks(ProgramSteps(plan_, std::move(sources), draft_.rank()), facts_.first_step_on_others,
                program_);
    return std::move(program_);
  }

 private:
  // One pass applies the factor of the norm, and the scale of a run: that of the strategy's last
  // stage that transforms anything, which runs last forward and first backward. The points of its
  // lines are often whole pages apart, so that it stores through a copy anyway, which multiplies at
  // no cost.
  void find_normalizing_pass() {
    for (std::size_t i = 0; i < plan_.size(); ++i) {
      if (!plan_.is_pass(i) || plan_.axes(i).empty()) continue;
      normalizing_ = i;
      if (!plan_.forward()) return;
    }
  }

  // What the pass computes along each axis; empty if all of these are Fourier.
  std::vector<LineTransform> lines_of(std::size_t pass) const {
    const Blueprint& blueprint = plan_.blueprint();
    const View& view = blueprint.route.input_view();
    std::vector<LineTransform> lines;
    for (const int axis : plan_.axes(pass)) {
      const Basis basis = basis_of(blueprint.problem, view.user_axis(axis));
      if (basis == Basis::fourier) continue;
      lines.resize(static_cast<std::size_t>(plan_[pass].real->extents().size()));
      lines[static_cast<std::size_t>(axis)] =
          line_transform(basis, plan_.forward(), blueprint.problem.norm);
    }
    return lines;
  }

  // None where all of the lines along the pass's axes is stored.
  std::vector<KeptLine> kept_of(std::size_t pass) const {
    const FieldStates& states = plan_.blueprint().route.states;
    std::vector<KeptLine> kept;
    for (const int axis : plan_.axes(pass)) {
      if (states.kept(axis).is_all()) continue;
      kept.resize(static_cast<std::size_t>(plan_[pass].real->extents().size()));
      kept[static_cast<std::size_t>(axis)] = states.kept(axis);
    }
    return kept;
  }

  // Whether the rows of the boxes that the pass makes begin at cache lines, if the first one does.
  static bool rows_fill_cache_lines(const PassSpec& spec) {
    constexpr std::int64_t line = 64;  // bytes
    for (const Box& box : spec.forward ? spec.spectral_boxes : spec.real_boxes) {
      int fastest = box.axes() - 1;
      while (fastest > 0 && box.extent(fastest) == 1) --fastest;
      const std::int64_t row = box.extent(fastest);
      if (row < volume(box.extents()) && row * spec.target_scalar().bytes() % line != 0)
        return false;
    }
    return true;
  }

  // Where the array of the spectrum holds the points of its boxes; null if it holds all.
  std::shared_ptr<const PointMap> points() const {
    const Blueprint& blueprint = plan_.blueprint();
    if (!blueprint.columns) return nullptr;
    PointMap map = blueprint.columns->map(draft_.rank(), blueprint.spectral_array(draft_.rank()));
    map.row_axis = blueprint.route.output_view().inner_axis(blueprint.columns->axes().column);
    return std::make_shared<const PointMap>(std::move(map));
  }

  static std::vector<Box> boxes_of(const Patches& patches) {
    std::vector<Box> boxes;
    for (const Patch& patch : patches) boxes.push_back(patch.box);
    return boxes;
  }

  PassSpec spec_of(std::size_t i) const {
    PassSpec spec = transform_of(i);
    add_places(i, spec);
    choose_movement(i, spec);
    spec.stage = plan_[i].number;
    if (plan_.is_whole(i)) make_whole(spec);
    // The library of a device takes what an item has in one call.
    const Machine& machine = plan_.blueprint().machine;
    if (machine.has_devices && machine.tile_bytes == 0 && !spec.engines.empty())
      spec.limits = {.points = std::numeric_limits<std::int64_t>::max()};
    return spec;
  }

  // What the pass computes.
  PassSpec transform_of(std::size_t i) const {
    const PlannedStep& step = plan_[i];
    const int rank = draft_.rank();
    PassSpec spec;
    spec.real_boxes = step.real->boxes(rank);
    spec.spectral_boxes = step.spectral->boxes(rank);
    spec.axes = plan_.axes(i);
    spec.forward = plan_.forward();
    spec.lines = lines_of(i);
    spec.kept = kept_of(i);
    spec.takes_scale = i == normalizing_;
    if (spec.takes_scale) spec.factor = norm_factor(plan_.blueprint().problem, plan_.forward());
    spec.real_scalar = step.real_scalar;
    spec.spectral_scalar = step.spectral_scalar;
    if (step.real_scalar != step.spectral_scalar) spec.half_axis = plan_.half_axis();
    if (const auto& split = plan_.blueprint().strategy.split) {
      const int axis = plan_.blueprint().route.input_view().inner_axis(split->axis);
      if (std::find(spec.axes.begin(), spec.axes.end(), axis) != spec.axes.end())
        spec.twiddle = SplitTwiddle{axis, split->first * split->second};
    }
    spec.engines = std::get<PassStage>(step.stage).choice.engines;
    return spec;
  }

  // Where the pass loads from and stores to.
  void add_places(std::size_t i, PassSpec& spec) const {
    spec.source = draft_.source(i);
    spec.target = draft_.target(i);
    if (plan_.copies_ring(i))
      spec.real_boxes = spec.spectral_boxes = boxes_of(i == 0 ? spec.target : spec.source);
    if (i + 1 < plan_.size() && plan_.has_ring(i + 1))
      spec.ring_buffer = draft_.layout(i + 1).ring_buffer;
    if (plan_.forward() && i + 1 == plan_.size()) spec.target_points = points();
    if (!plan_.forward() && i == 0) spec.source_points = points();
    if (i > 0 && !plan_.is_pass(i - 1))
      spec.source_messages = static_cast<int>(draft_.layout(i - 1).incoming_messages.size());
    if (i + 1 < plan_.size() && !plan_.is_pass(i + 1))
      spec.target_messages = static_cast<int>(draft_.layout(i + 1).outgoing_messages.size());
  }

  // How the pass takes its tiles through the caches.
  void choose_movement(std::size_t i, PassSpec& spec) const {
    const PlannedStep& step = plan_[i];
    const PassChoice& choice = std::get<PassStage>(step.stage).choice;
    const int rank = draft_.rank();
    spec.limits = tiling_.limits(i);
    spec.cuts = tiling_.cuts(rank, i);
    // Passes that share a sweep hand their data on in the cache, so they do not bypass it.
    const bool is_cached = step.joins_next || (i > 0 && plan_[i - 1].joins_next);
    const std::int64_t bytes = step.spectral->volume(rank) * step.spectral_scalar.bytes();
    const bool is_large = tiling_.exceeds_caches(static_cast<double>(bytes));
    spec.streaming = choice.streams.value_or(is_large && !is_cached);
    spec.columns_go_out_by_groups =
        !choice.streams.value_or(is_large) || rows_fill_cache_lines(spec);
    spec.prefetches = choice.prefetches.value_or(is_large);
    constexpr double fifths_in_half = 2.5;
    spec.fits_caches = !tiling_.exceeds_caches(fifths_in_half * static_cast<double>(bytes));
    spec.loads_directly = choice.loads_directly;
    // A choice holds for both directions, of which one may begin with rows and the other with
    // columns; beyond the caches columns are loaded through copies.
    if (is_large && !spec.loads_rows()) spec.loads_directly = false;
    spec.stores_directly = choice.stores_directly;
    spec.keeps_columns = choice.keeps_columns;
  }

  void add_sweep(std::size_t first, std::size_t last) {
    std::optional<std::vector<Blocks>> blocks;
    if (last > first) blocks = tiling_.blocks(draft_.rank(), first, last);
    std::vector<PassProgram> passes;
    std::vector<std::string> names;
    for (std::size_t i = first; i <= last; ++i) {
      PassSpec spec = spec_of(i);
      if (blocks) spec.blocks = *blocks;
      names.push_back(fmt::format("{}", fmt::join(spec.axes, ",")));
      passes.push_back(with_tiles(std::move(spec)));
      if (passes.back().spec.is_whole) require_whole(passes.back(), draft_.rank());
    }
    // Each part that an exchange sends has items of its own, so that the first part is sent soon.
    const bool leaves = last + 1 < plan_.size();
    const int parts = plan_.has_ring(last + 1)     ? 0
                      : plan_.overlaps() && leaves ? plan_[last + 1].cutting.source_parts
                                                   : 1;
    std::vector<Feeds> feeds;
    if (const int messages = passes.back().spec.target_messages; messages > 0)
      feeds = feeds_of_messages(draft_.target(last), messages, plan_.after(last + 1),
                                plan_.blueprint().machine, draft_.rank());
    Step step;
    step.name = fmt::format(
        "pass {}: {}", passes_++,
        names.front().empty() ? "copy" : fmt::format("axes {}", fmt::join(names, " then ")));
    step.sweep = static_cast<int>(program_.sweeps.size());
    step.stage = plan_[last].number;
    program_.sweeps.push_back(with_items(std::move(passes), parts, feeds));
    if (first > 0 && plan_.has_ring(first - 1))
      for (Item& item : program_.sweeps.back().items)
        item.feeds = std::min(item.feeds, Feeds::ring);
    program_.steps.push_back(std::move(step));
  }

  void add_exchange(std::size_t i) {
    const ExchangeLayout& layout = draft_.layout(i);
    Step step;
    step.name =
        fmt::format("exchange {}: {}", program_.exchanges.size(), to_string(plan_[i].stage));
    step.exchange = static_cast<int>(program_.exchanges.size());
    step.stage = plan_[i].number;
    const Machine& machine = plan_.blueprint().machine;
    for (const auto& sent : layout.sent) {
      step.bytes += sent.bytes;
      if (machine.node(sent.peer) == machine.node(draft_.rank())) continue;
      ++step.messages;
      step.message_bytes += sent.bytes;
    }
    program_.exchanges.push_back(layout.program);
    program_.steps.push_back(std::move(step));
  }

  const StepPlan& plan_;
  PassTiling tiling_;
  const Draft& draft_;
  const NodeFacts& facts_;
  Program program_;
  std::size_t normalizing_ = static_cast<std::size_t>(-1);
  int passes_ = 0;
};

// The drafts of all ranks of a node, linked with each other. Where is_made(rank) says that no
// program is made for a rank, only its buffers are kept: where a node has many ranks, which
// exchange with many others, whole drafts would take much memory.
std::map<int, Draft> drafts_of(const StepPlan& plan, const std::vector<int>& ranks,
                               const std::function<bool(int)>& is_made) {
  std::map<int, Draft> drafts;
  NodeExchanges node(plan, plan.blueprint().machine.node(ranks.front()));
  for (const int rank : ranks) {
    Draft& draft = drafts.emplace(rank, Draft(plan, rank, node)).first->second;
    if (!is_made(rank)) draft.keep_buffers();
  }
  for (auto& [rank, draft] : drafts)
    draft.link([&](int other) -> const Draft& { return drafts.at(other); });
  return drafts;
}

NodeFacts facts_of(const StepPlan& plan, const std::map<int, Draft>& drafts) {
  NodeFacts facts;
  facts.first_step_on_others = plan.size();
  for (const auto& [rank, draft] : drafts) {
    facts.shares_source = facts.shares_source || draft.works_on_others(Home::source);
    facts.shares_target = facts.shares_target || draft.works_on_others(Home::target);
    facts.first_step_on_others = std::min(facts.first_step_on_others, draft.first_step_on_others());
  }
  return facts;
}

// The ranks whose buffers the program of `rank` may use.
std::vector<int> sharers_of(const Blueprint& blueprint, int rank) {
  if (!blueprint.shares_memory()) return {rank};
  return blueprint.machine.ranks_of(blueprint.machine.node(rank));
}

}  // namespace

Program make_program(const Blueprint& blueprint, bool forward, int rank) {
  const StepPlan plan(blueprint, forward);
  const auto drafts =
      drafts_of(plan, sharers_of(blueprint, rank), [&](int other) { return other == rank; });
  return Maker(plan, drafts.at(rank), facts_of(plan, drafts)).make();
}

std::vector<Program> make_programs(const Blueprint& blueprint, bool forward) {
  const StepPlan plan(blueprint, forward);
  std::vector<Program> programs(static_cast<std::size_t>(blueprint.machine.ranks));
  std::vector<bool> is_made(programs.size(), false);
  for (int first = 0; first < blueprint.machine.ranks; ++first) {
    if (is_made[static_cast<std::size_t>(first)]) continue;
    const std::vector<int> ranks = sharers_of(blueprint, first);
    const auto drafts = drafts_of(plan, ranks, [](int) { return true; });
    const NodeFacts facts = facts_of(plan, drafts);
    for (const int rank : ranks) {
      programs[static_cast<std::size_t>(rank)] = Maker(plan, drafts.at(rank), facts).make();
      is_made[static_cast<std::size_t>(rank)] = true;
    }
  }
  return programs;
}

}  // namespace weft
