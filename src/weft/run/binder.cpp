// run/binder: steps and their exchanges.

#include "weft/run/binder.hpp"

#include <algorithm>
#include <limits>

#include "weft/comm/agreement.hpp"

namespace weft {

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
