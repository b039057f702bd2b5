// run/device_items: the items of a program that a device computes.
// Keeps: quiet execution - a run makes nothing; nobody waits for the device here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/device/device_buffer.hpp"
#include "weft/device/device_marks.hpp"
#include "weft/device/device_pass.hpp"
#include "weft/device/library_pass.hpp"
#include "weft/device/streamed_pass.hpp"
#include "weft/device/tile_slots.hpp"
#include "weft/memory/addresses.hpp"
#include "weft/program/program.hpp"

namespace weft {

/// Enqueues items, and tells when they have run.
class DeviceItems {
 public:
  /// Items run in the stream of a queue, in the order in which they are enqueued. `room` is for
  /// passes that name an engine: the library of the device transforms them; null if there are none.
  /// All three must outlive them. Waits until the tables of all passes are on the device.
  /// Error::unsupported, with the reason, for a pass that the device cannot run.
  DeviceItems(const Program& program, DeviceQueue& queue, LibraryRoom* room = nullptr);
  /// Items stream through slots, several at a time and in any order. Both must outlive them.
  DeviceItems(const Program& program, TileSlots& slots);
  DeviceItems(const DeviceItems&) = delete;
  DeviceItems& operator=(const DeviceItems&) = delete;
  ~DeviceItems();

  /// Begins a run, whose results are multiplied by `scale`. All items of the run before have run,
  /// or are of no interest any more. Of one `in_graph`, which the application captures, items are
  /// only enqueued, and take_done() has none.
  void begin(double scale, bool in_graph = false);
  /// With so many different arrays runs can be captured, as each graph keeps a table of addresses.
  static constexpr std::size_t most_in_graphs = 64;
  bool has_room_in_graphs() const { return in_graphs_.size() < most_in_graphs; }
  /// Whether an item comes after those that were enqueued before it. Else one that waits for
  /// another is enqueued when that one has run.
  bool keep_order() const { return slots_ == nullptr; }
  /// Enqueues the item of task `task`. The buffers that it works on are at `addresses`, on the
  /// device, or where the device can work on them.
  void enqueue(int task, const Addresses& addresses);
  /// Whether all items that are enqueued have been taken.
  bool is_idle() const { return marks_.is_empty(); }

  /// An item that has run.
  struct Done {
    int task = -1;                     ///< -1: there is none
    double began = 0;                  ///< when it was enqueued, and the one before had run
    double seconds = 0;                ///< from then on
    std::span<const int> stored = {};  ///< the messages that it was the last to store to
  };
  /// Takes the next item that has run.
  Done take_done();

  /// Bytes of the tables on the device.
  std::int64_t table_bytes() const;
  /// Bytes that the items of a run move between the device and memory of the processor.
  std::int64_t streamed_bytes() const;

 private:
  // The passes of a sweep, all of one of these kinds, and to which messages each item stores.
  struct SweepOnDevice {
    std::vector<DevicePass> passes;
    std::vector<LibraryPass> by_library;
    std::vector<StreamedPass> streamed;
    std::vector<std::vector<int>> messages_of_item;
    std::vector<int> items_of_message, items_left;
  };

  DeviceItems(const Program& program, DeviceQueue& queue, LibraryRoom* room, TileSlots* slots);
  void make_sweep(const SweepProgram& sweep);
  void make_table();
  void write_addresses(const Addresses& addresses, std::size_t place);
  void tell_addresses(const Addresses& addresses);
  void tell_graph(const Addresses& addresses);

  const Program* program_;
  DeviceQueue* queue_;
  LibraryRoom* room_;
  TileSlots* slots_;  // null: items run in the stream of the queue
  double scale_ = 1;
  bool in_graph_ = false;
  std::vector<SweepOnDevice> sweeps_;
  DeviceMarks marks_;                // by task
  std::vector<double> enqueued_at_;  // by task
  double last_done_ = 0;
  std::vector<int> stored_;

  // The addresses on the device, and a copy of them in registered memory on their way there. Behind
  // those of the run under way, each place is that of graphs, which copy from there: for good, as
  // nobody tells of their end.
  DeviceBuffer table_;
  DeviceBuffer sent_;
  std::size_t table_bytes_of_run_ = 0;
  Addresses told_;
  std::vector<Addresses> in_graphs_;  // by place
  std::size_t graph_ = 0;             // the place of the run under way; 0: it has none
  DeviceEvent arrival_;
};

}  // namespace weft
