// run/execution: binds a program, and advances its runs.

#include "weft/run/execution.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/simulation.hpp"
#include "weft/exchange/grouped_messages.hpp"
#include "weft/exchange/wire.hpp"
#include "weft/program/size.hpp"
#include "weft/run/delay.hpp"
#include "weft/run/device_items.hpp"

namespace weft {

Execution::Execution(Program program, const Binding& binding, std::vector<Communicator> groups)
    : program_(std::move(program)), node_(binding.node) {
  if (binding.queue != nullptr)
    on_device_ = std::make_unique<DeviceItems>(program_, *binding.queue, binding.room);
  else if (binding.slots != nullptr)
    on_device_ = std::make_unique<DeviceItems>(program_, *binding.slots);
  else
    make_sweeps(binding);
  schedule_ =
      Schedule(program_, on_device_ && on_device_->keep_order() ? Schedule::Items::are_enqueued
                                                                : Schedule::Items::run_at_once);
  addresses_.resize(program_.buffers.size());
  awaits_.reserve(program_.tasks.size());
  trace_.resize(program_.steps.size(), program_.tasks.size());
  listener_.stored = [this](int message) {
    schedule_.mark_completed(program_.steps[current_step_ + 1].stored[at(message)]);
    submit_ready();
  };
  listener_.between = [this] { (*between_)(); };
  has_progress_ = [this] { return look_for_progress(); };
  make_exchanges(binding, groups);
  find_tasks_of_exchanges();
  if (binding.channel == nullptr) return;
  grouped_ = std::make_unique<GroupedMessages>(program_, *binding.channel, *binding.turn);
  held_.reserve(program_.tasks.size());
}

void Execution::add_groups(const Communicator& comm, const Program& program,
                           std::vector<Communicator>& groups) {
  for (const ExchangeProgram& exchange : program.exchanges)
    groups.push_back(Wire::group(comm, exchange));
}

void Execution::try_groups(const Binding& binding) const {
  if (grouped_)
    binding.channel->try_messages(*binding.comm, grouped_->receivers(), grouped_->senders(), 16);
}

Execution::~Execution() = default;

// Passes run one after the other, so one tile per thread is enough for all of them.
void Execution::make_sweeps(const Binding& binding) {
  std::int64_t group_bytes = 0, tile_bytes = 0;
  for (const SweepProgram& sweep : program_.sweeps) {
    sweeps_.push_back(std::make_unique<Sweep>(sweep, binding.threads, *binding.engines));
    for (const Pass& pass : sweeps_.back()->passes()) {
      group_bytes = std::max(group_bytes, pass.group_bytes());
      tile_bytes = std::max(tile_bytes, pass.tile_bytes());
    }
  }
  tiles_ = tile_memory(binding.threads, group_bytes, tile_bytes);
  for (const auto& sweep : sweeps_)
    for (Pass& pass : sweep->passes()) pass.make_kernels(tiles_, *binding.engines, binding.effort);
}

// Makes the exchanges, each on its communicator in `groups`.
void Execution::make_exchanges(const Binding& binding, std::vector<Communicator>& groups) {
  exchanges_.resize(program_.exchanges.size());
  for (std::size_t e = 0; e < exchanges_.size(); ++e) {
    const ExchangeProgram& exchange = program_.exchanges[e];
    exchanges_[e].receives.resize(exchange.receives.size());
    exchanges_[e].sends.resize(exchange.sends.size());
    exchanges_[e].collectives.resize(exchange.collectives.size());
    exchanges_[e].wire =
        std::make_unique<Wire>(*binding.comm, std::move(groups[e]), exchange, binding.count_limit,
                               binding.queue != nullptr ? &binding.messages : nullptr);
  }
}

void Execution::find_tasks_of_exchanges() {
  for (std::size_t s = 0; s < program_.steps.size(); ++s)
    if (program_.steps[s].exchange >= 0) exchanges_[at(program_.steps[s].exchange)].step = s;
  for (std::size_t t = 0; t < program_.tasks.size(); ++t) {
    const Task& task = program_.tasks[t];
    const int number = static_cast<int>(t);
    if (task.kind == Task::milestone && task.what == Task::finishes)
      exchange_of(task).finishes = number;
    if (task.kind == Task::receive) exchange_of(task).receives[at(task.index)] = number;
    if (task.kind == Task::send) exchange_of(task).sends[at(task.index)] = number;
    if (task.kind == Task::collective) exchange_of(task).collectives[at(task.index)] = number;
  }
}

std::int64_t Execution::signal_bytes() const {
  return static_cast<std::int64_t>(program_.signals.size() * sizeof(Signal));
}

void Execution::set_signals(std::shared_ptr<std::byte> memory) {
  signal_memory_ = std::move(memory);
  signals_ = reinterpret_cast<Signal*>(signal_memory_.get());
}

std::int64_t Execution::tile_bytes() const {
  std::int64_t bytes = 0;
  for (const TileMemory& tile : tiles_) bytes += tile.bytes();
  return bytes;
}

std::int64_t Execution::program_bytes() const {
  std::int64_t bytes = value_bytes(program_);
  for (const auto& sweep : sweeps_)
    for (const Pass& pass : sweep->passes()) bytes += pass.table_bytes();
  return on_device_ ? bytes + on_device_->table_bytes() : bytes;
}

std::int64_t Execution::moved_bytes() const {
  std::int64_t bytes = on_device_ ? on_device_->streamed_bytes() : 0;
  for (const Exchange& exchange : exchanges_) bytes += exchange.wire->staging_bytes();
  return bytes;
}

std::int64_t Execution::grouped_bytes() const {
  std::int64_t bytes = 0;
  for (std::size_t e = 0; grouped_ && e < exchanges_.size(); ++e)
    if (grouped_->carries(static_cast<int>(e))) bytes += exchanges_[e].wire->staging_bytes();
  return bytes;
}

Feeds Execution::feeds(const Trace::Item& item) const {
  return program_.sweeps[at(program_.steps[item.step].sweep)].items[item.item].feeds;
}

void Execution::set_workspaces(const std::vector<std::byte*>& workspaces) {
  for (std::size_t b = 0; b < program_.buffers.size(); ++b) {
    const BufferSpec& buffer = program_.buffers[b];
    if (buffer.home != Home::workspace) continue;
    const int member = node_ == nullptr ? 0 : node_->member(buffer.rank);
    addresses_[b] = workspaces[at(member)] + buffer.offset;
  }
}

// ---- a run

std::string Execution::why_not_in_graph() const {
  if (!on_device_ || !on_device_->keep_order())
    return "its data stream through the device, tile by tile";
  if (has_exchanges()) return "the processor sends and receives its messages";
  if (on_device_->has_room_in_graphs()) return {};
  return fmt::format("the plan has been captured with {} different arrays",
                     DeviceItems::most_in_graphs);
}

void Execution::begin(const RunArray& source, const RunArray& target, double scale, bool in_graph) {
  trace_.clear();
  ++runs_;
  is_agreed_ = false;
  for (std::size_t b = 0; b < program_.buffers.size(); ++b) {
    const BufferSpec& buffer = program_.buffers[b];
    if (buffer.rank != program_.rank || buffer.home == Home::workspace) continue;
    addresses_[b] = (buffer.home == Home::source ? source.data() : target.data()) + buffer.offset;
  }
  if (program_.all_begun >= 0) {
    first_array_ = node_->begin_array_exchange();
    node_->publish(first_array_, source.shared());
    node_->publish(first_array_ + 1, target.shared());
  }
  awaits_.clear();
  for (const auto& sweep : sweeps_) sweep->begin(scale);
  if (on_device_) on_device_->begin(scale, in_graph);
  for (Exchange& exchange : exchanges_) exchange.wire->begin(addresses_);
  way_ = grouped_ ? Way::unknown : Way::by_wires;
  held_.clear();
  if (program_.steps.front().exchange >= 0) trace_.begin_activity(0);
  schedule_.begin();
  advance();
}

void Execution::mark_agreed(bool in_groups) {
  is_agreed_ = true;
  if (way_ != Way::unknown) return;
  way_ = in_groups ? Way::in_groups : Way::by_wires;
  if (in_groups) grouped_->begin(addresses_);
  for (const int task : held_) submit_message(task);
  held_.clear();
}

// Looks up the arrays of the other ranks of the node, which have all published theirs. Returns
// false if one of them has to be mapped, and other ranks may have freed it: before all have agreed.
bool Execution::resolve_arrays() {
  for (std::size_t b = 0; b < program_.buffers.size(); ++b) {
    const BufferSpec& buffer = program_.buffers[b];
    if (buffer.rank == program_.rank || buffer.home == Home::workspace) continue;
    const int array = first_array_ + (buffer.home == Home::source ? 0 : 1);
    const int member = node_->member(buffer.rank);
    std::byte* const begin =
        is_agreed_ ? node_->resolve(member, array) : node_->mapped(member, array);
    if (begin == nullptr) return false;
    addresses_[b] = begin + buffer.offset;
  }
  return true;
}

void Execution::submit(int task) {
  be_late(Late::before_task);
  if (!trace_.records_tasks()) return hand_over(task);
  const double began = now();
  hand_over(task);
  trace_.add_call(at(task), began);
}

void Execution::complete(int task) {
  trace_.complete_task(at(task));
  schedule_.mark_completed(task);
}

void Execution::hand_over(int task) {
  const Task& submitted = program_.tasks[at(task)];
  if (submitted.kind == Task::raise) {
    const int raisers = program_.signals[at(submitted.index)].raisers;
    node_->count(signals_[submitted.index], static_cast<std::uint32_t>(raisers) * runs_);
    complete(task);
  } else if (submitted.kind == Task::await) {
    awaits_.push_back(task);
  } else {
    submit_message(task);
  }
}

void Execution::submit_message(int task) {
  const Task& message = program_.tasks[at(task)];
  const int exchange = program_.steps[at(message.step)].exchange;
  if (way_ == Way::by_wires || !grouped_->carries(exchange))
    exchanges_[at(exchange)].wire->submit(message.kind, message.index);
  else if (way_ == Way::in_groups)
    grouped_->submit({exchange, {message.kind, message.index}});
  else
    held_.push_back(task);
}

bool Execution::submit_ready() {
  bool submitted = false;
  for (int task = schedule_.take_ready(); task >= 0; task = schedule_.take_ready()) {
    submit(task);
    submitted = true;
  }
  return submitted;
}

// Hands the items that are ready to the device.
bool Execution::enqueue_ready() {
  bool enqueued = false;
  for (int task = schedule_.take_item(); task >= 0; task = schedule_.take_item()) {
    be_late(Late::before_item);
    on_device_->enqueue(task, addresses_);
    begin_exchange_after(at(program_.tasks[at(task)].step));
    if (on_device_->keep_order()) schedule_.mark_enqueued(task);
    enqueued = true;
  }
  return enqueued;
}

bool Execution::take_items_done() {
  bool came = false;
  for (auto done = on_device_->take_done(); done.task >= 0; done = on_device_->take_done()) {
    const Task& task = program_.tasks[at(done.task)];
    const auto step = at(task.step);
    trace_.add_item({step, at(task.index), done.began, done.seconds});
    for (const int message : done.stored)
      schedule_.mark_completed(program_.steps[step + 1].stored[at(message)]);
    complete(done.task);
    came = true;
  }
  return came;
}

bool Execution::take_completions(Exchange& exchange) {
  const auto completions = exchange.wire->completions();
  if (completions.empty()) return false;
  for (const Wire::Completion& one : completions) {
    const auto& tasks = one.kind == Task::receive ? exchange.receives
                        : one.kind == Task::send  ? exchange.sends
                                                  : exchange.collectives;
    complete(tasks[at(one.index)]);
  }
  exchange.wire->clear();
  return true;
}

bool Execution::take_groups() {
  if (way_ != Way::in_groups) return false;
  grouped_->progress();
  const auto completions = grouped_->completions();
  if (completions.empty()) return false;
  for (const GroupedMessages::Member& one : completions) {
    const Exchange& exchange = exchanges_[at(one.exchange)];
    const auto& tasks = one.task.kind == Task::receive ? exchange.receives
                        : one.task.kind == Task::send  ? exchange.sends
                                                       : exchange.collectives;
    complete(tasks[at(one.task.index)]);
  }
  grouped_->clear();
  return true;
}

std::uint32_t Execution::awaited_value(int task) const {
  const Task& await = program_.tasks[at(task)];
  const auto raisers = static_cast<std::uint32_t>(program_.signals[at(await.index)].raisers);
  return raisers * (runs_ - static_cast<std::uint32_t>(await.lag));
}

bool Execution::check_signal(int task) {
  return node_->check_reached(signals_[program_.tasks[at(task)].index], awaited_value(task));
}

bool Execution::take_signals() {
  bool came = false;
  for (std::size_t i = 0; i < awaits_.size();) {
    const int task = awaits_[i];
    if (!check_signal(task) || (task == program_.all_begun && !resolve_arrays())) {
      ++i;
      continue;
    }
    be_late(Late::after_signal);
    awaits_[i] = awaits_.back();
    awaits_.pop_back();
    complete(task);
    came = true;
  }
  return came;
}

void Execution::advance_between_tiles() {
  for (Exchange& exchange : exchanges_) {
    if (exchange.wire->is_idle()) continue;
    exchange.wire->progress_sends();
    take_completions(exchange);
  }
  take_signals();
  submit_ready();
}

bool Execution::advance() {
  bool moved = submit_ready();
  if (on_device_) moved = take_items_done() || moved;
  for (Exchange& exchange : exchanges_) {
    if (!exchange.wire->is_idle()) exchange.wire->progress();
    moved = take_completions(exchange) || moved;
  }
  moved = take_groups() || moved;
  // The tasks that follow may wait for signals that were raised long ago.
  while (take_signals()) {
    moved = true;
    submit_ready();
  }
  moved = submit_ready() || moved;
  while (on_device_ && enqueue_ready()) {
    moved = true;
    submit_ready();
  }
  // A rank that waits for no signal must still notice that another rank of its node has failed.
  if (node_ != nullptr && awaits_.empty() && !is_complete()) node_->check_failure();
  end_activities();
  return moved;
}

void Execution::end_activities() {
  for (const Exchange& exchange : exchanges_)
    if (schedule_.arrivals_left(exchange.step) == 0) trace_.end_activity(exchange.step);
}

void Execution::run_item(const std::function<void()>& between) {
  be_late(Late::before_item);
  const int task = schedule_.take_item();
  ensure(task >= 0);
  submit_ready();
  const auto step = at(program_.tasks[at(task)].step);
  const auto number = at(program_.tasks[at(task)].index);
  const auto sweep = at(program_.steps[step].sweep);
  current_step_ = step;
  between_ = &between;
  const double began = now();
  sweeps_[sweep]->run(program_.sweeps[sweep].items[number], addresses_, listener_);
  trace_.add_item({step, number, began, now() - began});
  begin_exchange_after(step);
  schedule_.mark_completed(task);
  submit_ready();
}

void Execution::begin_exchange_after(std::size_t step) {
  if (step + 1 < program_.steps.size() && program_.steps[step + 1].exchange >= 0)
    trace_.begin_activity(step + 1);
}

// ---- waiting

// Asks MPI whether a message has completed.
bool Execution::look_for_progress() {
  for (Exchange& exchange : exchanges_) {
    if (exchange.wire->is_idle()) continue;
    exchange.wire->progress();
    if (!exchange.wire->completions().empty()) return true;
  }
  return false;
}

// Simulated time passes only in calls of MPI that wait. Elsewhere nobody waits in MPI: the message
// may never come, because the rank that was to send it has failed, or because another thread of
// this process, which waits for this one to leave weft, has yet to start another transform.
bool Execution::wait_for_message() {
  Wire* busy = nullptr;
  for (Exchange& exchange : exchanges_) {
    if (exchange.wire->is_idle()) continue;
    if (busy != nullptr) return false;
    busy = exchange.wire.get();
  }
  if (busy != nullptr) busy->wait();
  return busy != nullptr;
}

bool Execution::wait() {
  if (on_device_ && !on_device_->is_idle()) return false;
  if (way_ == Way::in_groups && !grouped_->is_idle()) return false;
  if (node_ == nullptr) return is_simulated && wait_for_message();
  const bool is_busy = std::any_of(exchanges_.begin(), exchanges_.end(),
                                   [](const Exchange& one) { return !one.wire->is_idle(); });
  // Any of several signals may come first, and a rank that sleeps for one would miss the others.
  if (awaits_.size() > 1 || (!is_busy && awaits_.empty())) return false;
  Signal* signal = awaits_.empty() ? nullptr : &signals_[program_.tasks[at(awaits_[0])].index];
  node_->wait_briefly(signal, awaits_.empty() ? 0 : awaited_value(awaits_[0]),
                      is_busy ? &has_progress_ : nullptr);
  return true;
}

void Execution::count_wait(double begin, double seconds) {
  trace_.add_idle(begin, seconds);
  if (on_device_ && !on_device_->is_idle()) return;
  for (const Exchange& exchange : exchanges_)
    if (!schedule_.has_completed(exchange.finishes)) {
      trace_.add(exchange.step, begin, seconds);
      return;
    }
}

}  // namespace weft
