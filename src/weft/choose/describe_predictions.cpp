// choose/describe_predictions: puts predictions into words.

#include "weft/choose/describe_predictions.hpp"

#include "weft/choose/ranking.hpp"
#include "weft/choose/why_slower.hpp"
#include "weft/planning/constants.hpp"

namespace weft {

namespace {

constexpr int most_others = 3;  // a choice
// A choice: planners prefer fewer bytes to so little time.
constexpr double least_part_of_loss = 1.01;

std::string speeds_text(const Speeds& speeds) {
  constexpr double giga = 1e9;
  std::string text =
      fmt::format("a rank walks over {:.1f} GB/s", speeds.walked_bytes_per_second / giga);
  if (speeds.cached_bytes_per_second > 0)
    text += fmt::format(", in the shared cache {:.1f}", speeds.cached_bytes_per_second / giga);
  if (speeds.transform_seconds_per_point > 0)
    text += fmt::format("; a core transforms a point of {} in {:.2f} ns", Speeds::known_line,
                        giga * speeds.transform_seconds_per_point);
  if (speeds.are_links_known())
    text += fmt::format("; a node sends {:.2f} GB/s, a message takes {:.1f} us",
                        speeds.node_bytes_per_second / giga, 1e6 * speeds.message_seconds);
  if (speeds.message_seconds_per_byte > 0)
    text += fmt::format(", each of its bytes {:.2f} ns of a rank that computes",
                        giga * speeds.message_seconds_per_byte);
  return text;
}

std::string loser_text(const Ranked& other, const StrategyCost& cost) {
  const Reason reason = why_slower(other.cost, cost);
  return fmt::format("\n  {:>9.3f} ms  {}  ({} +{:.3f} ms)", 1e3 * other.cost.seconds(),
                     to_string(other.strategy), reason.spending, 1e3 * reason.seconds);
}

}  // namespace

std::string describe_predictions(const StrategyCost& cost, const Blueprint& blueprint,
                                 const CostPredictor& predictor, const Options& options) {
  std::string text = fmt::format("predicted: {:.3f} ms forward", 1e3 * cost.seconds());
  if (cost.hidden > 0) text += fmt::format(", {:.3f} ms hidden by chunks", 1e3 * cost.hidden);
  if (!blueprint.machine.speeds.are_known())
    return text + ", from the nominal speeds of a cluster, as nothing was measured";
  text += fmt::format(", from what was measured here: {}", speeds_text(blueprint.machine.speeds));
  // A placement is a function of the user's, which may be gone when a plan is described.
  if (blueprint.machine.ranks > constants::most_ranks_of_described_rivals ||
      options.placement.is_given())
    return text;
  // Where what was measured tells strategies apart, the others lose; those that do not are counted,
  // and so are those that are faster by prediction, but not by as much as a plan asks for.
  // What was found by measurement is the same for all predictions.
  const Strategy chosen = without_choices(blueprint.strategy);
  std::string losers;
  int faster = 0, equal = 0, shown = 0;
  double least_seconds = 0;
  for (const Ranked& each : ranked_strategies(blueprint.problem, predictor, options)) {
    if (each.strategy == chosen) continue;
    if (least_part_of_loss * each.cost.seconds() < cost.seconds()) {
      if (faster++ == 0) least_seconds = each.cost.seconds();
    } else if (each.cost.seconds() <= least_part_of_loss * cost.seconds()) {
      ++equal;
    } else {
      losers += loser_text(each, cost);
      if (++shown == most_others) break;
    }
  }
  if (faster > 0)
    text += fmt::format("\n{} other strateg{} predicted to take less, {:.3f} ms at least", faster,
                        faster == 1 ? "y is" : "ies are", 1e3 * least_seconds);
  if (equal > 0)
    text += fmt::format("\n{} other strateg{} predicted to take the same, within {:.0f}%", equal,
                        equal == 1 ? "y is" : "ies are", 100 * (least_part_of_loss - 1));
  if (shown > 0) text += "\nstrategies that are predicted to take longer:" + losers;
  return text;
}

}  // namespace weft
