// run/run_array: the user's array in a run, and where the ranks of the node work on it.
// Keeps: arrays that are already where ranks can work on them are not copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "weft/device/region_memory.hpp"
#include "weft/run/array_points.hpp"

namespace weft {

/// Makes zeroed memory for a field: a SharedRegion if `shared`, else a Buffer.
std::shared_ptr<std::byte> field_memory(std::int64_t bytes, bool shared, int threads);

/// Memory that replaces those arrays on one side of a plan that the plan cannot work on: on a
/// device, arrays in memory of the processor; where data stream through a device, arrays that are
/// not registered; and what other ranks of the node work on, too, and cannot map. It is made when
/// it is first needed.
class StandIn {
 public:
  /// `bytes` is the size of the arrays, or 0 if none can need it. The memory is that of `device`,
  /// if the plan computes on one, else of the processor, and registered with the device that its
  /// data stream `through`, if there is one.
  /// On a device, arrays are needed whose addresses are multiples of `alignment`.
  explicit StandIn(std::int64_t bytes = 0, const Device& device = {}, const Device& through = {},
                   std::int64_t alignment = 1)
      : planned_bytes_(bytes), device_(device), through_(through), alignment_(alignment) {}
  /// Whether arrays may need it.
  bool is_needed() const { return planned_bytes_ > 0; }
  /// The device that the plan computes on.
  const Device& device() const { return device_; }
  /// The device that the plan's data stream through.
  const Device& through() const { return through_; }
  bool is_aligned(const std::byte* array) const {
    return reinterpret_cast<std::uintptr_t>(array) % static_cast<std::uintptr_t>(alignment_) == 0;
  }
  /// The memory. Error::system if there is not enough of it.
  const RegionMemory& memory();
  /// Its bytes; 0 if it has not been made.
  std::int64_t bytes() const { return memory_.bytes(); }

 private:
  std::int64_t planned_bytes_;
  Device device_, through_;
  std::int64_t alignment_;
  RegionMemory memory_;
};

/// The user's array in one run: what the run reads, or what it writes.
///
/// On a device, the copies below are enqueued in the stream of the run, and the caller sees to what
/// waits for them if is_copied():
/// - after fill_stand_in(stream), what is enqueued in this stream needs no more. Other ranks that
///   load from this array may be told that the run has begun when the copy has completed (an event
///   recorded after it has happened).
/// - take_from_stand_in(stream) is called when all that stores into the array has completed: what
///   other ranks store has been signalled, and what this rank stores is enqueued in `stream`. The
///   run has ended, and the user may use the array, when the copy has completed.
/// - the stand-in is filled again, or freed, after that: by the slot's next run.
class RunArray {
 public:
  RunArray() = default;
  /// An array of so many bytes that has its data at these `points`, which must outlive the run.
  /// Ranks work on it in `stand_in` if they cannot do so where it is:
  /// - a plan on the processor, if other ranks of the node work on it, too (`is_shared`), and no
  ///   SharedRegion of this process holds it;
  /// - a plan whose data stream through a device, if it is neither registered nor managed memory,
  ///   or as on the processor;
  /// - a plan on a device, if it is in memory of the processor or of another device, or not aligned
  ///   as the plan needs it, or, where other ranks work on it, in memory that they cannot map:
  ///   managed memory, and that of pools.
  /// Error::system if there is not enough memory for the stand-in. Of a run `in_graph`
  /// (ExecutionSlot::start): Error::invalid if a graph cannot copy the array, or the stand-in has
  /// not been made.
  RunArray(std::byte* given, std::int64_t bytes, const ArrayPoints& points, StandIn* stand_in,
           bool is_shared = true, bool in_graph = false);

  /// What the user gave.
  std::byte* given() const { return given_; }
  std::int64_t bytes() const { return bytes_; }
  /// The kind of memory that it is in. Of a plan without devices always Memory::host.
  Memory kind() const { return kind_; }
  /// Whether any of these bytes belongs to it.
  bool overlaps(const void* data, std::int64_t bytes) const;

  /// Where this rank works on it.
  std::byte* data() const { return data_; }
  /// Where the other ranks of the node do, if they may.
  const std::optional<RegionPlace>& shared() const { return shared_; }
  /// Whether the run works on a stand-in.
  bool is_copied() const { return data_ != given_; }
  /// If so, copies the points of the array there, and back from there: at once, or, of a plan on a
  /// device, in this stream of it (see above).
  void fill_stand_in(DeviceStream stream = {}) const;
  void take_from_stand_in(DeviceStream stream = {}) const;

 private:
  void copy(const std::byte* from, std::byte* to, DeviceStream stream) const;

  std::byte *given_ = nullptr, *data_ = nullptr;
  std::int64_t bytes_ = 0;
  Memory kind_ = Memory::host;
  const ArrayPoints* points_ = nullptr;
  DeviceDriver* driver_ = nullptr;
  std::optional<RegionPlace> shared_;
};

}  // namespace weft
