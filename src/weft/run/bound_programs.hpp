// run/bound_programs: the programs of both directions of a plan, and what they are bound to.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/comm/failure_notice.hpp"
#include "weft/device/device_buffer.hpp"
#include "weft/device/device_queue.hpp"
#include "weft/device/library_room.hpp"
#include "weft/device/registration.hpp"
#include "weft/device/tile_slots.hpp"
#include "weft/exchange/nccl_channel.hpp"
#include "weft/fft/engine.hpp"
#include "weft/making/blueprint.hpp"
#include "weft/memory/buffer.hpp"
#include "weft/memory_use.hpp"
#include "weft/options.hpp"
#include "weft/run/execution.hpp"

namespace weft {

/// Both executions, which use one communicator and one workspace in turn.
class BoundPrograms {
 public:
  struct Spec {
    std::shared_ptr<const Blueprint> blueprint;
    std::array<Program, 2> programs;  ///< those of this rank: forward, backward
    Effort effort = Effort::estimate;
    int threads = 1;  ///< of this rank
    bool is_c2r = false;
    bool shares_memory = false;   ///< as Blueprint::shares_memory()
    bool sends_directly = false;  ///< MPI takes memory of devices itself (exchange/message_route)
    std::shared_ptr<NcclChannel> channel = {};  ///< of messages in groups, for all slots; or null
    void* stream = nullptr;         ///< of the application, for the work of the device; or null
    Device device = {};             ///< that computes; none: the processor does, unless
    Device through = {};            ///< data in memory of the processor stream through this device,
    std::int64_t device_bytes = 0;  ///< of which they may take so many bytes
  };
  /// Not collective.
  BoundPrograms(Spec spec, std::shared_ptr<EngineSet> engines);
  BoundPrograms(const BoundPrograms&) = delete;
  BoundPrograms& operator=(const BoundPrograms&) = delete;

  // All ranks make what runs need in these steps, and agree on errors after bind() and after
  // make_workspace(). These may fail on one rank alone, and share_memory() on one node: so all that
  // a plan runs at once share their memory before the first one makes its workspace.
  /// Takes a duplicate of `comm`, and tells the ranks of the node of each other. Collective.
  void join(const Communicator& comm);
  /// Makes all that other ranks have no part in. `notice` uses the communicator, too, if it uses
  /// none yet. Not collective.
  void bind(FailureNotice& notice);
  /// Tries how messages go. Collective.
  void connect();
  /// Makes the memory that the ranks of the node share. Collective over the node.
  void share_memory();
  /// Gives both directions the workspace that they use. Not collective.
  void make_workspace();
  /// Whether this rank's programs work on the input (output) arrays of other ranks; the largest of
  /// these numbers of all ranks are set when all have made their memory.
  std::array<std::int64_t, 2> uses_of_arrays() const;
  void set_shared_arrays(bool input, bool output);
  /// Frees all this. Collective, unless MPI has been finalised.
  void unbind();

  Execution& execution(bool is_forward) { return *executions_[is_forward != spec_.is_c2r ? 0 : 1]; }
  const Execution& execution(bool is_forward) const {
    return *executions_[is_forward != spec_.is_c2r ? 0 : 1];
  }
  const Communicator& comm() const { return comm_; }
  /// The ranks of this rank's node; null if every node has one rank.
  NodeGroup* node() { return node_ ? &*node_ : nullptr; }
  /// Whether ranks of a node work on each other's input (output) arrays, on any node.
  bool shares_input() const { return shares_input_; }
  bool shares_output() const { return shares_output_; }
  /// Whether this rank may: its node has others.
  bool has_neighbours() const { return node_ && node_->size() > 1; }
  /// Where the work of the device is enqueued; null if the processor computes.
  DeviceQueue* queue() { return queue_.get(); }
  /// Whether the application captures the stream that it has given in a graph.
  Capture capture() const;
  /// Where data stream through a device: waits until all has happened that the application has
  /// enqueued in its stream, or, without one, in the default stream of the driver, as the
  /// processor copies and sends what kernels of the application may still be writing.
  void await_application();
  /// Waits until the device has done all that is enqueued, even if something has failed.
  void settle() noexcept;
  /// The turn of this slot's runs whose messages go in groups.
  GroupTurns::Turn& turn() { return *turn_; }
  /// A run of the plan has failed on this rank or another one: ends all its groups of messages.
  void give_up_groups(const FailureNotice& notice) noexcept;
  /// From the next run on, records all tasks and waits, and when streams of the device did what.
  /// Not while one is under way. Error::system if the driver makes no more events.
  void record_runs();
  /// Begins to time a run, if runs are timed, which those `in_graph` are not.
  void begin_times(bool is_forward, bool in_graph);
  /// What streams did in the last run in this direction; none if it is not known.
  std::vector<StreamSpan> stream_spans(bool is_forward) const;
  /// What has been allocated for the workspace, the tiles and the programs.
  MemoryUse memory() const;

 private:
  std::int64_t workspace_bytes() const;
  Binding binding();
  void make_room();

  Spec spec_;
  Communicator comm_;
  std::shared_ptr<EngineSet> engines_;
  std::optional<NodeGroup> node_;
  std::array<std::vector<Communicator>, 2> groups_;    // of the exchanges, until they are made
  std::array<std::unique_ptr<StreamTimes>, 2> times_;  // forward, backward
  std::unique_ptr<DeviceQueue> queue_;
  std::optional<GroupTurns::Turn> turn_;
  std::unique_ptr<LibraryRoom> room_;  // of the library of the device, if some pass is by it
  std::unique_ptr<TileSlots> slots_;   // where data stream through a device
  Buffer workspace_;                   // this rank's workspace, if no exchange shares memory
  Registration registration_;          // of the workspace, where data stream through a device
  DeviceBuffer device_workspace_;      // the same on a device
  NodeGroup::Window windows_;          // else the workspaces of all ranks of the node
  // Those of c2r are the directions of the r2c that it reverses.
  std::array<std::optional<Execution>, 2> executions_;
  bool shares_input_ = false, shares_output_ = false;
};

}  // namespace weft
