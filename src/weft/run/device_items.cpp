// run/device_items: enqueues items, and asks for their events.

#include "weft/run/device_items.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/ensure.hpp"
#include "weft/base/trace.hpp"
#include "weft/program/index.hpp"

namespace weft {

DeviceItems::DeviceItems(const Program& program, DeviceQueue& queue, LibraryRoom* room)
    : DeviceItems(program, queue, room, nullptr) {}

DeviceItems::DeviceItems(const Program& program, TileSlots& slots)
    : DeviceItems(program, slots.queue(), nullptr, &slots) {}

DeviceItems::DeviceItems(const Program& program, DeviceQueue& queue, LibraryRoom* room,
                         TileSlots* slots)
    : program_(&program),
      queue_(&queue),
      room_(room),
      slots_(slots),
      marks_(queue, static_cast<std::size_t>(
                        std::ranges::count(program.tasks, Task::compute, &Task::kind))),
      enqueued_at_(program.tasks.size()) {
  for (const SweepProgram& sweep : program.sweeps) make_sweep(sweep);
  make_table();
}

DeviceItems::~DeviceItems() { queue_->driver().destroy(arrival_); }

void DeviceItems::make_sweep(const SweepProgram& sweep) {
  SweepOnDevice made;
  for (std::size_t p = 0; p < sweep.passes.size(); ++p)
    if (slots_ != nullptr)
      made.streamed.emplace_back(sweep, p, program_->buffers.size(), *slots_);
    else if (room_ != nullptr && !sweep.passes[p].spec.engines.empty())
      made.by_library.emplace_back(sweep, p, program_->buffers.size(), *room_);
    else
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
  const std::size_t more = slots_ != nullptr  ? TileSlots::slots * TileSlots::buffers
                           : room_ != nullptr ? 1
                                              : 0;
  table_bytes_of_run_ = (program_->buffers.size() + more) * sizeof(std::byte*);
  const std::size_t places = queue_->is_of_application() ? 1 + most_in_graphs : 1;
  const auto bytes = static_cast<std::int64_t>(places * table_bytes_of_run_);
  table_ = DeviceBuffer(driver, bytes);
  sent_ = DeviceBuffer(driver, bytes, Memory::registered);
  arrival_ = driver.make_event();
  told_.reserve(program_->buffers.size());
}

void DeviceItems::begin(double scale, bool in_graph) {
  scale_ = scale;
  in_graph_ = in_graph;
  graph_ = 0;
  marks_.begin();
  for (SweepOnDevice& sweep : sweeps_) sweep.items_left = sweep.items_of_message;
}

void DeviceItems::write_addresses(const Addresses& addresses, std::size_t place) {
  DeviceDriver& driver = queue_->driver();
  auto* const begin = static_cast<std::byte*>(sent_.data()) + place * table_bytes_of_run_;
  auto** next = reinterpret_cast<std::byte**>(begin);
  for (std::byte* const address : addresses) *next++ = driver.address_on_device(address);
  if (room_ != nullptr) *next++ = room_->lines();
  if (slots_ != nullptr)
    for (int slot = 0; slot < TileSlots::slots; ++slot)
      for (int buffer = 0; buffer < TileSlots::buffers; ++buffer)
        *next++ = slots_->buffer(slot, buffer);
}

// Sends them to the device if they are not the ones there: where arrays are new. The table is not
// overwritten before the items that use it, as their ends are in this stream.
void DeviceItems::tell_addresses(const Addresses& addresses) {
  if (told_ == addresses) return;
  DeviceDriver& driver = queue_->driver();
  if (!told_.empty()) driver.await(arrival_);
  told_ = addresses;
  write_addresses(addresses, 0);
  driver.copy(queue_->stream(), table_.data(), sent_.data(),
              static_cast<std::int64_t>(table_bytes_of_run_));
  driver.record(queue_->stream(), arrival_);
  if (slots_ != nullptr) slots_->follow();
}

// Each graph copies its table, as nobody knows which one is launched first.
void DeviceItems::tell_graph(const Addresses& addresses) {
  if (graph_ != 0) return;
  const auto known = std::ranges::find(in_graphs_, addresses);
  graph_ = static_cast<std::size_t>(known - in_graphs_.begin()) + 1;
  if (known == in_graphs_.end()) {
    ensure(has_room_in_graphs());
    write_addresses(addresses, graph_);
    in_graphs_.push_back(addresses);
  }
  const std::size_t at = graph_ * table_bytes_of_run_;
  queue_->driver().copy(queue_->stream(), static_cast<std::byte*>(table_.data()) + at,
                        static_cast<std::byte*>(sent_.data()) + at,
                        static_cast<std::int64_t>(table_bytes_of_run_));
}

void DeviceItems::enqueue(int task, const Addresses& addresses) {
  queue_->select();
  in_graph_ ? tell_graph(addresses) : tell_addresses(addresses);
  const Task& item = program_->tasks[at(task)];
  enqueued_at_[at(task)] = now();
  const SweepOnDevice& sweep = sweeps_[at(program_->steps[at(item.step)].sweep)];
  auto* const table = reinterpret_cast<std::byte* const*>(static_cast<std::byte*>(table_.data()) +
                                                          graph_ * table_bytes_of_run_);
  timed(queue_->times(), queue_->stream(), {StreamSpan::passes, item.step}, [&] {
    for (const DevicePass& pass : sweep.passes)
      pass.enqueue(queue_->stream(), at(item.index), table, scale_);
    for (const LibraryPass& pass : sweep.by_library)
      pass.enqueue(at(item.index), addresses, table, scale_);
  });
  for (const StreamedPass& pass : sweep.streamed)
    pass.enqueue(*slots_, at(item.index), table, scale_);
  if (slots_ != nullptr) slots_->join();
  if (!in_graph_) marks_.add(task);
}

DeviceItems::Done DeviceItems::take_done() {
  const int task = marks_.take();
  if (task < 0) return {};
  const Task& item = program_->tasks[at(task)];
  SweepOnDevice& sweep = sweeps_[at(program_->steps[at(item.step)].sweep)];
  stored_.clear();
  for (const int message : sweep.messages_of_item[at(item.index)])
    if (--sweep.items_left[at(message)] == 0) stored_.push_back(message);
  const double began = std::max(enqueued_at_[at(task)], std::exchange(last_done_, now()));
  return {task, began, last_done_ - began, stored_};
}

std::int64_t DeviceItems::table_bytes() const {
  std::int64_t bytes = 0;
  for (const SweepOnDevice& sweep : sweeps_) {
    for (const DevicePass& pass : sweep.passes) bytes += pass.table_bytes();
    for (const LibraryPass& pass : sweep.by_library) bytes += pass.table_bytes();
    for (const StreamedPass& pass : sweep.streamed) bytes += pass.table_bytes();
  }
  return bytes;
}

std::int64_t DeviceItems::streamed_bytes() const {
  std::int64_t bytes = 0;
  for (const SweepOnDevice& sweep : sweeps_)
    for (const StreamedPass& pass : sweep.streamed) bytes += pass.moved_bytes();
  return bytes;
}

}  // namespace weft
