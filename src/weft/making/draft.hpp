// making/draft: where the data of one rank are between the steps of a direction: its buffers,
// their lifetimes and homes, and the patches that passes load from and store to.
// Pure. Keeps: two buffers that are in use at the same time do not overlap.
#pragma once

#include <optional>
#include <vector>

#include "weft/making/exchange_layout.hpp"
#include "weft/making/node_exchange.hpp"
#include "weft/making/step_plan.hpp"

namespace weft {

/// The exchanges of one node, each computed when it is first needed, for all ranks of the node.
class NodeExchanges {
 public:
  NodeExchanges(const StepPlan& plan, int node) : plan_(&plan), node_(node), made_(plan.size()) {}
  /// Step `exchange`, whose redistribution is `moves`.
  const NodeExchange& of(std::size_t exchange, const Redistribution& moves);

 private:
  const StepPlan* plan_;
  int node_;
  std::vector<std::optional<NodeExchange>> made_;  // by step
};

/// The memory of one rank's program. The places of other ranks' buffers are known only after
/// link().
class Draft {
 public:
  /// `plan` must outlive the draft; `node` is that of the rank.
  Draft(const StepPlan& plan, int rank, NodeExchanges& node);

  int rank() const { return rank_; }
  const std::vector<BufferSpec>& buffers() const { return buffers_; }
  std::int64_t workspace_bytes() const { return workspace_bytes_; }
  /// The layout of an exchange, and the patches that a pass loads from and stores to. Arguments are
  /// steps of the plan.
  const ExchangeLayout& layout(std::size_t exchange) const { return layouts_[exchange]; }
  const Patches& source(std::size_t pass) const { return sources_[pass]; }
  const Patches& target(std::size_t pass) const { return targets_[pass]; }

  /// Copies the places of other ranks' buffers from the drafts of these ranks; of(rank) returns a
  /// rank's draft.
  template <class DraftOf>
  void link(const DraftOf& draft_of) {
    for (BufferSpec& buffer : buffers_)
      if (buffer.rank != rank_) buffer = draft_of(buffer.rank).buffer_with(buffer.role);
  }
  /// Forgets what only the program of this rank needs: layouts and patches. The ranks of a node
  /// need each other's buffers alone.
  void keep_buffers();
  /// The first step that works on a user's array of another rank, or stores to any memory of
  /// another rank; the number of steps if there is none. Called after link().
  std::size_t first_step_on_others() const;
  /// Whether this rank loads from or stores to memory of other ranks in this home. Called after
  /// link().
  bool works_on_others(Home home) const;

 private:
  struct Lifetime {
    std::size_t first = 0, last = 0;  // the first and the last step that use it
  };
  BufferSpec buffer_with(int role) const;
  int add_buffer(std::size_t first_step, std::size_t last_step);
  int buffer_of(int rank, int buffer);
  void lay_out(std::size_t exchange, NodeExchanges& node);
  void place_between_passes();
  void use(const Patches& patches, std::size_t step, bool stores);
  void use_all();
  void assign_homes();
  std::int64_t lowest_offset(std::size_t buffer, Home home,
                             const std::vector<std::size_t>& placed) const;

  const StepPlan* plan_;
  int rank_;
  int last_role_ = target_role;
  std::vector<BufferSpec> buffers_;
  std::vector<Lifetime> lifetimes_;  // by buffer
  std::vector<ExchangeLayout> layouts_;
  Patches source_, target_;  // the user's arrays
  std::vector<Patches> sources_, targets_;
  struct OthersUse {
    int buffer;
    std::size_t step;
    bool stores;
  };
  std::vector<OthersUse> others_uses_;  // where this rank uses buffers of other ranks
  std::int64_t workspace_bytes_ = 0;
};

}  // namespace weft
