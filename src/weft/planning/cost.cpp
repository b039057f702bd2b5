// planning/cost: walks over the stages of a route, and over all messages of an exchange.

#include "weft/planning/cost.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "weft/base/ensure.hpp"
#include "weft/planning/chunks.hpp"
#include "weft/planning/pass_grouping.hpp"

namespace weft {

namespace {

// The nodes of the network that are taken, each once.
std::vector<int> checked_nodes_taken(std::vector<int> nodes, int needed, int there) {
  if (nodes.empty())
    for (int node = 0; node < needed; ++node) nodes.push_back(node);
  std::vector<bool> is_taken(static_cast<std::size_t>(there), false);
  for (const int node : nodes) {
    if (node < 0 || node >= there || is_taken[static_cast<std::size_t>(node)])
      throw Error(Error::invalid,
                  node < 0 || node >= there
                      ? fmt::format("node {} is taken, but the network has {}", node, there)
                      : fmt::format("node {} is taken twice", node),
                  fmt::format("give different nodes from 0 to {}", there - 1));
    is_taken[static_cast<std::size_t>(node)] = true;
  }
  if (static_cast<int>(nodes.size()) < needed)
    throw Error(Error::invalid, fmt::format("{} nodes are taken for {}", nodes.size(), needed),
                "give a node for each");
  return nodes;
}

// The bytes per second of all links that leave a node, of that of these nodes which has least.
double least_node_speed(const Network& network, const std::vector<int>& nodes) {
  std::vector<double> speeds(static_cast<std::size_t>(network.vertices()), 0.0);
  for (const Link& link : network.links())
    if (link.from != link.to)
      speeds[static_cast<std::size_t>(link.from)] += link.speed.bytes_per_second;
  double least = std::numeric_limits<double>::infinity();
  for (const int node : nodes) least = std::min(least, speeds[static_cast<std::size_t>(node)]);
  return least;
}

// The name of a stage has its chunks, but not the choices of a pass, which costs do not know.
std::string name_of(const Stage& stage) {
  const auto* pass = std::get_if<PassStage>(&stage);
  return pass == nullptr ? to_string(stage) : to_string(Stage(PassStage{pass->axes}));
}

ExchangeKind kind_of(const ExchangeStage& stage, const std::vector<ExchangeKind>& exchanges) {
  for (const ExchangeKind& each : exchanges)
    if (each.name == stage.exchange) return each;
  return {stage.exchange};
}

// The time that an exchange in chunks and the passes before and after it hide of each other. Where
// no chunk waits for another, all of the shorter of exchange and passes is hidden but one chunk.
// Else the first part of the pass before is sent when it is computed, while the pass after needs
// all parts of the pass before and, unless messages for its first part overtake the others, all of
// the exchange.
double hidden_by(const Cutting& cutting, double before, double exchange, double after,
                 bool keeps_order) {
  const double sources = cutting.source_parts, targets = keeps_order ? cutting.target_parts : 1;
  if (cutting.source_axis == cutting.target_axis)
    return std::min(before + after, exchange) * (1 - 1 / sources);
  const double sent = std::max(before / sources + exchange, before + exchange / sources);
  const double first_part =
      std::max(before + exchange / (sources * targets), sent - exchange * (1 - 1 / targets));
  const double end = std::max(first_part + after, sent + after / targets);
  return std::max(0.0, before + exchange + after - end);
}

// The time that all exchanges in chunks hide. A part of a pass hides one exchange only.
double hidden_by_chunks(const Strategy& strategy, const Route& route,
                        const std::vector<StageCost>& stages,
                        const std::vector<ExchangeKind>& exchanges, std::int64_t eager_bytes) {
  const std::vector<Cutting> cuttings = cuttings_of(strategy, route);
  std::vector<double> left;
  left.reserve(stages.size());
  for (const StageCost& stage : stages) left.push_back(stage.is_exchange ? 0 : stage.seconds());
  double hidden = 0;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const auto* exchange = std::get_if<ExchangeStage>(&strategy.stages[i]);
    if (exchange == nullptr || exchange->chunks <= 1) continue;
    const ExchangeKind kind = kind_of(*exchange, exchanges);
    if (!kind.cuts) continue;
    double none = 0;
    double& before = i > 0 ? left[i - 1] : none;
    double& after = i + 1 < left.size() ? left[i + 1] : none;
    const bool keeps_order =
        kind.keeps_order && stages[i].message_bytes >= static_cast<double>(eager_bytes);
    // Handling bytes is one more thing that ranks do beside the exchange, which is not in the sum.
    const double handling = stages[i].handling;
    const double hides = std::max(
        0.0, hidden_by(cuttings[i], before + handling, stages[i].seconds(), after, keeps_order) -
                 handling);
    const double first = std::min(before, hides);
    before -= first;
    after -= hides - first;
    hidden += hides;
  }
  return hidden;
}

std::unique_ptr<const Network> crossbar_of(const MachineModel& machine) {
  const auto* shape = std::get_if<Crossbar>(&machine.network);
  ensure(shape != nullptr, machine.name);
  return crossbar_network(*shape);
}

}  // namespace

double StrategyCost::seconds() const {
  double sum = -hidden;
  for (const StageCost& stage : stages) sum += stage.seconds();
  return sum;
}

CostPredictor::Setting::Setting(const MachineModel& machine_, Machine ranks_,
                                std::vector<int> nodes, std::shared_ptr<const Network> network_)
    : machine(machine_),
      ranks(std::move(ranks_)),
      network(std::move(network_)),
      node_of(checked_nodes_taken(std::move(nodes), ranks.nodes(), network->nodes())),
      node_sizes(ranks.node_sizes()),
      node_bytes_per_second(least_node_speed(*network, node_of)),
      speeds(machine, ranks, node_bytes_per_second) {}

CostPredictor::CostPredictor(std::shared_ptr<Setting> setting)
    : setting_(std::move(setting)), traffic_(std::make_shared<TrafficMemo>(setting_->ranks)) {}

CostPredictor::CostPredictor(const MachineModel& machine, int ranks, int threads,
                             std::vector<int> node_of)
    : CostPredictor(machine, crossbar_of(machine), ranks, threads, std::move(node_of)) {}

CostPredictor::CostPredictor(const MachineModel& machine, std::shared_ptr<const Network> network,
                             int ranks, int threads, std::vector<int> node_of) {
  check(machine);
  const auto setting = std::make_shared<Setting>(machine, ranks_of(machine, ranks, threads),
                                                 std::move(node_of), std::move(network));
  if (setting->ranks.nodes() > 1)
    setting->ranks.speeds = {.walked_bytes_per_second =
                                 setting->speeds.walked_bytes_per_second(RankSpeeds::beyond_caches),
                             .node_bytes_per_second = setting->node_bytes_per_second,
                             .message_seconds = machine.message_seconds,
                             .message_seconds_per_byte = machine.message_seconds_per_byte,
                             .message_overhead_seconds = machine.message_seconds};
  *this = CostPredictor(setting);
}

CostPredictor CostPredictor::here(const Machine& ranks, const MachineModel& model) {
  return CostPredictor(
      std::make_shared<Setting>(model, ranks, std::vector<int>(), crossbar_of(model)));
}

CostPredictor CostPredictor::on(std::vector<int> node_of) const {
  const auto setting = std::make_shared<Setting>(setting_->machine, setting_->ranks,
                                                 std::move(node_of), setting_->network);
  CostPredictor moved = *this;
  if (setting->ranks.speeds.are_links_known())
    setting->ranks.speeds.node_bytes_per_second = setting->node_bytes_per_second;
  moved.setting_ = setting;
  return moved;
}

StrategyCost CostPredictor::cost(const Strategy& strategy, const Problem& problem,
                                 const std::vector<ExchangeKind>& exchanges, Depth depth) const {
  const Route route = route_of(strategy, problem, ranks().ranks);
  const PassCosts passes(speeds(), problem, route.states, ranks());
  StrategyCost cost;
  unsigned done = 0;
  for (std::size_t i = 0; i < strategy.stages.size(); ++i) {
    const Stage& stage = strategy.stages[i];
    if (const auto* pass = std::get_if<PassStage>(&stage)) {
      auto points = static_cast<double>(route.before[i].largest_volume());
      cost.stages.push_back(passes.cost(*pass, points, done));
    } else {
      const auto& exchange = std::get<ExchangeStage>(stage);
      const ExchangeForm form{static_cast<double>(route.states.scalar(done).bytes()),
                              exchange.chunks, kind_of(exchange, exchanges).shares_memory};
      const Decomposition &from = route.before[i], &to = route.after[i];
      cost.stages.push_back(depth == every_message
                                ? exchange_cost(exchange, from, to, form)
                                : speeds().exchange(traffic_->between(from, to), form));
    }
    cost.stages.back().name = name_of(stage);
  }
  cost.hidden =
      hidden_by_chunks(strategy, route, cost.stages, exchanges, ranks().eager_message_bytes);
  return cost;
}

StageCost CostPredictor::exchange_cost(const ExchangeStage& stage, const Decomposition& from,
                                       const Decomposition& to, const ExchangeForm& form) const {
  const bool is_pairwise =
      stage.exchange == "alltoallv" && machine().alltoallv == AlltoallvWay::pairwise;
  const Movement moved = setting_->movements.between(setting_->on_network(),
                                                     {from, to, form.shares_memory, is_pairwise});
  StageCost cost;
  cost.is_exchange = true;
  const double busiest = moved.most_messages * form.chunks;
  // The ranks of a node that share memory share its messages, and wait for each other.
  const double of_messages = (form.shares_memory ? moved.most_of_a_rank * form.chunks : busiest) *
                             machine().message_seconds;
  cost.messages = of_messages + (form.shares_memory ? machine().synchronization_seconds : 0);
  // MPI reads and writes once more what stays in the node.
  if (!form.shares_memory)
    cost.memory = form.point_bytes * moved.most_near / speeds().moved_bytes_per_second();
  cost.links = moved.busiest.seconds * form.point_bytes;
  cost.busiest_link = moved.busiest.link;
  cost.latency = moved.latency;
  if (is_pairwise) {
    cost.links = moved.rounds.links * form.point_bytes;
    cost.latency = moved.rounds.latency * form.chunks;
  }
  cost.handling = moved.most_handled * form.point_bytes * machine().message_seconds_per_byte;
  cost.message_count = static_cast<std::int64_t>(busiest);
  cost.message_bytes = moved.mean_points * form.point_bytes / form.chunks;
  const double of_node = speeds().node_seconds(moved.most_of_a_node * form.point_bytes,
                                               cost.message_bytes, form.shares_memory);
  cost.links = std::max(cost.links, of_node - of_messages);
  return cost;
}

std::vector<NodeMessages> CostPredictor::messages(const Strategy& strategy,
                                                  const Problem& problem) const {
  const Route route = route_of(strategy, problem, ranks().ranks);
  std::vector<NodeMessages> exchanges;
  unsigned done = 0;
  for (std::size_t i = 0; i < strategy.stages.size(); ++i) {
    if (const auto* pass = std::get_if<PassStage>(&strategy.stages[i])) {
      done |= FieldStates::set_of(pass->axes);
      continue;
    }
    exchanges.push_back(
        sent_between_nodes(setting_->on_network(), {route.before[i], route.after[i], true}));
    for (NodeMessage& message : exchanges.back())
      message.bytes *= static_cast<double>(route.states.scalar(done).bytes());
  }
  return exchanges;
}

}  // namespace weft
