// plan/pass_trials: candidates, trials and the choice among them.

#include "weft/plan/pass_trials.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "weft/base/trace.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/compute/trial.hpp"
#include "weft/fft/lanes/lanes.hpp"
#include "weft/making/maker.hpp"
#include "weft/making/sample.hpp"
#include "weft/plan/common_engine.hpp"
#include "weft/plan/walk_rule.hpp"
#include "weft/problem/axis_transform.hpp"
#include "weft/problem/line_transform.hpp"

namespace weft {

namespace {

// A sample loads as much as this. A choice: walking it takes some milliseconds.
constexpr std::int64_t sample_bytes = std::int64_t{8} << 20;
// Where grains are large, it loads more, up to this for each thread, so that each has so many: of a
// thread's last two, and the first one, none is prefetched (compute/grain_share). When time is
// short, it has the fewest.
constexpr std::int64_t most_bytes_of_a_thread = 2 * sample_bytes;
constexpr std::int64_t usual_grains = 8, fewest_grains = 5;
// With fewer points a rank, a transform takes some microseconds, and trials cannot tell what is
// best.
constexpr std::int64_t least_points_per_rank = 4096;
// What is to replace the rule's choice must take less than this part of its time. A choice: runs of
// the same code differ by a few percent.
constexpr double least_gain = 0.95;
// Candidates run in so many turns. After the fewest, those that take longer than the fastest by
// this factor do not run again. A choice: what else runs on a machine may slow a few turns down by
// half.
constexpr int fewest_turns = 3, most_turns = 6;
constexpr double hopeless = 1.2;
// What has run in fewer turns than this was not tried: one run tells nothing on a machine that does
// something else, too.
constexpr int least_turns = 2;
// Candidates are made in the first part of the time of a round. Making one may take longer, as
// libraries make trials of their own; so turns have at least the second part. Choices.
constexpr double part_for_making = 0.5, least_part_for_turns = 0.4;
// All rounds together run each sample about so many times.
constexpr double expected_runs = 40;
// Two candidates run each sample so many times before anything is known.
constexpr double fewest_runs = 2 * least_turns;
constexpr std::int64_t not_tried = std::numeric_limits<std::int64_t>::max();

// What a sweep loads.
std::int64_t loaded_bytes(const SweepProgram& sweep) {
  const PassProgram& pass = sweep.passes.front();
  std::int64_t points = 0;
  for (const Tile& tile : pass.tiles)
    points += (pass.spec.forward ? tile.real : tile.spectral).volume();
  return points * pass.spec.source_scalar().bytes();
}

// A sample of one sweep, the pass of it that executes a stage, and what that one does by rule.
struct StageSample {
  std::size_t sample, pass;
  WalkRule rule;
};

class Trials {
 public:
  /// `names` are those of the engines to try; `width` is the usual width of lanes, if it is the
  /// same on all ranks. Not collective.
  Trials(const Communicator& comm, const Blueprint& blueprint, std::vector<std::string> names,
         std::int64_t width)
      : comm_(comm),
        blueprint_(blueprint),
        threads_(blueprint.machine.threads(comm.rank())),
        engines_(blueprint.strategy.engine),
        names_(std::move(names)),
        width_(width),
        strategy_(blueprint.strategy),
        tiles_(threads_) {
    make_samples();
  }

  /// Collective.
  void run_rounds(double seconds) {
    agree_on_rules();
    if (comm_.max(seconds_of_grains()) > seconds / fewest_runs) return;
    // It is freed before the plan has memory of its own. Samples that shrink keep it: the caches
    // must not hold all of it.
    agree(comm_, [&] {
      memory_ = TrialMemory(samples_, blueprint_.machine.shared_cache_bytes, threads_);
    });
    if (seconds > 0) shrink_samples(seconds / expected_runs);
    // Most candidates, and FFTW's own trials, are in the first round.
    try_round([&](std::size_t stage) { return candidates_for_engines(stage); }, 0.6 * seconds);
    try_round([&](std::size_t stage) { return candidates_for_first_axes(stage); }, 0.2 * seconds);
    try_round([&](std::size_t stage) { return candidates_for_walks(stage); }, 0.2 * seconds);
  }

  MeasuredChoices measured() const {
    MeasuredChoices choices{{strategy_, {}}, rule_};
    for (const std::string& line : lines_) choices.measured.tried += line;
    return choices;
  }

 private:
  void make_samples() {
    const std::size_t stages = strategy_.stages.size();
    of_stage_.resize(stages);
    lines_.resize(stages);
    for (const bool forward : {true, false}) {
      const Program program = make_program(blueprint_, forward, comm_.rank());
      for (const SweepProgram& sweep : program.sweeps) {
        samples_.push_back(sample_of(sweep, bytes_for(sweep, sample_bytes, usual_grains),
                                     blueprint_.problem.in_place));
        for (std::size_t p = 0; p < sweep.passes.size(); ++p) {
          const PassSpec& spec = sweep.passes[p].spec;
          if (spec.stage < 0) continue;
          of_stage_[static_cast<std::size_t>(spec.stage)].push_back(
              {samples_.size() - 1, p, walk_rule(spec)});
        }
      }
    }
  }

  // All ranks begin with the same choices and try the same, although they may have more or less to
  // do, and different processors: what the rule of any rank says. Collective.
  void agree_on_rules() {
    std::vector<std::int64_t> rules;
    agree(comm_, [&] {
      for (std::size_t stage = 0; stage < of_stage_.size(); ++stage) {
        for (const auto what : WalkRule::all())
          rules.push_back(std::ranges::any_of(
              of_stage_[stage], [&](const StageSample& at) { return at.rule.*what; }));
        for (const std::string& name : names_)
          rules.push_back(has_choice(stage) && has_columns(stage) && keeps_columns(name, stage));
      }
    });
    comm_.max_each(rules);
    agree(comm_, [&] {
      auto rule = rules.begin();
      for (std::size_t stage = 0; stage < of_stage_.size(); ++stage) {
        WalkRule& walk = walks_.emplace_back();
        for (const auto what : WalkRule::all()) walk.*what = *rule++ != 0;
        for (const std::string& name : names_) prefers_columns_[{name, stage}] = *rule++ != 0;
      }
      for (std::size_t stage = 0; stage < of_stage_.size(); ++stage)
        if (has_choice(stage)) set(stage, by_rule(stage));
      rule_ = strategy_;
    });
  }

  // What the walks over one grain of each sample take, of which no sample has fewer; 0 if speeds
  // are not known.
  double seconds_of_grains() const {
    const double speed = blueprint_.machine.speeds.walked_bytes_per_second;
    double bytes = 0;
    for (const Sample& sample : samples_)
      if (!sample.sweep.order.empty())
        bytes += 2.0 * static_cast<double>(loaded_bytes(sample.sweep)) /
                 static_cast<double>(sample.sweep.order.size());
    return speed > 0 ? bytes / speed : 0;
  }

  // What a sample is to load: `bytes`, or more if threads then have fewer than so many grains.
  std::int64_t bytes_for(const SweepProgram& sweep, std::int64_t bytes, std::int64_t grains) const {
    if (sweep.order.empty()) return bytes;
    const std::int64_t of_grain = loaded_bytes(sweep) / std::ssize(sweep.order);
    return std::max(bytes, threads_ * std::min(most_bytes_of_a_thread, grains * of_grain));
  }

  // Makes the samples so small that one run of each takes about `seconds` together, but not so
  // small that threads have less than a few tiles. Collective.
  void shrink_samples(double seconds) {
    double mine = 0;
    agree(comm_, [&] {
      for (const Sample& sample : samples_) {
        Trial trial(sample, tiles_, engines_, Effort::measure);
        trial.run(memory_);
        mine += trial.seconds();
      }
    });
    const double most = comm_.max(mine);
    if (most <= seconds) return;
    agree(comm_, [&] {
      for (Sample& sample : samples_) {
        const double bytes = static_cast<double>(loaded_bytes(sample.sweep)) * seconds / most;
        const std::int64_t least = blueprint_.machine.cache_bytes * threads_;
        sample = sample_of(
            sample.sweep, bytes_for(sample.sweep, std::max(static_cast<std::int64_t>(bytes), least),
                                    fewest_grains));
      }
    });
  }

  PassStage& pass(std::size_t stage) { return std::get<PassStage>(strategy_.stages[stage]); }
  const PassStage& pass(std::size_t stage) const {
    return std::get<PassStage>(strategy_.stages[stage]);
  }
  bool has_choice(std::size_t stage) const {
    return std::holds_alternative<PassStage>(strategy_.stages[stage]) && !pass(stage).axes.empty();
  }
  std::int64_t points_along(int axis) const {
    const KeptLine& kept = blueprint_.route.states.kept(axis);
    return kept.is_all() ? blueprint_.route.before[0].extents()[axis] : kept.points;
  }

  // Whether lines of the last axis of a pass may be columns.
  bool has_columns(std::size_t stage) const {
    const int last = pass(stage).axes.back();
    const StageSample& at = of_stage_[stage].front();
    const int run_axis = samples_[at.sample].sweep.passes[at.pass].spec.limits.run_axis;
    const int innermost = blueprint_.route.before[0].extents().size() - 1;
    return last != (run_axis >= 0 ? run_axis : innermost) && points_along(last) > 1;
  }
  Basis basis(int axis) const {
    return basis_of(blueprint_.problem, blueprint_.route.input_view().user_axis(axis));
  }
  bool is_fourier(int axis) const { return basis(axis) == Basis::fourier; }
  // The rule of an engine on this rank, for a pass that has columns.
  bool keeps_columns(const std::string& name, std::size_t stage) {
    const int axis = pass(stage).axes.back();
    // Types II and III, of which one is the way back of the other, are alike.
    const Basis sums = is_fourier(axis)
                           ? Basis::fourier
                           : line_transform(basis(axis), true, blueprint_.problem.norm).kind;
    return engines_.of(name).keeps_columns(points_along(axis), sums);
  }
  bool prefers_columns(const std::string& name, std::size_t stage) const {
    const auto found = prefers_columns_.find({name, stage});
    return found != prefers_columns_.end() && found->second;
  }
  // What a pass does without a choice, in words of a choice.
  PassChoice by_rule(std::size_t stage) {
    PassChoice choice;
    if (has_columns(stage)) choice.keeps_columns = prefers_columns(strategy_.engine, stage);
    return choice;
  }

  // Makes `choice` that of a stage, in the strategy and in all samples.
  void set(std::size_t stage, const PassChoice& choice) {
    pass(stage).choice = choice;
    for (const StageSample& at : of_stage_[stage]) {
      PassSpec& spec = samples_[at.sample].sweep.passes[at.pass].spec;
      spec.engines = choice.engines;
      spec.keeps_columns = choice.keeps_columns;
      spec.prefetches = choice.prefetches.value_or(at.rule.prefetches);
      // What the rule says of a sample, whose rows may lie closer, is not what it says of the pass.
      spec.loads_directly = at.rule.loads_directly;
      spec.stores_directly = at.rule.stores_directly;
      if (at.rule.tries_loads && choice.loads_directly) spec.loads_directly = choice.loads_directly;
      if (at.rule.tries_stores && choice.stores_directly)
        spec.stores_directly = choice.stores_directly;
    }
  }

  // ---- candidates; the first is what was chosen before

  // Whether an engine has lanes for the columns of a pass.
  bool has_lanes(const std::string& name, std::size_t stage) const {
    return name.starts_with("weft") && prefers_columns(name, stage);
  }
  // The engines that are tried for axes of a pass: the strategy's, oneMKL, FFTW unless these are
  // columns, which lanes take where they are faster, and of other lanes the two widest.
  std::vector<std::string> engines_for(std::size_t stage, bool are_columns) {
    std::vector<std::string> some;
    // For what is not Fourier other libraries are FFTW, too; lanes of other widths are not tried.
    if (std::ranges::none_of(pass(stage).axes, [&](int axis) { return is_fourier(axis); }))
      return {strategy_.engine};
    int lanes = 0;
    for (const std::string& name : names_) {
      if (name != strategy_.engine) {
        if (name == "fftw" && strategy_.engine.starts_with("weft") && are_columns) continue;
        if (name.starts_with("weft") &&
            (is_same_width(name) || !has_lanes(name, stage) || ++lanes > 2))
          continue;
      }
      some.push_back(name);
    }
    // Most plans take it for all axes, and its lanes are made at once.
    std::ranges::stable_partition(some, [&](auto& name) { return name == strategy_.engine; });
    return some;
  }
  // Whether an engine for lanes of one width is what the engine weft is here.
  bool is_same_width(const std::string& name) const {
    return strategy_.engine == "weft" && name == fmt::format("weft{}", width_);
  }
  // Every engine for all axes, with columns as columns and made contiguous.
  std::vector<PassChoice> candidates_for_engines(std::size_t stage) {
    std::vector<PassChoice> all{pass(stage).choice};
    for (const std::string& name : engines_for(stage, has_columns(stage)))
      for (const bool columns : {true, false}) {
        if (columns && !has_columns(stage)) continue;
        // Lanes of other widths differ from those of the strategy's engine only in how they
        // transform columns, so without columns they are not tried.
        if (!columns && name != strategy_.engine && name.starts_with("weft")) continue;
        PassChoice choice = all.front();
        if (name != strategy_.engine) choice.engines = {name};
        if (has_columns(stage)) choice.keeps_columns = columns;
        if (choice != all.front()) all.push_back(std::move(choice));
      }
    return all;
  }
  // Other engines for all axes but the last, whose lines are contiguous in most passes.
  std::vector<PassChoice> candidates_for_first_axes(std::size_t stage) {
    const PassChoice before = pass(stage).choice;
    std::vector<PassChoice> all{before};
    const std::size_t axes = pass(stage).axes.size();
    const std::string last = before.engines.empty() ? strategy_.engine : before.engines.back();
    for (const std::string& name : engines_for(stage, false)) {
      if (axes < 2 || name == last || name.starts_with("weft")) continue;
      PassChoice choice = before;
      choice.engines.assign(axes, name);
      choice.engines.back() = last;
      all.push_back(std::move(choice));
    }
    return all;
  }
  // What the rule does not do: prefetches, or none; loads and stores through buffers, or directly.
  std::vector<PassChoice> candidates_for_walks(std::size_t stage) {
    const PassChoice& before = pass(stage).choice;
    const WalkRule& rule = walks_[stage];
    std::vector<PassChoice> all{before, before};
    all.back().prefetches = !rule.prefetches;
    for (const bool other_loads : {false, true})
      for (const bool other_stores : {false, true}) {
        if (!other_loads && !other_stores) continue;
        if ((other_loads && !rule.tries_loads) || (other_stores && !rule.tries_stores)) continue;
        PassChoice& choice = all.emplace_back(before);
        if (other_loads) choice.loads_directly = !rule.loads_directly;
        if (other_stores) choice.stores_directly = !rule.stores_directly;
      }
    return all;
  }

  // ---- trials

  // What is tried for a stage, there and back. Without trials: time was up.
  struct Tried {
    std::size_t stage;
    std::size_t place;  // among the candidates of the stage
    PassChoice choice;
    std::vector<Trial> trials;
    int turns = 0;

    bool is_tried() const { return !trials.empty() && turns >= least_turns; }
    double seconds() const {
      double all = trials.empty() ? std::numeric_limits<double>::infinity() : 0;
      for (const Trial& trial : trials) all += trial.seconds();
      return all;
    }
  };

  // The candidates of all stages, stage by stage. All stages get their first candidates before any
  // gets its second, until time is up.
  template <class CandidatesOf>
  std::vector<Tried> prepared(const CandidatesOf& candidates_of, double end) {
    std::vector<Tried> all;
    std::size_t most = 0;
    for (std::size_t stage = 0; stage < of_stage_.size(); ++stage) {
      if (!has_choice(stage)) continue;
      auto candidates = candidates_of(stage);
      if (candidates.size() < 2) continue;
      most = std::max(most, candidates.size());
      for (std::size_t place = 0; place < candidates.size(); ++place)
        all.push_back({stage, place, std::move(candidates[place]), {}, 0});
    }
    for (std::size_t place = 0; place < most; ++place)
      for (Tried& one : all)
        if (one.place == place && now() < end) prepare(one);
    return all;
  }

  void prepare(Tried& tried) {
    const PassChoice before = pass(tried.stage).choice;
    set(tried.stage, tried.choice);
    try {
      for (const StageSample& at : of_stage_[tried.stage])
        tried.trials.emplace_back(samples_[at.sample], tiles_, engines_, Effort::measure);
    } catch (const std::exception&) {
      // An engine that cannot do this, or too little memory: as if time were up. If the first
      // candidate, what the rule chooses, cannot be made, the plan will say so.
      tried.trials.clear();
    }
    set(tried.stage, before);
  }

  // Runs all in turn, so that what else the machine does meets all of them. After the first turns,
  // only those that may still be the fastest run. Time may be up in the second turn, so it begins
  // with what others are compared with, and with those that were the fastest in the first one. The
  // first other one of each stage is tried in any case, if it has been made.
  void run(std::vector<Tried>& all, double end) {
    std::vector<Tried*> order;
    order.reserve(all.size());
    for (Tried& one : all) order.push_back(&one);
    for (int turn = 0; turn < most_turns; ++turn) {
      if (turn == 1)
        std::ranges::stable_sort(order, {}, [&](const Tried* one) {
          if (one->place == 0) return 0.0;
          const double seconds = one->seconds(), best = best_of(all, one->stage);
          if (seconds == std::numeric_limits<double>::infinity()) return seconds;
          return best > 0 ? seconds / best : 1.0;
        });
      for (Tried* one : order) {
        const bool is_tried_anyway = turn < least_turns && one->place < 2;
        if (!is_tried_anyway && now() > end) continue;
        if (turn >= fewest_turns && one->seconds() >= hopeless * best_of(all, one->stage)) continue;
        for (Trial& trial : one->trials) trial.run(memory_);
        ++one->turns;
      }
    }
  }
  static double best_of(const std::vector<Tried>& all, std::size_t stage) {
    double best = std::numeric_limits<double>::infinity();
    for (const Tried& one : all)
      if (one.stage == stage) best = std::min(best, one.seconds());
    return best;
  }

  // Tries the candidates of all stages, and keeps the fastest of each. Collective.
  template <class CandidatesOf>
  void try_round(const CandidatesOf& candidates_of, double seconds) {
    std::vector<Tried> tried;
    std::vector<std::int64_t> times;
    agree(comm_, [&] {
      const double begin = now(), end = begin + seconds;
      tried = prepared(candidates_of, begin + part_for_making * seconds);
      run(tried, std::max(end, now() + least_part_for_turns * seconds));
      for (const Tried& one : tried)
        times.push_back(one.is_tried() ? static_cast<std::int64_t>(1e9 * one.seconds())
                                       : not_tried);
    });
    comm_.max_each(times);
    agree(comm_, [&] {
      for (std::size_t first = 0; first < tried.size();) {
        std::size_t last = first;
        while (last < tried.size() && tried[last].stage == tried[first].stage) ++last;
        choose(std::span(tried).subspan(first, last - first),
               std::span(times).subspan(first, last - first));
        first = last;
      }
    });
  }

  void choose(std::span<const Tried> tried, std::span<const std::int64_t> times) {
    const auto fastest =
        static_cast<std::size_t>(std::min_element(times.begin(), times.end()) - times.begin());
    const bool gains = times[0] != not_tried && static_cast<double>(times[fastest]) <
                                                    least_gain * static_cast<double>(times[0]);
    const std::size_t chosen = gains ? fastest : 0;
    const std::size_t stage = tried.front().stage;
    set(stage, tried[chosen].choice);
    for (std::size_t i = 0; i < tried.size(); ++i)
      if (times[i] != not_tried)
        lines_[stage] +=
            fmt::format("  {:>9.3f} ms  {}{}{}\n", 1e-6 * static_cast<double>(times[i]),
                        to_string(Stage(PassStage{pass(stage).axes, {}})),
                        to_string(tried[i].choice), i == chosen ? "  (kept)" : "");
  }

  const Communicator& comm_;
  const Blueprint& blueprint_;
  int threads_;
  EngineSet engines_;
  std::vector<std::string> names_;
  std::int64_t width_;
  Strategy strategy_, rule_;
  std::vector<Sample> samples_;
  std::vector<std::vector<StageSample>> of_stage_;
  std::vector<WalkRule> walks_;                                          // of each stage
  std::map<std::pair<std::string, std::size_t>, bool> prefers_columns_;  // by engine and stage
  std::vector<std::string> lines_;  // what was tried for each stage
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
      return MeasuredChoices{{blueprint.strategy, why}, blueprint.strategy};
    });
  }
}

bool is_worth_trials(const Problem& problem, int ranks) {
  const std::int64_t points =
      std::max(volume(real_extents(problem)), volume(spectral_extents(problem)));
  return points * problem.batch >= least_points_per_rank * ranks;
}

}  // namespace weft
