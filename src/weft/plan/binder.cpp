// plan/binder: storages, their lifetimes and their homes.

#include "weft/plan/binder.hpp"

#include <algorithm>
#include <limits>

#include "weft/comm/agreement.hpp"
#include "weft/grid/split.hpp"

namespace weft {

namespace {

constexpr int source_storage = 0, target_storage = 1;
constexpr std::int64_t page = 4096;
// Targets beyond this do not stay in the caches until they are read again.
constexpr std::int64_t streaming_bytes = std::int64_t{4} << 20;
// Tiles are not cut into rows shorter than this for the sake of message bounds.
constexpr std::int64_t least_cut_bytes = 256;

Patches resident(Patches patches) {
  for (Patch& patch : patches) patch.message = Patch::resident;
  return patches;
}

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
  const bool collide = together(comm, [&] {
    list_tasks();
    place_user_arrays();
    return user_arrays_collide();
  });
  // One rank's arrays decide for all: the steps are the same everywhere.
  if (comm.max(std::int64_t{collide}) > 0) append_copy();
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
    program_.trace_.resize(program_.steps_.size());
    program_.addresses_.resize(program_.storages_.size());
  });
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
              {precision, spectral}};
    if (const auto* pass = std::get_if<PassStage>(&task.stage))
      if (std::find(pass->axes.begin(), pass->axes.end(), half_axis_) != pass->axes.end())
        spectral = task.spectral_scalar.is_complex = true;
    tasks_.push_back(task);
  }
  if (!forward_) std::reverse(tasks_.begin(), tasks_.end());
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
         tasks_[step].real->boxes(rank_) == tasks_[step].spectral->boxes(rank_);
}

void Binder::place_user_arrays() {
  const auto& route = blueprint_.route;
  const auto& real = blueprint_.real_array;
  const auto& spectral = blueprint_.spectral_array;
  const auto place = [&](const View& view, const Decomposition& user, const UserArray& array,
                         int storage) {
    return view.patches(user.boxes(rank_), array.layouts, array.offsets, array.field_stride,
                        storage);
  };
  source_ =
      place(route.input_view, route.user_input, real, forward_ ? source_storage : target_storage);
  target_ = place(route.output_view, route.user_output, spectral,
                  forward_ ? target_storage : source_storage);
  if (!forward_) std::swap(source_, target_);
  const auto bytes = [&](const UserArray& array, Scalar scalar) {
    return array.field_stride * blueprint_.problem.batch * scalar.bytes();
  };
  target_bytes_ = forward_ ? bytes(spectral, tasks_.back().spectral_scalar)
                           : bytes(real, tasks_.back().real_scalar);
  auto& storage = program_.storages_[target_storage];
  storage.home = Program::Storage::target;
  storage.first_step = std::numeric_limits<int>::max();
  program_.storages_[source_storage].home = Program::Storage::source;
}

// In place, the source must have been read before the target is written. Tile by tile it has, where
// both lie alike; else a copy is put at the end, and what is before it ends in the workspace.
bool Binder::user_arrays_collide() const {
  if (!blueprint_.problem.in_place) return false;
  if (tasks_.size() == 1) return !is_pass(0) || !tiles_stay_apart(source_, target_);
  return tasks_.size() == 2 && is_pass(0) && !is_pass(1);
}

void Binder::append_copy() {
  const std::size_t last = tasks_.size() - 1;
  const Decomposition* at = &after(last);
  const Scalar scalar = scalar_after(last);
  tasks_.push_back({PassStage{}, at, at, scalar, scalar});
}

// Whether a pass may overwrite its source while it runs: every tile writes where itself was read.
bool Binder::tiles_stay_apart(const Patches& source, const Patches& target) const {
  if (source.size() != target.size()) return false;
  const std::int64_t from_bytes = scalar_before(0).bytes();
  const std::int64_t to_bytes = scalar_after(0).bytes();
  for (std::size_t i = 0; i < source.size(); ++i) {
    const Patch &from = source[i], &to = target[i];
    if (from.offset * from_bytes != to.offset * to_bytes) return false;
    for (int a = 0; a < from.box.axes(); ++a) {
      const bool halved_rows = a == half_axis_ && from_bytes != to_bytes;
      if (from.box.lo[a] != to.box.lo[a]) return false;
      if (halved_rows ? from.strides[a] != 1 || to.strides[a] != 1
                      : from.strides[a] * from_bytes != to.strides[a] * to_bytes)
        return false;
    }
    if (from_bytes == to_bytes && from.box != to.box) return false;
  }
  return true;
}

int Binder::add_storage(std::int64_t bytes, std::size_t first_step, std::size_t last_step) {
  program_.storages_.push_back({bytes, static_cast<int>(first_step), static_cast<int>(last_step)});
  return static_cast<int>(program_.storages_.size()) - 1;
}

void Binder::make_exchange(std::size_t i) {
  const bool stored = i > 0, loaded = i + 1 < tasks_.size();
  const std::size_t first = stored ? i - 1 : i, last = loaded ? i + 1 : i;
  const int send = add_storage(0, first, last), receive = add_storage(0, first, last);
  const std::int64_t element = scalar_before(i).bytes();
  ExchangeSpec spec{blueprint_.comm, {before(i), after(i)}, element, send, receive, {}, {}};
  if (!stored) spec.source_array = source_;
  if (!loaded) spec.target_array = target_;
  const auto& name = std::get<ExchangeStage>(tasks_[i].stage).exchange;
  auto& exchange = program_.steps_[i].exchange;
  exchange = find_exchange(name, blueprint_.problem, blueprint_.machine).make(spec);
  const auto bytes_of = [&](int storage) -> std::int64_t& {
    return program_.storages_[static_cast<std::size_t>(storage)].bytes;
  };
  bytes_of(send) = exchange->send_elements() * element;
  bytes_of(receive) = exchange->receive_elements() * element;
  if (stored) pass_targets_[i - 1] = exchange->outgoing();
  if (loaded) pass_sources_[i + 1] = exchange->incoming();
  if (!stored) use(source_, last);
  if (!loaded) use(target_, first);
}

// Between two passes nothing moves. Where the second changes nothing but values it works in place
// on its own target, be it the user's array or message buffers; else the data rest in between.
void Binder::make_rests() {
  if (is_pass(tasks_.size() - 1)) pass_targets_.back() = target_;
  if (is_pass(0)) pass_sources_.front() = source_;
  for (std::size_t i = tasks_.size() - 1; i > 0; --i) {
    if (!is_pass(i) || !is_pass(i - 1)) continue;
    const bool overwrites_source =
        blueprint_.problem.in_place && i == 1 &&
        std::any_of(pass_targets_[1].begin(), pass_targets_[1].end(),
                    [](const Patch& patch) { return patch.buffer == target_storage; });
    const bool apart = !overwrites_source || tiles_stay_apart(source_, pass_targets_[1]);
    if (changes_nothing_but_values(i) && apart) {
      works_in_place_[i] = true;
      pass_sources_[i] = pass_targets_[i - 1] = resident(pass_targets_[i]);
    } else {
      const int rest = add_storage(0, i - 1, i);
      std::int64_t offset = 0;
      for (const Box& box : before(i).boxes(rank_)) {
        pass_sources_[i].push_back(packed_patch(box, rest, offset));
        offset += box.volume();
      }
      pass_targets_[i - 1] = pass_sources_[i];
      program_.storages_[static_cast<std::size_t>(rest)].bytes = offset * scalar_before(i).bytes();
    }
  }
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
                                    cuts_behind(i)));
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

// A storage lives from the first step that touches it to the last.
void Binder::use(const Patches& patches, std::size_t step) {
  for (const Patch& patch : patches) {
    auto& storage = program_.storages_[static_cast<std::size_t>(patch.buffer)];
    storage.first_step = std::min(storage.first_step, static_cast<int>(step));
    storage.last_step = std::max(storage.last_step, static_cast<int>(step));
  }
}

std::vector<std::vector<std::int64_t>> Binder::cuts_behind(std::size_t step) const {
  const Decomposition& here = *tasks_[step].real;
  std::vector<std::vector<std::int64_t>> cuts(static_cast<std::size_t>(here.extents().size()));
  if (step + 1 >= tasks_.size() || is_pass(step + 1)) return cuts;
  const Decomposition& next = after(step + 1);
  if (!next.grid()) return cuts;
  const std::int64_t element = scalar_after(step).bytes();
  for (int a = 0; a < here.extents().size(); ++a) {
    const std::int64_t n = next.extents()[a], parts = next.grid()->parts[a];
    const bool is_row = a + 1 == here.extents().size();
    if (a == half_axis_ || (is_row && n / parts * element < least_cut_bytes)) continue;
    for (std::int64_t i = 1; i < parts; ++i)
      cuts[static_cast<std::size_t>(a)].push_back(split(n, parts, i).lo);
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
  spec.cuts = cuts_behind(step);
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
          fmt::format("exchange {}: {}", exchanges++, to_string(tasks_[i].stage))};
      for (const auto& sent : step.exchange->sent()) {
        report.bytes += sent.bytes;
        if (blueprint_.machine.node(sent.peer) == blueprint_.machine.node(rank_)) continue;
        ++report.messages;
        report.message_bytes += sent.bytes;
      }
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
    program_.reports_.push_back({fmt::format("pass {}: {}", passes++, what)});
    step.sweep = std::make_unique<Sweep>(std::move(together_run), blueprint_.threads);
    i = last;
  }
  make_kernels();
}

// Passes run one after the other, so each thread has one tile for all of them.
void Binder::make_kernels() {
  std::int64_t real_bytes = 0, spectral_bytes = 0;
  for (const auto& step : program_.steps_) {
    if (!step.sweep) continue;
    for (const Pass& pass : step.sweep->passes()) {
      real_bytes = std::max(real_bytes, pass.real_tile_bytes());
      spectral_bytes = std::max(spectral_bytes, pass.spectral_tile_bytes());
    }
  }
  program_.tiles_ = tile_memory(blueprint_.threads, real_bytes, spectral_bytes);
  for (auto& step : program_.steps_)
    if (step.sweep)
      for (Pass& pass : step.sweep->passes())
        pass.make_kernels(program_.tiles_, engine_, blueprint_.effort);
}

// The passes that joined the one before.
void Binder::drop_empty_steps() {
  std::erase_if(program_.steps_,
                [](const Program::Step& step) { return !step.sweep && !step.exchange; });
}

// Largest first, each at the lowest place where nothing else lives at the same time. The user's
// target array is a home as good as the workspace until its own values are stored there.
void Binder::assign_homes() {
  auto& storages = program_.storages_;
  using Storage = Program::Storage;
  const bool in_place = blueprint_.problem.in_place;
  const int target_first = storages[target_storage].first_step;
  const int source_last = storages[source_storage].last_step;

  std::vector<std::size_t> order, placed;
  for (std::size_t i = 2; i < storages.size(); ++i)
    if (storages[i].bytes > 0) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return storages[a].bytes > storages[b].bytes;
  });
  const auto lowest_offset = [&](const Storage& storage, Storage::Home home) {
    std::int64_t offset = 0;
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t i : placed) {
        const Storage& other = storages[i];
        if (other.home != home || other.last_step < storage.first_step ||
            storage.last_step < other.first_step)
          continue;
        if (offset < other.offset + other.bytes && other.offset < offset + storage.bytes) {
          offset = (other.offset + other.bytes + page - 1) / page * page;
          moved = true;
        }
      }
    }
    return offset;
  };
  for (std::size_t i : order) {
    Storage& storage = storages[i];
    const bool target_is_idle =
        storage.last_step < target_first && (!in_place || storage.first_step > source_last);
    storage.offset = lowest_offset(storage, Storage::target);
    if (target_is_idle && storage.offset + storage.bytes <= target_bytes_) {
      storage.home = Storage::target;
    } else {
      storage.home = Storage::workspace;
      storage.offset = lowest_offset(storage, Storage::workspace);
      program_.workspace_bytes_ =
          std::max(program_.workspace_bytes_, storage.offset + storage.bytes);
    }
    placed.push_back(i);
  }
}

}  // namespace weft
