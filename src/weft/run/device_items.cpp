// run/device_items: enqueues items, and asks for their events.

#include "weft/run/device_items.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/trace.hpp"
#include "weft/program/index.hpp"

namespace weft {

DeviceItems::DeviceItems(const Program& program, DeviceQueue& queue)
    : program_(&program), queue_(&queue) {
  for (const SweepProgram& sweep : program.sweeps) make_sweep(sweep);
  const auto items = std::ranges::count(program.tasks, Task::compute, &Task::kind);
  DeviceDriver& driver = queue.driver();
  for (std::int64_t i = 0; i < items; ++i) events_.push_back(driver.make_event());
  enqueued_.reserve(events_.size());
  make_table();
}

DeviceItems::~DeviceItems() {
  DeviceDriver& driver = queue_->driver();
  for (const DeviceEvent event : events_) driver.destroy(event);
  driver.destroy(arrival_);
}

void DeviceItems::make_sweep(const SweepProgram& sweep) {
  SweepOnDevice made;
  for (std::size_t p = 0; p < sweep.passes.size(); ++p)
    made.passes.emplace_back(sweep, p, queue_->driver());
  const PassProgram& last = sweep.passes.back();
  const BoxIndex targets = index_of(last.spec.target);
  for (const Item& item : sweep.items) {
    std::vector<int>& messages = made.messages_of_item.emplace_back();
    for (std::size_t place = item.first; place < item.last; ++place) {
      const std::size_t grain = sweep.order[place], p = sweep.passes.size() - 1;
      for (std::size_t t = sweep.first_tile(p, grain); t < sweep.first_tile(p, grain + 1); ++t) {
        const Tile& tile = last.tiles[t];
        for (const std::size_t patch :
             targets.overlapping(last.spec.forward ? tile.spectral : tile.real))
          if (const int message = last.spec.target[patch].message; message != Patch::resident)
            messages.push_back(message);
      }
    }
    std::ranges::sort(messages);
    const auto rest = std::ranges::unique(messages);
    messages.erase(rest.begin(), rest.end());
    for (const int message : messages) {
      if (at(message) >= made.items_of_message.size())
        made.items_of_message.resize(at(message) + 1);
      ++made.items_of_message[at(message)];
    }
  }
  stored_.reserve(std::max(stored_.capacity(), made.items_of_message.size()));
  sweeps_.push_back(std::move(made));
}

void DeviceItems::make_table() {
  DeviceDriver& driver = queue_->driver();
  const auto bytes = static_cast<std::int64_t>(program_->buffers.size() * sizeof(std::byte*));
  table_ = DeviceBuffer(driver, bytes);
  sent_ = DeviceBuffer(driver, bytes, Memory::registered);
  arrival_ = driver.make_event();
  told_.reserve(program_->buffers.size());
}

void DeviceItems::begin(double scale) {
  scale_ = scale;
  enqueued_.clear();
  taken_ = 0;
  for (SweepOnDevice& sweep : sweeps_) sweep.items_left = sweep.items_of_message;
}

// Sends them to the device if they are not the ones there: where arrays are new.
void DeviceItems::tell_addresses(const Addresses& addresses) {
  if (told_ == addresses) return;
  DeviceDriver& driver = queue_->driver();
  if (!told_.empty()) driver.await(arrival_);
  told_ = addresses;
  std::ranges::copy(addresses, static_cast<std::byte**>(sent_.data()));
  driver.copy(queue_->stream(), table_.data(), sent_.data(), sent_.bytes());
  driver.record(queue_->stream(), arrival_);
}

void DeviceItems::enqueue(int task, const Addresses& addresses) {
  tell_addresses(addresses);
  const Task& item = program_->tasks[at(task)];
  const SweepOnDevice& sweep = sweeps_[at(program_->steps[at(item.step)].sweep)];
  DeviceDriver& driver = queue_->driver();
  const DeviceEvent event = events_[enqueued_.size()];
  enqueued_.push_back({task, now()});
  for (const DevicePass& pass : sweep.passes)
    pass.enqueue(queue_->stream(), at(item.index), static_cast<std::byte* const*>(table_.data()),
                 scale_);
  driver.record(queue_->stream(), event);
}

DeviceItems::Done DeviceItems::take_done() {
  if (is_idle() || !queue_->driver().has_happened(events_[taken_])) return {};
  const Enqueued& next = enqueued_[taken_++];
  const Task& item = program_->tasks[at(next.task)];
  SweepOnDevice& sweep = sweeps_[at(program_->steps[at(item.step)].sweep)];
  stored_.clear();
  for (const int message : sweep.messages_of_item[at(item.index)])
    if (--sweep.items_left[at(message)] == 0) stored_.push_back(message);
  const double began = std::max(next.began, std::exchange(last_done_, now()));
  return {next.task, began, last_done_ - began, stored_};
}

std::int64_t DeviceItems::table_bytes() const {
  std::int64_t bytes = 0;
  for (const SweepOnDevice& sweep : sweeps_)
    for (const DevicePass& pass : sweep.passes) bytes += pass.table_bytes();
  return bytes;
}

}  // namespace weft
