// plan/race: runs several plans for one problem in turn, to see which is fastest.
// Keeps: agreement - all ranks run the same at the same time, and take the time of the slowest.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/options.hpp"
#include "weft/plan/plan_body.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

/// One of the plans, and the shortest times of its runs in either direction.
struct Contender {
  Options options;
  std::unique_ptr<PlanBody> plan = {};
  double forward = std::numeric_limits<double>::infinity(), backward = forward;
  std::vector<double> turns = {};  ///< there and back, turn by turn

  /// There and back; infinite before it has run.
  double seconds() const { return forward + backward; }
};

/// The part of the turns of both in which `a` took less time than `b`.
double wins(const Contender& a, const Contender& b);

class Race {
 public:
  /// Plans for `problem` with each of `all`, at least one, with arrays that take `bytes` on a rank.
  /// Here the first plan is made. Errors as of AnyPlan; Error::system if there is not enough memory
  /// for it. Collective.
  Race(const std::shared_ptr<const Communicator>& comm, const Problem& problem,
       const std::vector<Options>& all, std::int64_t bytes);

  /// How long to run; of plans that take more than `hopeless` times as long as the fastest, not
  /// more than `fewest` turns. Where there is no time for the fewest turns of all, the last plans
  /// may be left out.
  struct Turns {
    int fewest = 2, most = 8;
    double hopeless = 1.25;
    bool may_leave_out = false;
  };

  /// One alone has nothing to be compared with.
  static constexpr std::size_t fewest_plans = 2;

  /// Whether the fewest turns of so many plans take at most twice `seconds`, if one run there and
  /// one back take `once`.
  static bool has_time(double once, std::size_t plans, double seconds, const Turns& turns) {
    return once * turns.fewest * static_cast<double>(plans) <= 2 * seconds;
  }

  /// Runs all in turn, there and back, for about `seconds`, of which a first run of the first plan
  /// is no part. Returns false, and neither makes nor runs the others, if that one shows that the
  /// fewest turns, of two plans where others may be left out, would take more than twice as long.
  /// As many plans are made as there is memory for, all of which are there at the same time.
  /// Collective; an error of a run is one on all ranks; Error::system if there is not enough memory
  /// for a second one of several.
  bool run(double seconds, const Turns& turns);

  const std::vector<Contender>& all() const { return all_; }
  const Contender& fastest() const;

 private:
  void make_plan(std::size_t number);
  void make_others();
  void make_arrays();
  double timed(Contender& one, bool is_forward);

  std::shared_ptr<const Communicator> comm_;
  Problem problem_;
  std::int64_t bytes_;                   // of the arrays that programs have
  std::int64_t held_ = 0, largest_ = 0;  // bytes of all plans that were made, and of one of them
  std::vector<Contender> all_;
  std::shared_ptr<std::byte> input_, output_;
  std::int64_t input_bytes_ = 0, output_bytes_ = 0;
};

/// Whether transforms of this process are under way on any rank: a race would call their callbacks,
/// and must not be run. Collective.
bool is_too_busy_for_a_race(const Communicator& comm);

/// The options of a plan that does what `strategy` says, on the machine that `options` describe.
Options demanding(const std::string& strategy, const Options& options);

}  // namespace weft
