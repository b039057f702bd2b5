// cli/plan/plan_report: predictions as text, and as JSON.
// Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/networks/extended_machine.hpp"
#include "weft/predicting/idle_ranks.hpp"
#include "weft/predicting/on_devices.hpp"
#include "weft/predicting/replayed_ranking.hpp"

namespace weft::cli {

/// The strategies for a problem, the fastest first; what devices take, if the machine has any; in
/// which pass of the fastest the fewest ranks work, and how many could.
struct Forecast {
  Problem problem;
  std::vector<Replayed> ranked;
  std::optional<OnDevices> devices = {};
  WorkingRanks working = {};
  int usable = 0;
  double plan_seconds = 0;
  double replay_seconds = 0;
};

/// The names of the machines that weft knows, and where their numbers come from.
std::string list_of_machines();

/// Tells predictions on one machine, with `others` of the strategies that are not the fastest. Its
/// arguments must outlive it.
class ForecastReport {
 public:
  ForecastReport(const ExtendedMachine& machine, const CostPredictor& predictor, int others)
      : machine_(machine.machine),
        origins_(machine),
        predictor_(predictor),
        others_(static_cast<std::size_t>(others)) {}

  std::string text(const Forecast& forecast) const;
  std::string json(const std::vector<Forecast>& forecasts) const;

 private:
  std::string link_text(int link) const;
  std::string idle_text(const Forecast& forecast) const;

  const MachineModel& machine_;
  const ExtendedMachine& origins_;
  const CostPredictor& predictor_;
  std::size_t others_;
};

}  // namespace weft::cli
