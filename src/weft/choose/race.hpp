// choose/race: runs several plans for one problem in turn, to see which is fastest.
// Keeps: agreement - all ranks run the same at the same time, and take the time of the slowest.
#pragma once

#include <memory>
#include <vector>

#include "weft/choose/raced_plan.hpp"
#include "weft/choose/turns.hpp"
#include "weft/comm/communicator.hpp"
#include "weft/options.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

/// One of the plans; a run goes there and back.
struct Contender : Entrant {
  explicit Contender(const Options& options_);

  double seconds() const { return times.seconds; }

  Options options;
  std::unique_ptr<RacedPlan> plan;
};

/// For whom plans are raced.
struct RaceSetting {
  std::shared_ptr<const Communicator> comm;
  MakeRacedPlan make;
  const Problem& problem;  ///< as the user gave it
  const Options& options;
  std::int64_t array_bytes;  ///< of the largest input and output of a rank together
  bool takes_turns = false;  ///< this rank takes turns with others on the cores
};

class Race {
 public:
  /// Plans for `problem` with each of `all`, at least one, with arrays that take `bytes` on a rank.
  /// Here the first plan is made. Errors as of AnyPlan; Error::system if there is not enough memory
  /// for it. Collective.
  Race(const std::shared_ptr<const Communicator>& comm, MakeRacedPlan make, const Problem& problem,
       const std::vector<Options>& all, std::int64_t bytes);

  /// One alone has nothing to be compared with.
  static constexpr std::size_t fewest_plans = 2;

  /// Whether the fewest turns of so many plans take at most twice `seconds`, if one run there and
  /// one back take `once`.
  static bool has_time(double once, std::size_t plans, double seconds) {
    return once * fewest_turns * static_cast<double>(plans) <= 2 * seconds;
  }

  /// Runs all in turn, there and back, for about `seconds`, of which a first run of the first plan
  /// is no part. The last plans are left out if that one shows that the fewest turns of all would
  /// take more than twice as long; if two plans would, too, it returns false, and neither makes nor
  /// runs others. As many plans are made as there is memory for, all of which are there at the same
  /// time. Collective; an error of a run is one on all ranks; Error::system if there is not enough
  /// memory for a second one of several.
  bool run(double seconds);

  const std::vector<Contender>& all() const { return all_; }
  /// What the first run of the first plan took, there and back.
  double first_seconds() const { return first_seconds_; }
  /// The one that is kept, as kept() says.
  const Contender& kept(std::size_t peers = 1) const;

 private:
  void make_plan(std::size_t number);
  void make_others();
  void make_arrays();
  double timed(Contender& one, bool is_forward);

  std::shared_ptr<const Communicator> comm_;
  MakeRacedPlan make_;
  Problem problem_;
  RacedBytes bytes_;
  std::vector<Contender> all_;
  double first_seconds_ = Times::none;
  std::shared_ptr<std::byte> input_, output_;
  std::int64_t input_bytes_ = 0, output_bytes_ = 0;
};

/// Whether transforms of this process are under way on any rank: a race would call their callbacks,
/// and must not be run. Collective.
bool is_too_busy_for_a_race(const Communicator& comm);

/// The options of a plan that does what `strategy` says, on the machine that `options` describe.
Options demanding(const std::string& strategy, const Options& options);

}  // namespace weft
