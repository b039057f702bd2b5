// plan/plan_body: what weft::AnyPlan points to - a strategy bound to a communicator and buffers.
// Keeps: agreement - all ranks hold the same strategy, and an error on one is an error on all.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/memory_use.hpp"
#include "weft/plan/checked_options.hpp"
#include "weft/plan/pass_trials.hpp"
#include "weft/plan/remembered.hpp"
#include "weft/report.hpp"
#include "weft/run/call.hpp"
#include "weft/run/execution_slot.hpp"
#include "weft/share.hpp"
#include "weft/ticket.hpp"
#include "weft/wavenumbers.hpp"

namespace weft {

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
  /// The same, without a word in the log.
  static std::unique_ptr<PlanBody> make_unreported(std::shared_ptr<const Communicator> comm,
                                                   const Problem& problem, const Options& options,
                                                   const Recall& recall = {});

  Ticket start(const Call& call);

  const Problem& problem() const { return problem_; }
  const Strategy& strategy() const { return blueprint_->strategy; }
  const Machine& machine() const { return blueprint_->machine; }
  const Share& input() const { return input_; }
  const Share& output() const { return output_; }
  const std::shared_ptr<const Communicator>& comm() const { return comm_; }
  /// Who takes its transforms further; never automatic.
  Progress progress() const { return progress_; }
  int threads() const { return blueprint_->machine.threads(comm_->rank()); }
  std::int64_t workspace_bytes() const;
  PlanMemory memory() const;
  std::shared_ptr<std::byte> allocate(std::int64_t bytes) const {
    return field_memory(bytes, shares_memory_ && node_ranks_ > 1, threads());
  }
  std::string describe() const;
  /// Tells the log about the plan. Collective.
  void report() const;
  /// Whether what runs was remembered.
  bool is_remembered() const { return remembered_.has_value(); }

  RunReport forward() const { return runs(true); }
  RunReport backward() const { return runs(false); }

 private:
  PlanBody(std::shared_ptr<const Communicator> comm, const Problem& problem);
  void plan(const Options& options, const Recall& recall);
  Machine find_machine(const Problem& r2c, const Options& options, const Recall& recall);
  std::string agreed_strategy(const Problem& r2c, const Machine& machine, const Options& options);
  std::string planned_text(const Problem& r2c, const Machine& machine, const Options& options);
  std::string purpose() const;
  void share_out();
  void require_planned_memory() const;
  /// Bytes of the array of this side; in place, of the one that holds both.
  std::int64_t array_bytes(const Share& share) const;
  void measure_choices(const Problem& asked, const Options& options);
  void log_plan() const;
  void take(MeasuredStrategy measured, const char* how);
  void check_blueprint() const;
  void plan_memory(const ExecutionSlot::Spec& spec, int in_flight);
  ExecutionSlot::Spec slot_spec(const Options& options);
  void make_slots(ExecutionSlot::Spec spec, int in_flight);
  void require_thread();
  void require_startable(const Call& call) const;
  void require_scale(double scale) const;
  void require_sound() const;
  [[noreturn]] void refuse(ExecutionSlot& slot, const ErrorRecord& why);
  static std::vector<StageReport> stages(const Execution& execution);
  RunReport runs(bool is_forward) const;

  std::shared_ptr<const Communicator> comm_;
  Problem problem_;
  std::shared_ptr<const Blueprint> blueprint_;
  std::shared_ptr<EngineSet> engines_;
  Share input_, output_;
  std::int64_t number_ = 0;  // the same on all ranks, and another one for another plan
  ExecutionSlots slots_;
  std::size_t starts_ = 0;
  std::int64_t forward_runs_ = 0, backward_runs_ = 0;
  const ExecutionSlot *last_forward_ = nullptr, *last_backward_ = nullptr;
  std::int64_t largest_workspace_bytes_ = 0;
  MemoryUse planned_, most_planned_;  // of this rank; the largest numbers of any rank
  std::int64_t fewest_threads_ = 1, most_threads_ = 1;  // of any rank
  Options options_;  // of the user, with the engine that was taken
  std::optional<Remembered> remembered_;
  Progress progress_ = Progress::by_tiles;
  std::string tried_;         // how the choices of the passes were found
  bool takes_turns_ = false;  // this rank, on the cores
  bool shares_memory_ = false;
  int node_ranks_ = 1;
};

}  // namespace weft
