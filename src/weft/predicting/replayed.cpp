// predicting/replayed: makes the programs of all ranks, and tells the replay how fast the machine
// is.

#include "weft/predicting/replayed.hpp"

#include "weft/making/blueprint.hpp"
#include "weft/making/maker.hpp"

namespace weft {

Replay replayed(const Strategy& strategy, const StrategyCost& cost, const Problem& problem,
                const CostPredictor& predictor) {
  const Blueprint blueprint = Blueprint::of(problem, strategy, predictor.ranks());
  ProgramSet set;
  set.forward = make_programs(blueprint, true);
  set.node_of_rank = predictor.ranks().node_of_rank;
  set.in_place = problem.in_place;
  const MachineModel& machine = predictor.machine();
  ReplaySpeeds speeds;
  for (std::size_t stage = 0; stage < cost.stages.size(); ++stage) {
    const auto points = static_cast<double>(blueprint.route.before[stage].largest_volume());
    speeds.pass_seconds_per_point.push_back(points == 0 ? 0
                                                        : cost.stages[stage].seconds() / points);
  }
  speeds.copy_seconds_per_byte =
      1 / predictor.speeds().walked_bytes_per_second(RankSpeeds::beyond_caches);
  speeds.message_seconds = machine.message_seconds;
  speeds.message_seconds_per_byte = machine.message_seconds_per_byte;
  speeds.message_speeds = machine.message_speeds;
  speeds.synchronization_seconds = machine.synchronization_seconds;
  speeds.near_bytes_per_second = predictor.speeds().moved_bytes_per_second();
  speeds.eager_bytes = predictor.ranks().eager_message_bytes;
  speeds.pairwise = machine.alltoallv == AlltoallvWay::pairwise;
  return replay(set, speeds, predictor.network(), predictor.nodes());
}

}  // namespace weft
