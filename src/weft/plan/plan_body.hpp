// plan/plan_body: what weft::AnyPlan points to - a strategy bound to a communicator and buffers.
// Keeps: agreement - all ranks hold the same strategy, and an error on one is an error on all.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/choose/checked_options.hpp"
#include "weft/choose/raced_choices.hpp"
#include "weft/choose/remembered.hpp"
#include "weft/comm/communicator.hpp"
#include "weft/detail.hpp"
#include "weft/exchange/message_route.hpp"
#include "weft/memory_use.hpp"
#include "weft/report.hpp"
#include "weft/run/call.hpp"
#include "weft/run/execution_slots.hpp"
#include "weft/run/run_events.hpp"
#include "weft/share.hpp"
#include "weft/ticket.hpp"
#include "weft/wavenumbers.hpp"

namespace weft {

/// What a plan is made of (plan/plan_builder).
struct PlanParts {
  std::shared_ptr<const Communicator> comm;
  Problem problem;     ///< validated, with the boxes of all ranks
  MessageRoute route;  ///< of messages, if devices compute and there are several ranks
  Device device;       ///< that holds the data of this rank and computes; none: the processors do
  Device through;      ///< or data stay in memory of the processor, and stream through this one
  std::int64_t device_bytes = 0;  ///< of the device, that the plan may take here
  Options options;                ///< of the user, with the engine that was taken
  std::string engine_choice;      ///< what was predicted for processors and devices, if that was
  std::optional<Remembered> remembered;
  std::shared_ptr<const Blueprint> blueprint;
  RaceReport raced;  ///< how the choices of the passes were found
  Share input, output;
  Progress progress = Progress::by_tiles;             ///< who takes runs further; not automatic
  std::shared_ptr<Scheduler> scheduler;               ///< of all slots
  std::unique_ptr<ExecutionSlots> slots;              ///< one at least; bound
  MemoryUse planned, most_planned;                    ///< of this rank, and the largest of any rank
  std::int64_t fewest_threads = 1, most_threads = 1;  ///< that a rank has
  bool shares_memory = false;
  bool takes_turns = false;  ///< some node has fewer cores than ranks
  bool is_logged = false;    ///< rank 0 tells the log about the plan
  int node_ranks = 1;

  /// Bytes of the array of this side; in place, of the one that holds both.
  std::int64_t array_bytes(const Share& share) const;
};

/// A distributed transform of element types known at run time; see AnyPlan for what has the same
/// name there. Destroying it is collective, as it frees communicators; after MPI_Finalize it frees
/// memory only.
class PlanBody {
 public:
  /// Runs what `recall` knows, if that is possible, without planning and trials. Collective over
  /// `comm`; errors as of AnyPlan.
  static std::unique_ptr<PlanBody> make(std::shared_ptr<const Communicator> comm,
                                        const Problem& problem, const Options& options,
                                        const Recall& recall = {});
  /// Does what make() does, but writes nothing to the log.
  static std::unique_ptr<PlanBody> make_unreported(std::shared_ptr<const Communicator> comm,
                                                   const Problem& problem, const Options& options,
                                                   const Recall& recall = {});

  Ticket start(const Call& call);

  const Problem& problem() const { return parts_.problem; }
  const Strategy& strategy() const { return parts_.blueprint->strategy; }
  const Machine& machine() const { return parts_.blueprint->machine; }
  const Share& input() const { return parts_.input; }
  const Share& output() const { return parts_.output; }
  const std::shared_ptr<const Communicator>& comm() const { return parts_.comm; }
  /// Who takes its transforms further; never automatic.
  Progress progress() const { return parts_.progress; }
  int threads() const { return parts_.blueprint->machine.threads(parts_.comm->rank()); }
  std::int64_t workspace_bytes() const;
  PlanMemory memory() const;
  std::shared_ptr<std::byte> allocate(std::int64_t bytes) const {
    return allocate(bytes, usual_memory());
  }
  std::shared_ptr<std::byte> allocate(std::int64_t bytes, Memory kind) const;
  Memory usual_memory() const {
    return parts_.device || parts_.through ? Memory::registered : Memory::host;
  }
  /// Whether a device holds the data and computes.
  bool computes_on_device() const { return static_cast<bool>(parts_.device); }
  std::string describe(Detail detail) const;
  /// "device 0: NVIDIA H200 at 0000:17:00.0"; empty if processors compute.
  std::string device_text() const;
  /// Tells the log about the plan. Collective.
  void report() const;
  /// Whether no run has failed on the way, so that others may follow. May differ between ranks.
  bool is_sound() const;
  /// Whether what runs was remembered.
  bool is_remembered() const { return parts_.remembered.has_value(); }

  RunReport forward() const { return runs(true); }
  RunReport backward() const { return runs(false); }
  /// From the next run on, events() and stream_spans() tell what happened. Not while a run is
  /// under way. Error::system if the driver makes no more events.
  void record_runs() const;
  /// What this rank sent, received and waited for in the last run in this direction.
  RunEvents events(bool is_forward) const;
  /// What streams of the device did in the last run in this direction; none if it is not known.
  std::vector<StreamSpan> stream_spans(bool is_forward) const;

 private:
  explicit PlanBody(PlanParts parts);
  void log_plan() const;
  void require_thread();
  void require_startable(const Call& call) const;
  void require_scale(double scale) const;
  void require_other_arrays(const Call& call, const Share& source, const Share& target) const;
  void require_unused(const Call& call, const Share& source, const Share& target) const;
  /// The slot that start number `start` of the plan takes.
  const std::shared_ptr<ExecutionSlot>& slot_of(std::size_t start) const;
  void require_sound() const;
  [[noreturn]] void refuse(ExecutionSlot& slot, const ErrorRecord& why);
  std::vector<StageReport> stages(bool is_forward, const Execution& execution) const;
  RunReport runs(bool is_forward) const;

  PlanParts parts_;
  std::size_t starts_ = 0;
  std::int64_t forward_runs_ = 0, backward_runs_ = 0;
  const ExecutionSlot *last_forward_, *last_backward_;
  std::int64_t largest_workspace_bytes_ = 0;  // of any rank
};

}  // namespace weft
