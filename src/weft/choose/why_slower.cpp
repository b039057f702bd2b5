// choose/why_slower: compares what strategies spend their time on.

#include "weft/choose/why_slower.hpp"

#include <algorithm>
#include <array>

namespace weft {

namespace {

// What a strategy spends its time on.
struct Spending {
  const char* name;
  double (*seconds)(const StrategyCost& cost);
};

double sum_of(const StrategyCost& cost, double (*seconds)(const StageCost& stage)) {
  double sum = 0;
  for (const StageCost& stage : cost.stages) sum += seconds(stage);
  return sum;
}

constexpr std::array spendings{
    Spending{"passes",
             [](const StrategyCost& cost) {
               return sum_of(cost, [](const StageCost& stage) {
                 return stage.is_exchange ? 0 : stage.seconds();
               });
             }},
    Spending{"copies of messages",
             [](const StrategyCost& cost) {
               return sum_of(cost, [](const StageCost& stage) {
                 return stage.is_exchange ? stage.memory : 0;
               });
             }},
    Spending{"messages",
             [](const StrategyCost& cost) {
               return sum_of(cost,
                             [](const StageCost& stage) { return stage.messages + stage.latency; });
             }},
    Spending{"links",
             [](const StrategyCost& cost) {
               return sum_of(cost, [](const StageCost& stage) { return stage.links; });
             }},
    Spending{"handling of bytes",
             [](const StrategyCost& cost) {
               return sum_of(cost, [](const StageCost& stage) { return stage.more_by_handling(); });
             }},
    Spending{"less hidden", [](const StrategyCost& cost) { return -cost.hidden; }}};

}  // namespace

Reason why_slower(const StrategyCost& cost, const StrategyCost& best) {
  Reason most;
  for (const Spending& each : spendings)
    if (const double more = each.seconds(cost) - each.seconds(best); more > most.seconds)
      most = {each.name, more};
  return most;
}

}  // namespace weft
