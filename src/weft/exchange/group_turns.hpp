// exchange/group_turns: which run may start groups of messages on a device.
// Keeps: on all ranks, groups of the runs of a plan start in the order of these runs, and no groups
// of two plans are under way at the same time.
#pragma once

namespace weft {

/// The runs of a plan that have started, on this rank. Groups take processors of the device until
/// all their messages have come; two ranks that start the groups of two runs in different orders
/// may wait for each other for ever. So the runs of a plan, which are started in the same order on
/// all ranks, start their groups one after the other. Plans may be started in different orders: of
/// these, one at a time has groups in a process, and the runs of others find that they cannot.
class GroupTurns {
 public:
  GroupTurns() = default;
  GroupTurns(const GroupTurns&) = delete;
  GroupTurns& operator=(const GroupTurns&) = delete;

  /// Whether a run of any plan may have groups under way in this process.
  static bool are_held();

  /// One run at a time of one of the slots of the plan.
  class Turn {
   public:
    /// `turns` must outlive it; null: no run has groups.
    explicit Turn(GroupTurns* turns) : turns_(turns) {}
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() { leave(); }

    /// A run starts, in the order in which all ranks start the runs of the plan. Returns whether no
    /// other plan has groups under way in this process; then none has until leave().
    bool enter();
    /// Whether the runs that started earlier have started all groups that they will start.
    bool is_next() const;
    /// The run has started its groups, or will have none.
    void pass() { has_passed_ = true; }
    /// The run has ended on this rank, groups included, or will have none.
    void leave() noexcept;

   private:
    friend class GroupTurns;
    GroupTurns* turns_;
    Turn *before_ = nullptr, *after_ = nullptr;
    bool is_entered_ = false, has_passed_ = false, holds_ = false;
  };

 private:
  bool hold();
  void let_go() noexcept;

  Turn *first_ = nullptr, *last_ = nullptr;
};

}  // namespace weft
