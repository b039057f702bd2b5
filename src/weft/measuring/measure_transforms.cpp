// measuring/measure_transforms: rows and columns of tiles that fit the cache.

#include "weft/measuring/measure_transforms.hpp"

#include <algorithm>
#include <iterator>
#include <memory>

#include "weft/base/trace.hpp"
#include "weft/choose/common_engine.hpp"
#include "weft/compute/line_trial.hpp"
#include "weft/measuring/repeat.hpp"

namespace weft {

namespace {

// A choice: all rounds together take two or three seconds, and a neighbour that is busy for some
// milliseconds spoils few of them.
constexpr int fewest_rounds_of_lines = 3, most_rounds_of_lines = 400;

// What lines are measured, and where their times are kept: the first two of all engines.
struct Form {
  TrialLines lines;
  double LineSpeed::*seconds;
};
constexpr Form forms[] = {
    {{}, &LineSpeed::rows},
    {{.are_columns = true}, &LineSpeed::columns},
    {{.are_real = true}, &LineSpeed::real_rows},
    {{.precision = Precision::single_precision}, &LineSpeed::single_rows},
    {{.are_columns = true, .precision = Precision::single_precision}, &LineSpeed::single_columns}};
constexpr std::size_t forms_of_all = 2;

// Lines of each length, and their times in each round.
class FormTrials {
 public:
  FormTrials(Engine& engine, TrialLines form, std::int64_t cache_bytes, Effort effort,
             const TimeLimit& limit) {
    for (const std::int64_t n : measured_lengths) {
      form.n = n;
      const Effort chosen = limit.is_over() ? Effort::estimate : effort;
      all_.push_back({LineTrial(engine, form, cache_bytes, chosen), {}});
    }
  }

  void run(std::size_t length) {
    Timed& timed = all_[length];
    timed.seconds.push_back(timed.trial.seconds());
  }
  // For a point. Sorts the times.
  Repeated of_length(std::size_t length) {
    Timed& timed = all_[length];
    const Repeated all = repeated(timed.seconds);
    return {all.best / timed.trial.points(), all.median / timed.trial.points()};
  }

 private:
  struct Timed {
    LineTrial trial;
    std::vector<double> seconds;
  };
  std::vector<Timed> all_;
};

// The trials of an engine: rows and columns of complex doubles, and for the default engine others,
// too.
class EngineTrials {
 public:
  EngineTrials(const std::string& name, bool is_default, std::int64_t cache_bytes, Effort effort,
               const TimeLimit& limit)
      : name_(name), engine_(find_engine(name).make()) {
    const std::size_t count = is_default ? std::size(forms) : forms_of_all;
    trials_.reserve(count);
    for (std::size_t form = 0; form < count; ++form)
      trials_.emplace_back(*engine_, forms[form].lines, cache_bytes, effort, limit);
  }

  void run(std::size_t length) {
    for (FormTrials& each : trials_) each.run(length);
  }
  EngineMeasurement found() {
    EngineMeasurement found{name_, {}, 1};
    for (std::size_t i = 0; i < std::size(measured_lengths); ++i) {
      LineSpeed& speed = found.speeds.emplace_back();
      speed.points = measured_lengths[i];
      for (std::size_t form = 0; form < trials_.size(); ++form) {
        const Repeated all = trials_[form].of_length(i);
        speed.*forms[form].seconds = all.median;
        if (form < forms_of_all) found.spread = std::max(found.spread, all.spread());
      }
    }
    return found;
  }

 private:
  std::string name_;
  std::unique_ptr<Engine> engine_;
  std::vector<FormTrials> trials_;
};

// All engines in turn, round by round, so that what else runs on the machine meets all of them. On
// this rank. Not collective.
std::vector<EngineMeasurement> measure_here(const std::vector<std::string>& names,
                                            std::int64_t cache_bytes, const TimeLimit& limit,
                                            Effort effort) {
  std::vector<EngineTrials> engines;
  engines.reserve(names.size());
  for (const std::string& name : names)
    if (engines.empty() || !limit.is_over())
      engines.emplace_back(name, engines.empty(), cache_bytes, effort, limit);
  for (int round = 0; limit.allows(round, fewest_rounds_of_lines, most_rounds_of_lines); ++round)
    for (EngineTrials& each : engines)
      for (std::size_t i = 0; i < std::size(measured_lengths); ++i) each.run(i);
  std::vector<EngineMeasurement> found;
  found.reserve(names.size());
  for (EngineTrials& each : engines) found.push_back(each.found());
  return found;
}

}  // namespace

std::vector<EngineMeasurement> measure_transforms(const Communicator& comm,
                                                  std::int64_t cache_bytes, const TimeLimit& limit,
                                                  Effort effort) {
  const std::vector<std::string> names = common_engines(comm);
  auto all = agree(comm, [&] { return measure_here(names, cache_bytes, limit, effort); });
  all.resize(static_cast<std::size_t>(comm.min(std::ssize(all))));  // that all ranks have measured
  for (EngineMeasurement& found : all) {
    for (LineSpeed& speed : found.speeds)
      for (const Form& form : forms) speed.*form.seconds = comm.max(speed.*form.seconds);
    found.spread = comm.max(found.spread);
  }
  return all;
}

}  // namespace weft
