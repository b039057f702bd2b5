// tune/measure_pass_overlap: passes and walks in turn, and what the model would have to assume.

#include "weft/tune/measure_pass_overlap.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <variant>
#include <vector>

#include "weft/memory/walk_probe.hpp"
#include "weft/model/cost.hpp"
#include "weft/plan/ranking.hpp"
#include "weft/tune/cube_plan.hpp"
#include "weft/tune/repeat.hpp"

namespace weft {

namespace {

// Sides of cubes whose lines engines like. The arrays of the largest one take 3.5 GB.
constexpr std::int64_t sides[] = {128, 192, 256, 384, 480};
// Input and output are together so many times as large as the shared cache.
constexpr std::int64_t caches_exceeded = 4;
constexpr int fewest_rounds = 3, most_rounds = 40;

constexpr std::int64_t cube_bytes(std::int64_t side) { return 2 * 16 * side * side * side; }

// 0: none is large enough.
std::int64_t side_beyond(std::int64_t cache_bytes) {
  const auto* const found = std::ranges::find_if(
      sides, [&](std::int64_t side) { return cube_bytes(side) >= caches_exceeded * cache_bytes; });
  return found == std::end(sides) ? 0 : *found;
}

// What the ranks of a node walk over per second, together, in each round.
std::vector<double> sums_over(const Communicator& node, const std::vector<double>& mine) {
  std::vector<double> all, sums(mine.size());
  agree(node, [&] { all.resize(mine.size() * static_cast<std::size_t>(node.size())); });
  node.gather(mine.data(), narrow(static_cast<std::int64_t>(mine.size() * sizeof(double))),
              all.data());
  for (std::size_t i = 0; i < all.size(); ++i) sums[i % sums.size()] += all[i];
  return sums;
}

// What the model says of the cube on one node of the machine that was found.
class NodeCost {
 public:
  NodeCost(const MachineMeasurement& found, const PlanBody& plan) : plan_(plan) {
    const int ranks = plan.machine().ranks, threads = plan.machine().threads(0);
    MachineModel machine = machine_of(found);
    machine.ranks_per_node = ranks;
    std::get<Crossbar>(machine.network).nodes = 1;
    const int busy = std::min(machine.cores_per_node, ranks * threads);
    walked_ = busy * memory_share(machine, busy, std::numeric_limits<double>::infinity());
    stages_ = CostPredictor(machine, ranks, threads)
                  .cost(plan.strategy(), plan.problem(), exchange_kinds())
                  .stages;
  }

  // The overlap that passes of one kind have had in a round in which the node walked over so many
  // bytes per second; none of no passes.
  std::optional<double> overlap(bool with_rows, const std::vector<StagesRun>& measured,
                                std::size_t round, double walked) const {
    double shorter = 0, hidden = 0;
    for (const StagesRun& ran : measured) {
      if (!is_pass(ran, with_rows)) continue;
      const StageCost& cost = stages_[ran.first];
      const double walk = cost.memory * walked_ / walked;
      shorter += std::min(walk, cost.transforms);
      hidden += walk + cost.transforms - ran.seconds[round];
    }
    if (shorter == 0) return std::nullopt;
    return std::clamp(hidden / shorter, 0.0, 1.0);
  }

 private:
  // That does not share a sweep with others.
  bool is_pass(const StagesRun& ran, bool with_rows) const {
    const auto* const pass = std::get_if<PassStage>(&plan_.strategy().stages[ran.first]);
    if (pass == nullptr || ran.end != ran.first + 1) return false;
    const int last_axis = static_cast<int>(plan_.problem().extents.size()) - 1;
    return with_rows == (std::ranges::find(pass->axes, last_axis) != pass->axes.end());
  }

  const PlanBody& plan_;
  std::vector<StageCost> stages_;
  double walked_;  // by the node per second, as it was found
};

// The median of all rounds; 0 if there are no such passes.
double median_overlap(const NodeCost& cost, bool with_rows, const std::vector<StagesRun>& measured,
                      const std::vector<double>& walked) {
  std::vector<double> all;
  for (std::size_t round = 0; round < walked.size(); ++round)
    if (const auto overlap = cost.overlap(with_rows, measured, round, walked[round]))
      all.push_back(*overlap);
  if (all.empty()) return 0;
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

}  // namespace

std::optional<PassOverlap> measure_pass_overlap(const Communicator& comm,
                                                const MachineMeasurement& found,
                                                const Options& options, double seconds) {
  const JobFacts& job = found.job;
  const RankPlace& place = job.ranks[static_cast<std::size_t>(comm.rank())];
  const Communicator node = comm.split(place.node);
  const std::int64_t side = side_beyond(job.shared_cache_bytes);
  const std::int64_t needed = cube_bytes(side) / node.size() + WalkProbe::bytes(place.threads);
  if (comm.min(std::int64_t{side > 0 && needed <= job.spare_bytes}) == 0) return std::nullopt;
  Options alone = options;
  alone.node_sizes.clear();
  const auto cube = agree(comm, [&] { return std::make_unique<CubePlan>(node, side, alone); });
  WalkProbe probe = agree(comm, [&] { return WalkProbe(place.threads, 0); });
  cube->run();
  StageTimes times = agree(comm, [&] { return StageTimes(*cube, most_rounds); });
  std::vector<double> walked;
  agree(comm, [&] { walked.reserve(most_rounds); });
  repeat_together(comm, {seconds, fewest_rounds, most_rounds}, [&] {
    cube->run();
    times.add_run();
    node.barrier();
    walked.push_back(probe.run());
  });
  if (comm.min(std::int64_t{walked.front() > 0}) == 0) return std::nullopt;
  const auto here = agree(comm, [&] {
    const std::vector<StagesRun> ran = times.all();
    const std::vector<double> sums = sums_over(node, walked);
    const NodeCost cost(found, cube->body());
    return PassOverlap{median_overlap(cost, true, ran, sums),
                       median_overlap(cost, false, ran, sums)};
  });
  return PassOverlap{-comm.max(-here.rows), -comm.max(-here.columns)};
}

}  // namespace weft
