// choose/device_library: looks at each axis of a strategy.

#include "weft/choose/device_library.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "weft/choose/ranking.hpp"
#include "weft/choose/rehearsal.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/device/device_fft.hpp"
#include "weft/device/fft_layout.hpp"
#include "weft/device/program_lines.hpp"
#include "weft/problem/axis_transform.hpp"

namespace weft {

namespace {

// What the library could do with an axis, from less to more.
enum class Use { nothing, other_kernels, convolution, no_other };

// Which axes of a strategy the library takes.
class LibraryAxes {
 public:
  LibraryAxes(const Problem& problem, const Machine& machine, const Strategy& strategy)
      : problem_(problem),
        machine_(machine),
        strategy_(strategy),
        library_(driver_entry(strategy.engine)->library),
        states_(problem, strategy.split) {}

  const std::string& library() const { return library_; }
  // Whether a pass names it already.
  bool is_named() const { return names_engines(one_axis_a_pass(strategy_, library_)); }

  // The strategy with passes by the library of all axes of this use, and of more; `joins` passes
  // that follow one another.
  Strategy taken(Use least, bool joins) const {
    Strategy made = one_axis_a_pass(strategy_, library_);
    std::vector<Stage> stages;
    bool joins_last = false;  // the last stage is a pass that may take more axes
    for (Stage& stage : made.stages) {
      auto* const pass = std::get_if<PassStage>(&stage);
      const bool is_taken = pass != nullptr && pass->axes.size() == 1 &&
                            pass->choice == PassChoice() && use_of(pass->axes.front()) >= least;
      if (is_taken && joins_last) {
        auto& axes = std::get<PassStage>(stages.back()).axes;
        axes.push_back(pass->axes.front());
        joins_last = axes.size() < FftLayout::most_axes;
        continue;
      }
      if (is_taken) pass->choice.engines = {library_};
      stages.push_back(std::move(stage));
      joins_last = is_taken && joins;
    }
    made.stages = std::move(stages);
    return made;
  }

 private:
  Use use_of(int axis) const {
    const int of_user = states_.input_view().user_axis(axis);
    if (problem_.cutoff.is_given() || (strategy_.split && strategy_.split->axis == of_user))
      return Use::nothing;
    const AxisTransform transform = axis_transform(problem_, of_user);
    if (transform.basis != Basis::fourier || transform.is_pruned()) return Use::nothing;
    const BlockTransform other =
        block_transform(transform.points, transform.is_halved, problem_.precision, machine_.block);
    return other == BlockTransform::none          ? Use::no_other
           : other == BlockTransform::convolution ? Use::convolution
                                                  : Use::other_kernels;
  }

  const Problem& problem_;
  const Machine& machine_;
  const Strategy& strategy_;
  std::string library_;
  FieldStates states_;
};

// Why the library of a driver is not on all ranks: the reason of the lowest one. Collective.
std::optional<std::string> why_no_library(const Communicator& comm, const std::string& driver) {
  std::string reason;
  const auto [refusing] = agree_on_largest(comm, [&] {
    try {
      driver_entry(driver)->get().fft();
    } catch (const Error& error) {
      if (error.code() != Error::unsupported) throw;
      reason = error.message();
    }
    return std::array{std::int64_t{reason.empty() ? 0 : comm.size() - comm.rank()}};
  });
  if (refusing == 0) return std::nullopt;
  const int rank = comm.size() - static_cast<int>(refusing);
  const std::string why = agree_on_text(comm, rank, [&] { return reason; });
  return fmt::format("the library '{}' does not apply on rank {}: {}",
                     driver_entry(driver)->library, rank, why);
}

// The strategies to race with that of `blueprint`. Not collective.
std::vector<Strategy> challengers(const RaceSetting& setting, const Blueprint& blueprint) {
  const Problem& problem = blueprint.problem;
  const Machine& machine = blueprint.machine;
  std::vector<Strategy> all;
  const auto add = [&](Strategy one) {
    if (one != blueprint.strategy && std::ranges::find(all, one) == all.end())
      all.push_back(std::move(one));
  };
  const auto add_taken = [&](const Strategy& strategy) {
    const LibraryAxes axes(problem, machine, strategy);
    add(axes.taken(Use::other_kernels, true));
    add(axes.taken(Use::convolution, false));
  };
  if (blueprint.strategy.split) {
    Options options = setting.options;
    options.engine = blueprint.strategy.engine;
    const Machine other = without_block_limits(machine);
    const Strategy unsplit = fastest_strategy(problem, CostPredictor::here(other), options);
    if (!unsplit.split) add_taken(unsplit);
  } else {
    add_taken(blueprint.strategy);
  }
  return all;
}

}  // namespace

std::string with_device_library(const Communicator& comm, const Problem& problem,
                                const Machine& machine, std::string strategy, bool is_asked) {
  bool is_wanted = is_asked, is_needed = false;
  std::string driver;
  std::string taken = agree(comm, [&] {
    const Strategy parsed = parse_strategy(strategy);
    const LibraryAxes axes(problem, machine, parsed);
    driver = parsed.engine;
    is_wanted = is_asked || axes.is_named();
    const Strategy made = axes.taken(is_asked ? Use::other_kernels : Use::no_other, is_asked);
    is_needed = !axes.library().empty() && made != one_axis_a_pass(parsed);
    return to_string(made);
  });
  if (!is_wanted && !is_needed) return strategy;
  const auto why_not = why_no_library(comm, driver);
  if (!why_not) return taken;
  if (is_wanted)
    throw Error(Error::unsupported, *why_not,
                "leave the library out: weft's own kernels then transform on devices");
  return strategy;
}

Machine without_block_limits(Machine machine) {
  machine.block = {std::numeric_limits<std::int64_t>::max() / 64, std::numeric_limits<int>::max(),
                   1};
  return machine;
}

RacedChoices raced_device_library(const RaceSetting& setting, const Blueprint& blueprint,
                                  double seconds) {
  const Communicator& comm = *setting.comm;
  const auto as_it_is = [&] {
    return agree(comm, [&] { return RacedChoices{blueprint.strategy, {}}; });
  };
  if (driver_entry(blueprint.strategy.engine)->library.empty()) return as_it_is();
  const auto others = agree(comm, [&] { return challengers(setting, blueprint); });
  if (others.empty() || why_no_library(comm, blueprint.strategy.engine)) return as_it_is();
  MeasuredStrategy measured = Rehearsal(setting).of_library(blueprint, others, seconds);
  return agree(comm, [&] {
    RaceReport report{{}, measured.candidates};
    if (!measured.tried.empty())
      report.told = fmt::format(
          "raced: a library's own transform, by runs of the whole plan, there and back, the "
          "slowest "
          "rank:\n{}",
          measured.tried);
    return RacedChoices{std::move(measured.strategy), std::move(report)};
  });
}

}  // namespace weft
