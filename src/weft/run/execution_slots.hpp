// run/execution_slots: the slots of a plan, from when it is made until all ranks have destroyed it.
#pragma once

#include <memory>
#include <vector>

#include "weft/run/execution_slot.hpp"

namespace weft {

/// A list whose head is never destroyed: what is in it may be used by MPI until the process ends.
template <class Kept>
union KeptList {
  std::shared_ptr<Kept> first;
  KeptList() : first(nullptr) {}
  ~KeptList() {}
  void add(std::shared_ptr<Kept> one, std::shared_ptr<Kept> Kept::*next) {
    (*one).*next = std::move(first);
    first = std::move(one);
  }
};

/// The slots of a plan. The destructor waits for their runs and closes them. Slots of a plan that
/// has failed keep their memory, as MPI may still use it. Collective, unless MPI has been
/// finalised.
class ExecutionSlots {
 public:
  ExecutionSlots() = default;
  ExecutionSlots(const ExecutionSlots&) = delete;
  ExecutionSlots& operator=(const ExecutionSlots&) = delete;
  ~ExecutionSlots();

  void add(std::shared_ptr<ExecutionSlot> slot);
  const std::vector<std::shared_ptr<ExecutionSlot>>& all() const { return all_; }
  /// The plan has been made on all ranks: from now on there may be runs, and failures of runs.
  void let_run() { may_run_ = true; }
  /// Ends what plans have left open that other ranks destroyed much later. Called at the beginning
  /// of MPI_Finalize.
  static void end_late();

 private:
  // The slots of a plan that some ranks have not destroyed yet: messages for it may still come.
  struct Ending {
    std::shared_ptr<FailureNotice> notice;
    std::vector<std::shared_ptr<ExecutionSlot>> slots;
    std::shared_ptr<Ending> next;
  };
  static KeptList<Ending>& endings();
  static bool close_ended() noexcept;
  static void close(std::vector<std::shared_ptr<ExecutionSlot>>& slots);
  bool end_everywhere();
  void keep_for_ever();

  std::vector<std::shared_ptr<ExecutionSlot>> all_;
  bool may_run_ = false;
  std::shared_ptr<Ending> ending_;  // made beforehand, as destructors do not allocate
};

}  // namespace weft
