// run/binder: from a strategy to a program - which step reads and writes which memory.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "weft/run/program.hpp"

namespace weft {

/// Builds one Program. All decisions are made here; running makes none.
class Binder {
 public:
  Binder(const Blueprint& blueprint, bool forward, Engine& engine);
  /// Collective; an error on one rank is an error on all.
  Program bind();

 private:
  // The user's arrays are the first storages.
  static constexpr int source_storage = 0, target_storage = 1;

  // A stage in the order of execution.
  struct Task {
    Stage stage;
    const Decomposition* real;      // before the forward stage
    const Decomposition* spectral;  // after it
    Scalar real_scalar, spectral_scalar;
    Cutting cutting;  // in this direction
  };

  // A user's array in which data rest on their way: with their giver, or with their taker.
  struct ArrayRest {
    int storage;
    bool with_taker;
  };

  bool is_pass(std::size_t step) const {
    return step < tasks_.size() && std::holds_alternative<PassStage>(tasks_[step].stage);
  }
  const Decomposition& before(std::size_t step) const;
  const Decomposition& after(std::size_t step) const;
  Scalar scalar_before(std::size_t step) const;
  Scalar scalar_after(std::size_t step) const;
  bool changes_nothing_but_values(std::size_t step) const;
  bool shares_memory(std::size_t step) const;

  void list_tasks();
  void place_user_arrays();
  bool user_arrays_collide() const;
  bool ends_where_it_starts(std::size_t last_exchange) const;
  void add_copy();
  void find_source_last_step();
  int add_storage(std::size_t first_step, std::size_t last_step);
  int storage_of(int rank, int storage);
  Patches array_of(int rank, int storage);
  std::optional<ArrayRest> rest_in_array(std::size_t step) const;
  std::size_t first_pass_before(std::size_t exchange) const;
  SharedSpec shared_spec(std::size_t step, int rest);
  Cutting cutting_of(std::size_t exchange) const;
  void require_tags() const;
  void make_exchange(std::size_t step);
  void make_rests();
  void make_passes();
  void make_kernels();
  void group_passes();
  void drop_empty_steps();
  void make_schedule();
  std::optional<std::vector<Blocks>> blocks_of(std::size_t first, std::size_t last) const;
  TileLimits tile_limits(std::size_t step) const;
  PassSpec pass_spec(std::size_t step) const;
  std::vector<std::vector<std::int64_t>> cuts_of(std::size_t step) const;
  bool tiles_stay_apart(const Patches& source, const Patches& target, Scalar target_scalar) const;
  bool reaches_others(const Patches& patches) const;
  bool is_target(int buffer) const;
  void use(const Patches& patches, std::size_t step);
  void assign_homes();
  void find_others_storages();

  const Blueprint& blueprint_;
  bool forward_;
  Engine& engine_;
  int rank_;
  int half_axis_ = -1;                // inner
  bool mixes_exchanges_ = false;      // some share memory, some do not
  bool overlaps_ = false;             // steps run at the same time
  bool arrays_match_ = false;         // in place: all ranks' source and target lie alike
  std::size_t source_last_step_ = 0;  // that reads the user's source
  std::vector<Task> tasks_;
  Patches source_, target_;                                // the user's arrays
  int next_tag_ = 0;                                       // of messages
  int last_role_ = 1;                                      // after the two arrays
  std::vector<std::pair<int, std::size_t>> others_steps_;  // storages of others, and who uses them
  std::int64_t target_bytes_ = 0;                          // of the user's target array
  std::vector<Patches> pass_sources_, pass_targets_;       // per step
  std::vector<bool> works_in_place_;  // per step: a pass on what the pass before stored
  std::vector<bool> joins_next_;      // per step: a pass that shares a sweep with the next
  Program program_;
};

}  // namespace weft
