// plan/raced_choices: what runs on this machine tell of how a strategy is executed fastest.
// Keeps: agreement - all ranks race the same, and choose by the slowest rank.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "weft/comm/communicator.hpp"
#include "weft/making/blueprint.hpp"
#include "weft/options.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

/// The time that Effort::measure has for races, in seconds, as its documentation says.
constexpr double measure_seconds = 0.3;

/// For whom races are.
struct RaceSetting {
  std::shared_ptr<const Communicator> comm;
  const Problem& problem;  ///< as the user gave it
  const Options& options;
  std::int64_t array_bytes;  ///< of the largest input and output of a rank together
  bool takes_turns;          ///< this rank takes turns with others on the cores
};

/// A strategy with its choices, and a paragraph for each race.
struct RacedChoices {
  Strategy strategy;
  std::string told;
};

/// Races for about `seconds`: whole plans with other passes where only they tell, samples of the
/// passes with other choices, and whole plans with other stores. Collective; errors as of AnyPlan.
RacedChoices raced_choices(const RaceSetting& setting, const Blueprint& blueprint, double seconds);

}  // namespace weft
