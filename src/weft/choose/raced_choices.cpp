// choose/raced_choices: up to four races, one after another.

#include "weft/choose/raced_choices.hpp"

#include <utility>

#include "weft/choose/pass_trials.hpp"
#include "weft/choose/rehearsal.hpp"
#include "weft/choose/whole_passes.hpp"
#include "weft/comm/agreement.hpp"

namespace weft {

namespace {

// The parts of the time that races of whole plans have; samples of passes have the rest. Choices.
constexpr double part_for_walks = 0.2, part_for_stores = 0.4;
// What a race with a library has beside that time.
constexpr double part_for_library = 0.2;

class Races {
 public:
  Races(const RaceSetting& setting, const Blueprint& blueprint)
      : setting_(setting), comm_(*setting.comm), blueprint_(blueprint) {}

  // Collective.
  RacedChoices run(double seconds) {
    // Ranks that take turns on the cores find in the caches what others have left.
    const bool rehearses = comm_.max(std::int64_t{setting_.takes_turns}) == 0;
    const Rehearsal rehearsal(setting_);
    const bool tells_walks = rehearses && rehearsal.tells_walks(blueprint_.machine),
               tells_stores = rehearses && rehearsal.tells_stores(blueprint_.machine);
    double left = 1;
    if (tells_walks) {
      MeasuredStrategy walks = rehearsal.of_walks(blueprint_, part_for_walks * seconds);
      if (!walks.tried.empty()) left -= part_for_walks;
      take(std::move(walks), "walks, by runs of the whole plan");
    }
    if (tells_stores) left -= part_for_stores;
    MeasuredChoices choices =
        measured_choices(comm_, blueprint_, setting_.options.engine, left * seconds);
    take(std::move(choices.measured), "samples of the passes");
    if (tells_stores)
      take(rehearsal.of_stores(blueprint_, choices.by_rule, part_for_stores * seconds),
           "stores, by runs of the whole plan");
    if (rehearses)
      if (const auto whole = whole_passes(comm_, blueprint_, setting_.options.engine);
          !whole.empty())
        take(rehearsal.of_library(blueprint_, whole, part_for_library * seconds),
             "a library's own transform, by runs of the whole plan");
    return agree(comm_, [&] { return RacedChoices{blueprint_.strategy, report_}; });
  }

 private:
  // Collective.
  void take(MeasuredStrategy measured, const char* what) {
    agree(comm_, [&] {
      Blueprint with_choices =
          Blueprint::of(blueprint_.problem, std::move(measured.strategy), blueprint_.machine);
      with_choices.largest_tag = blueprint_.largest_tag;
      with_choices.arrays = blueprint_.arrays;
      blueprint_ = std::move(with_choices);
      report_.candidates += measured.candidates;
      if (!measured.tried.empty())
        report_.told +=
            fmt::format("raced: {}, there and back, the slowest rank:\n{}", what, measured.tried);
    });
  }

  const RaceSetting& setting_;
  const Communicator& comm_;
  Blueprint blueprint_;
  RaceReport report_;
};

}  // namespace

RacedChoices raced_choices(const RaceSetting& setting, const Blueprint& blueprint, double seconds) {
  auto races = agree(*setting.comm, [&] { return Races(setting, blueprint); });
  return races.run(seconds);
}

}  // namespace weft
