// choose/raced_choices: what runs on this machine tell of how a strategy is executed fastest.
// Keeps: agreement - all ranks race the same, and choose by the slowest rank.
#pragma once

#include <string>

#include "weft/choose/race.hpp"
#include "weft/making/blueprint.hpp"

namespace weft {

/// The time that Effort::measure has for races, in seconds, as its documentation says.
constexpr double measure_seconds = 0.3;

/// What was raced.
struct RaceReport {
  std::string told;    ///< a paragraph for each race
  int candidates = 0;  ///< how many were timed, in all races together
};

/// A strategy with its choices, and how they were found.
struct RacedChoices {
  Strategy strategy;
  RaceReport report;
};

/// Races for about `seconds`: whole plans with other passes where only they tell, samples of the
/// passes with other choices, and whole plans with other stores; and then, for a fifth of that time
/// where it applies (choose/whole_passes), with a library's own transform of all that a rank has.
/// Collective; errors as of AnyPlan.
RacedChoices raced_choices(const RaceSetting& setting, const Blueprint& blueprint, double seconds);

}  // namespace weft
