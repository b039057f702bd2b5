// run/bound_programs: binds programs to a communicator, and frees what that has made.

#include "weft/run/bound_programs.hpp"

#include <algorithm>
#include <utility>

namespace weft {

BoundPrograms::BoundPrograms(Spec spec, std::shared_ptr<EngineSet> engines)
    : spec_(std::move(spec)), comm_(Communicator::alone()), engines_(std::move(engines)) {
  turn_.emplace(spec_.channel ? &spec_.channel->turns() : nullptr);
  // Also where no exchange shares memory: the ranks of a node tell each other of failures there.
  const Machine& machine = spec_.blueprint->machine;
  if (spec_.shares_memory || machine.nodes() < machine.ranks)
    node_.emplace(spec_.programs[0].rank, machine.node_of_rank, spec_.device, spec_.through);
  for (const std::size_t direction : {0, 1})
    groups_[direction].reserve(spec_.programs[direction].exchanges.size());
}

void BoundPrograms::join(const Communicator& comm) {
  comm_ = comm.duplicate();
  for (const std::size_t direction : {0, 1})
    Execution::add_groups(comm_, spec_.programs[direction], groups_[direction]);
  if (node_) node_->exchange_handles(comm_);
}

void BoundPrograms::bind(FailureNotice& notice) {
  if (node_) node_->map();
  if (spec_.device) {
    queue_ = std::make_unique<DeviceQueue>(spec_.device, spec_.stream);
    make_room();
  }
  if (spec_.through)
    slots_ = std::make_unique<TileSlots>(spec_.through, spec_.stream, spec_.device_bytes);
  for (const std::size_t direction : {0, 1})
    executions_[direction].emplace(std::move(spec_.programs[direction]), binding(),
                                   std::move(groups_[direction]));
  if (slots_) slots_->allocate();
  if (room_) room_->allocate();
  if (!notice.is_in_use()) notice.use(comm_);
}

void BoundPrograms::connect() {
  if (node_) node_->begin();
  for (const auto& execution : executions_) execution->try_groups(binding());
}

void BoundPrograms::share_memory() {
  std::int64_t bytes = 0;
  for (const auto& execution : executions_) bytes += execution->signal_bytes();
  const auto signals = bytes > 0 ? node_->common(bytes) : nullptr;
  std::int64_t offset = 0;
  for (auto& execution : executions_) {
    execution->set_signals({signals, signals.get() + offset});
    offset += execution->signal_bytes();
  }
  if (spec_.shares_memory) windows_ = node_->window(workspace_bytes());
}

std::array<std::int64_t, 2> BoundPrograms::uses_of_arrays() const {
  const Program& there = execution(true).program();
  const Program& back = execution(false).program();
  return {std::int64_t{there.shares_source || back.shares_target},
          std::int64_t{there.shares_target || back.shares_source}};
}

void BoundPrograms::set_shared_arrays(bool input, bool output) {
  shares_input_ = input;
  shares_output_ = output;
}

// The workspace of the plan is not allocated yet, and takes its part of the limit.
void BoundPrograms::make_room() {
  if (!names_engines(spec_.blueprint->strategy)) return;
  const std::int64_t workspace =
      std::max(spec_.programs[0].workspace_bytes, spec_.programs[1].workspace_bytes);
  room_ = std::make_unique<LibraryRoom>(*queue_, spec_.device_bytes - workspace);
}

Binding BoundPrograms::binding() {
  Binding binding;
  binding.comm = &comm_;
  binding.node = spec_.shares_memory ? &*node_ : nullptr;
  binding.engines = engines_.get();
  binding.queue = queue_.get();
  binding.room = room_.get();
  binding.slots = slots_.get();
  binding.messages.device = spec_.device;
  binding.messages.runs = queue_.get();
  binding.messages.direct = spec_.sends_directly;
  binding.channel = spec_.channel.get();
  binding.turn = &*turn_;
  binding.effort = spec_.effort;
  binding.threads = spec_.threads;
  return binding;
}

Capture BoundPrograms::capture() const {
  if (queue_) return queue_->capture();
  return slots_ ? slots_->queue().capture() : Capture::none;
}

// The queue's own stream waits for the driver's default stream, as all streams that weft makes do.
void BoundPrograms::await_application() {
  if (!slots_) return;
  slots_->queue().mark();
  slots_->queue().await_mark();
}

void BoundPrograms::settle() noexcept {
  if (queue_) queue_->settle();
  if (slots_) slots_->settle();
}

void BoundPrograms::give_up_groups(const FailureNotice& notice) noexcept {
  if (spec_.channel) spec_.channel->give_up(record_of([&] { throw notice.error(); }));
}

void BoundPrograms::record_runs() {
  for (auto& execution : executions_) execution->record_tasks();
  if (queue_ == nullptr) return;
  constexpr std::size_t most_spans = 4096;
  for (auto& times : times_)
    if (times == nullptr) times = std::make_unique<StreamTimes>(queue_->device(), most_spans);
}

void BoundPrograms::begin_times(bool is_forward, bool in_graph) {
  if (queue_ == nullptr) return;
  StreamTimes* const times = times_[is_forward ? 0 : 1].get();
  queue_->set_times(in_graph ? nullptr : times);
  if (times == nullptr) return;
  if (in_graph)
    times->forget();
  else
    times->begin(queue_->stream());
}

std::vector<StreamSpan> BoundPrograms::stream_spans(bool is_forward) const {
  const auto& times = times_[is_forward ? 0 : 1];
  return times == nullptr ? std::vector<StreamSpan>() : times->spans();
}

std::int64_t BoundPrograms::workspace_bytes() const {
  return std::max(executions_[0]->program().workspace_bytes,
                  executions_[1]->program().workspace_bytes);
}

void BoundPrograms::make_workspace() {
  std::vector<std::byte*> workspaces;
  if (spec_.shares_memory) {
    for (int member = 0; member < node_->size(); ++member)
      workspaces.push_back(windows_.of(member));
  } else if (queue_) {
    device_workspace_ = DeviceBuffer(queue_->driver(), workspace_bytes());
    workspaces.push_back(static_cast<std::byte*>(device_workspace_.data()));
  } else {
    workspace_ = Buffer(workspace_bytes(), spec_.threads);
    registration_ = Registration(spec_.through, workspace_.data(), workspace_bytes());
    workspaces.push_back(workspace_.data());
  }
  for (auto& execution : executions_) execution->set_workspaces(workspaces);
}

MemoryUse BoundPrograms::memory() const {
  MemoryUse use;
  if (!executions_[0]) return use;
  use.buffers = workspace_bytes();
  if (slots_) use.tiles = slots_->bytes();
  if (room_) use.tiles = room_->bytes();
  for (const auto& execution : executions_) {
    use.tiles += execution->tile_bytes();
    use.programs += execution->program_bytes();
  }
  return use;
}

// Executions are destroyed before the memory and the communicators that they use.
void BoundPrograms::unbind() {
  settle();
  for (auto& execution : executions_) execution.reset();
  for (auto& groups : groups_) groups.clear();
  room_.reset();
  turn_->leave();
  spec_.channel.reset();
  queue_.reset();
  slots_.reset();
  windows_ = {};
  registration_ = {};
  workspace_ = {};
  device_workspace_ = {};
  node_.reset();
  comm_ = Communicator::alone();
}

}  // namespace weft
