// plan/binder: steps, their exchanges and their passes.

#include "weft/plan/binder.hpp"

#include <algorithm>
#include <limits>

#include "weft/comm/agreement.hpp"
#include "weft/grid/split.hpp"

namespace weft {

namespace {

// Targets beyond this do not stay in the caches until they are read again.
constexpr std::int64_t streaming_bytes = std::int64_t{8} << 20;
// Tiles are not cut into rows shorter than this for the sake of message bounds.
constexpr std::int64_t least_cut_bytes = 256;

}  // namespace

Program::Program(const Blueprint& blueprint, bool forward, Engine& engine)
    : Program(Binder(blueprint, forward, engine).bind()) {}

Binder::Binder(const Blueprint& blueprint, bool forward, Engine& engine)
    : blueprint_(blueprint), forward_(forward), engine_(engine), rank_(blueprint.comm->rank()) {
  const int half = half_axis(blueprint.problem);
  if (half >= 0) half_axis_ = blueprint.route.input_view.inner_axis(half);
}

Program Binder::bind() {
  const Communicator& comm = *blueprint_.comm;
  program_.storages_.resize(2);
  program_.team_ = blueprint_.team;
  const bool match = together(comm, [&] {
    list_tasks();
    require_tags();
    place_user_arrays();
    return blueprint_.problem.in_place &&
           tiles_stay_apart(source_, target_, scalar_after(tasks_.size() - 1));
  });
  // Where ranks differ, all do what the most careful one must: the steps are the same everywhere.
  arrays_match_ = comm.min(std::int64_t{match}) > 0;
  while (user_arrays_collide()) add_copy();
  program_.steps_.resize(tasks_.size());
  pass_sources_.resize(tasks_.size());
  pass_targets_.resize(tasks_.size());
  works_in_place_.assign(tasks_.size(), false);
  joins_next_.assign(tasks_.size(), false);
  for (std::size_t step = 0; step < tasks_.size(); ++step)
    if (!is_pass(step)) together(comm, [&] { make_exchange(step); });
  together(comm, [&] { make_rests(); });
  group_passes();
  together(comm, [&] {
    make_passes();
    drop_empty_steps();
    assign_homes();
    program_.addresses_.resize(program_.storages_.size());
  });
  find_others_storages();
  make_schedule();
  return std::move(program_);
}

void Binder::list_tasks() {
  const auto& route = blueprint_.route;
  const Precision precision = blueprint_.problem.precision;
  bool spectral = half_axis_ < 0;
  for (std::size_t i = 0; i < blueprint_.strategy.stages.size(); ++i) {
    Task task{blueprint_.strategy.stages[i],
              &route.before[i],
              &route.after[i],
              {precision, spectral},
              {precision, spectral},
              forward_ ? blueprint_.cuttings[i] : blueprint_.cuttings[i].reversed()};
    if (const auto* pass = std::get_if<PassStage>(&task.stage))
      if (std::find(pass->axes.begin(), pass->axes.end(), half_axis_) != pass->axes.end())
        spectral = task.spectral_scalar.is_complex = true;
    tasks_.push_back(task);
  }
  if (!forward_) std::reverse(tasks_.begin(), tasks_.end());
  int sharing = 0, others = 0;
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    if (!is_pass(i)) ++(shares_memory(i) ? sharing : others);
    overlaps_ = overlaps_ || tasks_[i].cutting.cells() > 1;
  }
  overlaps_ = overlaps_ && is_pass(0) && is_pass(tasks_.size() - 1);
  mixes_exchanges_ = sharing > 0 && others > 0;
  find_source_last_step();
}

void Binder::find_source_last_step() {
  source_last_step_ = !is_pass(0) && shares_memory(0) ? 1 : 0;
}

bool Binder::shares_memory(std::size_t step) const {
  const auto* stage =
      step < tasks_.size() ? std::get_if<ExchangeStage>(&tasks_[step].stage) : nullptr;
  return stage != nullptr &&
         find_exchange(stage->exchange, blueprint_.problem, blueprint_.machine).shares_memory;
}

const Decomposition& Binder::before(std::size_t step) const {
  return forward_ ? *tasks_[step].real : *tasks_[step].spectral;
}

const Decomposition& Binder::after(std::size_t step) const {
  return forward_ ? *tasks_[step].spectral : *tasks_[step].real;
}

Scalar Binder::scalar_before(std::size_t step) const {
  return forward_ ? tasks_[step].real_scalar : tasks_[step].spectral_scalar;
}

Scalar Binder::scalar_after(std::size_t step) const {
  return forward_ ? tasks_[step].spectral_scalar : tasks_[step].real_scalar;
}

bool Binder::changes_nothing_but_values(std::size_t step) const {
  return tasks_[step].real_scalar == tasks_[step].spectral_scalar &&
         *tasks_[step].real == *tasks_[step].spectral;
}

void Binder::place_user_arrays() {
  source_ = array_of(rank_, source_storage);
  target_ = array_of(rank_, target_storage);
  const UserArray target =
      forward_ ? blueprint_.spectral_array(rank_) : blueprint_.real_array(rank_);
  target_bytes_ =
      target.field_stride * blueprint_.problem.batch * scalar_after(tasks_.size() - 1).bytes();
  auto& storage = program_.storages_[target_storage];
  storage.home = Program::Storage::target;
  storage.first_step = std::numeric_limits<int>::max();
  storage.role = target_storage;
  program_.storages_[source_storage].home = Program::Storage::source;
}

// In place, the source must have been read before the target is written. Tile by tile it has, where
// both lie alike; else a copy is put at the end, and what is before it ends in the workspace.
bool Binder::user_arrays_collide() const {
  if (!blueprint_.problem.in_place) return false;
  const std::size_t last = tasks_.size() - 1;
  if (last == 0) return !is_pass(0) || !arrays_match_;
  if (last == 1 && !is_pass(0) && shares_memory(0)) return true;
  const std::size_t writes = is_pass(last) ? last : last - 1;
  if (writes > source_last_step_) return false;
  return !(writes == 1 && last == 2 && ends_where_it_starts(2));
}

// At the end; but where others load from the source, before they do: who has loaded need not wait
// for others before it stores.
void Binder::add_copy() {
  const bool at_start = !is_pass(0) && shares_memory(0);
  const std::size_t step = at_start ? 0 : tasks_.size() - 1;
  const Decomposition* at = at_start ? &before(step) : &after(step);
  const Scalar scalar = at_start ? scalar_before(step) : scalar_after(step);
  tasks_.insert(at_start ? tasks_.begin() : tasks_.end(),
                {PassStage{}, at, at, scalar, scalar, {}});
  find_source_last_step();
}

SharedSpec Binder::shared_spec(std::size_t i, int rest) {
  SharedSpec shared;
  shared.team = blueprint_.team;
  shared.machine = &blueprint_.machine;
  shared.rest_buffer = rest;
  shared.buffer_of = [this](int rank, int storage) { return storage_of(rank, storage); };
  shared.opens = mixes_exchanges_;
  // Others load from my memory until they have left; then it may be used again, or be the user's.
  shared.closes = i + 1 < tasks_.size();
  if (const auto place = rest_in_array(i)) {
    shared.rest = [this, place](int rank) { return array_of(rank, place->storage); };
    shared.rests_with_taker = place->with_taker;
    use(array_of(rank_, place->storage), first_pass_before(i));
    use(array_of(rank_, place->storage), i + 1 < tasks_.size() ? i + 1 : i);
  }
  return shared;
}

// In one piece where steps follow each other.
Cutting Binder::cutting_of(std::size_t exchange) const {
  return overlaps_ ? tasks_[exchange].cutting : Cutting{};
}

// Every cell of every exchange has a tag of its own.
void Binder::require_tags() const {
  std::int64_t cells = 0;
  for (std::size_t i = 0; i < tasks_.size(); ++i)
    if (!is_pass(i)) cells += cutting_of(i).cells();
  const std::int64_t tags = std::int64_t{1} + blueprint_.comm->largest_tag();
  if (cells > tags)
    throw Error(Error::invalid,
                fmt::format("the exchanges of '{}' are cut into {} cells, but MPI tells only {} "
                            "messages of two ranks apart",
                            to_string(blueprint_.strategy), cells, tags),
                "take fewer chunks");
}

void Binder::make_exchange(std::size_t i) {
  const bool stored = i > 0, loaded = i + 1 < tasks_.size(), shares = shares_memory(i);
  const std::size_t first = stored ? i - 1 : i, last = loaded ? i + 1 : i;
  const int send = add_storage(shares ? first_pass_before(i) : first, last);
  const int receive = add_storage(first, last);
  const int rest = add_storage(first_pass_before(i), last);
  const std::int64_t element = scalar_before(i).bytes();
  ExchangeSpec spec{
      blueprint_.comm, {before(i), after(i), cutting_of(i)}, element, send, receive, {}, {}, {}};
  if (!stored) spec.source_array = source_;
  if (!loaded) spec.target_array = target_;
  if (shares) spec.shared = shared_spec(i, rest);
  const auto& name = std::get<ExchangeStage>(tasks_[i].stage).exchange;
  auto& exchange = program_.steps_[i].exchange;
  program_.steps_[i].shares_memory = shares;
  spec.first_tag = next_tag_;
  next_tag_ += spec.moves.cutting().cells();
  exchange = find_exchange(name, blueprint_.problem, blueprint_.machine).make(spec);
  const auto bytes_of = [&](int storage) -> std::int64_t& {
    return program_.storages_[static_cast<std::size_t>(storage)].bytes;
  };
  bytes_of(send) = exchange->send_elements() * element;
  bytes_of(receive) = exchange->receive_elements() * element;
  bytes_of(rest) = exchange->rest_elements() * element;
  if (stored) pass_targets_[i - 1] = exchange->outgoing();
  if (loaded) pass_sources_[i + 1] = exchange->incoming();
  if (!stored) use(source_, last);
  if (!loaded) use(target_, first);
}

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

// Collective.
void Binder::make_schedule() {
  if (program_.shares_source_ || program_.shares_target_) {
    program_.met_memory_ = blueprint_.team->common(sizeof(Signal));
    program_.met_ = reinterpret_cast<Signal*>(program_.met_memory_->data());
  }
  std::size_t source_last_step = 0;  // of the program's steps
  for (std::size_t i = 0; i < source_last_step_; ++i) source_last_step += joins_next_[i] ? 0 : 1;
  program_.make_schedule(overlaps_, blueprint_.problem.in_place, source_last_step);
  program_.trace_.resize(program_.steps_.size(), program_.work_.size());
}

// The passes that joined the one before.
void Binder::drop_empty_steps() {
  std::erase_if(program_.steps_,
                [](const Program::Step& step) { return !step.sweep && !step.exchange; });
}

}  // namespace weft
