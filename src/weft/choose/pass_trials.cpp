// choose/pass_trials: candidates, trials and the choice among them.

#include "weft/choose/pass_trials.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "weft/base/trace.hpp"
#include "weft/choose/common_engine.hpp"
#include "weft/choose/pass_candidates.hpp"
#include "weft/choose/pass_samples.hpp"
#include "weft/choose/turns.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/compute/trial.hpp"
#include "weft/fft/lanes/lanes.hpp"

namespace weft {

namespace {

// With fewer points a rank, a transform takes some microseconds, and trials cannot tell what is
// best.
constexpr std::int64_t least_points_per_rank = 4096;
// Candidates are made in the first part of the time of a round. Making one may take longer, as
// libraries make trials of their own; so turns have at least the second part. Choices.
constexpr double part_for_making = 0.5, least_part_for_turns = 0.4;
// All rounds together run each sample about so many times.
constexpr double expected_runs = 40;
// Two candidates run each sample so many times before anything is known.
constexpr double fewest_runs = 2 * fewest_turns;

// What is tried for a stage, there and back. Without trials: time was up.
struct Tried : Entrant {
  std::size_t place = 0;  // among the candidates of the stage, which is the group
  PassChoice choice;
  std::vector<Trial> trials;

  void run(int turn, TrialMemory& memory) {
    std::vector<double> seconds;
    for (Trial& trial : trials) seconds.push_back(trial.run(memory));
    add(turn, seconds);
  }
};

// A choice, and what it took.
struct TimedChoice {
  PassChoice choice;
  double seconds;
};

// The times of the slowest rank. What was not run in a turn on one rank was not run. Collective.
std::vector<Times> of_slowest(const Communicator& comm, std::span<const Tried> all) {
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  std::vector<std::int64_t> numbers;
  agree(comm, [&] {
    const auto add = [&](double seconds) {
      numbers.push_back(seconds == Times::none ? none : static_cast<std::int64_t>(1e9 * seconds));
    };
    for (const Tried& one : all) {
      add(one.times.is_told() ? one.times.seconds : Times::none);
      for (const double seconds : one.times.turns) add(seconds);
    }
  });
  comm.max_each(numbers);
  return agree(comm, [&] {
    std::vector<Times> times(all.size());
    auto number = numbers.begin();
    const auto next = [&] {
      const std::int64_t nanoseconds = *number++;
      return nanoseconds == none ? Times::none : 1e-9 * static_cast<double>(nanoseconds);
    };
    for (Times& each : times) {
      each.seconds = next();
      for (double& turn : each.turns) turn = next();
    }
    return times;
  });
}

class Trials {
 public:
  /// `names` are those of the engines to try; `width` is the usual width of lanes, if it is the
  /// same on all ranks. Not collective.
  Trials(const Communicator& comm, const Blueprint& blueprint, std::vector<std::string> names,
         std::int64_t width)
      : comm_(comm),
        shared_cache_bytes_(blueprint.machine.shared_cache_bytes),
        engines_(blueprint.strategy.engine),
        samples_(blueprint, comm.rank()),
        candidates_(samples_, engines_, std::move(names), width),
        rule_(blueprint.strategy),
        timed_(samples_.stages()),
        tiles_(samples_.threads()) {}

  /// Collective.
  void run_rounds(double seconds) {
    candidates_.agree_on_rules(comm_);
    agree(comm_, [&] {
      for (std::size_t stage = 0; stage < samples_.stages(); ++stage)
        if (samples_.has_choice(stage)) samples_.set(stage, candidates_.by_rule(stage));
      rule_ = samples_.strategy();
    });
    if (comm_.max(samples_.seconds_of_grains()) > seconds / fewest_runs) return;
    // It is freed before the plan has memory of its own. Samples that shrink keep it: the caches
    // must not hold all of it.
    agree(comm_,
          [&] { memory_ = TrialMemory(samples_.all(), shared_cache_bytes_, samples_.threads()); });
    if (seconds > 0) shrink_samples(seconds / expected_runs);
    // Most candidates, and FFTW's own trials, are in the first round.
    try_round(&PassCandidates::of_engines, 0.6 * seconds);
    try_round(&PassCandidates::of_first_axes, 0.2 * seconds);
    try_round(&PassCandidates::of_walks, 0.2 * seconds);
  }

  MeasuredChoices measured() const {
    MeasuredChoices choices{{samples_.strategy(), {}}, rule_};
    for (std::size_t stage = 0; stage < timed_.size(); ++stage)
      for (const TimedChoice& one : timed_[stage]) {
        const PassStage& pass = samples_.pass(stage);
        choices.measured.tried +=
            fmt::format("  {:>9.3f} ms  {}{}{}\n", 1e3 * one.seconds,
                        to_string(Stage(PassStage{pass.axes, {}})), to_string(one.choice),
                        one.choice == pass.choice ? "  (kept)" : "");
        ++choices.measured.candidates;
      }
    return choices;
  }

 private:
  using CandidatesOf = std::vector<PassChoice> (PassCandidates::*)(std::size_t stage) const;

  // Makes the samples so small that one run of each takes about `seconds` together, but not so
  // small that threads have less than a few tiles. Collective.
  void shrink_samples(double seconds) {
    double mine = 0;
    agree(comm_, [&] {
      for (const Sample& sample : samples_.all())
        mine += Trial(sample, tiles_, engines_, Effort::measure).run(memory_);
    });
    const double most = comm_.max(mine);
    if (most > seconds) agree(comm_, [&] { samples_.shrink(seconds / most); });
  }

  // The candidates of all stages, stage by stage. All stages get their first candidates before any
  // gets its second, until time is up.
  std::vector<Tried> prepared(CandidatesOf candidates_of, double end) {
    std::vector<Tried> all;
    std::size_t most = 0;
    for (std::size_t stage = 0; stage < samples_.stages(); ++stage) {
      if (!samples_.has_choice(stage)) continue;
      auto candidates = (candidates_.*candidates_of)(stage);
      if (candidates.size() < 2) continue;
      most = std::max(most, candidates.size());
      for (std::size_t place = 0; place < candidates.size(); ++place)
        all.push_back({{stage, {}, {}}, place, std::move(candidates[place]), {}});
    }
    for (std::size_t place = 0; place < most; ++place)
      for (Tried& one : all)
        if (one.place == place && now() < end) prepare(one);
    return all;
  }

  void prepare(Tried& tried) {
    const PassChoice before = samples_.pass(tried.group).choice;
    samples_.set(tried.group, tried.choice);
    try {
      for (const StageSample& at : samples_.of_stage(tried.group))
        tried.trials.emplace_back(samples_.all()[at.sample], tiles_, engines_, Effort::measure);
    } catch (const std::exception&) {
      // An engine that cannot do this, or too little memory: as if time were up. If the first
      // candidate, what the rule chooses, cannot be made, the plan will say so.
      tried.trials.clear();
    }
    samples_.set(tried.group, before);
  }

  void run(std::vector<Tried>& all, double end) {
    std::vector<Tried*> made;
    for (Tried& one : all)
      if (!one.trials.empty()) made.push_back(&one);
    const std::vector<Entrant*> entrants(made.begin(), made.end());
    run_in_turns(
        entrants, [&](std::size_t number, int turn) { made[number]->run(turn, memory_); },
        [&] { return now() > end; });
  }

  // Tries the candidates of all stages, and keeps the fastest of each. Collective.
  void try_round(CandidatesOf candidates_of, double seconds) {
    std::vector<Tried> tried;
    agree(comm_, [&] {
      const double begin = now(), end = begin + seconds;
      tried = prepared(candidates_of, begin + part_for_making * seconds);
      run(tried, std::max(end, now() + least_part_for_turns * seconds));
    });
    const std::vector<Times> times = of_slowest(comm_, tried);
    agree(comm_, [&] {
      for (std::size_t first = 0; first < tried.size();) {
        std::size_t last = first;
        while (last < tried.size() && tried[last].group == tried[first].group) ++last;
        choose(std::span(tried).subspan(first, last - first),
               std::span(times).subspan(first, last - first));
        first = last;
      }
    });
  }

  void choose(std::span<const Tried> tried, std::span<const Times> times) {
    const std::size_t chosen = kept(times), stage = tried.front().group;
    samples_.set(stage, tried[chosen].choice);
    for (std::size_t i = 0; i < tried.size(); ++i)
      if (times[i].is_told()) note(timed_[stage], {tried[i].choice, times[i].seconds});
  }

  // What one round keeps is tried in the next one, too: it is told once, with its shortest time.
  static void note(std::vector<TimedChoice>& all, TimedChoice timed) {
    const auto same = std::ranges::find(all, timed.choice, &TimedChoice::choice);
    if (same == all.end())
      all.push_back(std::move(timed));
    else
      same->seconds = std::min(same->seconds, timed.seconds);
  }

  const Communicator& comm_;
  std::int64_t shared_cache_bytes_;
  EngineSet engines_;
  PassSamples samples_;
  PassCandidates candidates_;
  Strategy rule_;
  std::vector<std::vector<TimedChoice>> timed_;  // for each stage
  TrialMemory memory_;
  TrialTiles tiles_;
};

}  // namespace

MeasuredChoices measured_choices(const Communicator& comm, const Blueprint& blueprint,
                                 const std::string& engine, double seconds) {
  std::vector<std::string> names;
  if (engine.empty())
    names = common_engines(comm);
  else
    agree(comm, [&] { names.push_back(engine); });
  const std::int64_t widest = comm.max(std::int64_t{usual_lane_width()});
  const std::int64_t width = comm.min(std::int64_t{usual_lane_width()}) == widest ? widest : 0;
  try {
    const auto trials = agree(
        comm, [&] { return std::make_unique<Trials>(comm, blueprint, std::move(names), width); });
    trials->run_rounds(seconds);
    return agree(comm, [&] { return trials->measured(); });
  } catch (const Error& error) {
    // A plan that has room for itself need not have it for trials.
    if (error.code() != Error::system) throw;
    return agree(comm, [&] {
      const std::string why = fmt::format("  nothing: {}\n", error.message());
      return MeasuredChoices{{blueprint.strategy, why, 0}, blueprint.strategy};
    });
  }
}

bool is_worth_trials(const Problem& problem, int ranks) {
  const std::int64_t points =
      std::max(volume(real_extents(problem)), volume(spectral_extents(problem)));
  return points * problem.batch >= least_points_per_rank * ranks;
}

}  // namespace weft
