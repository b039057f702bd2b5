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

// Chunks are said in the name of a stage, choices of a pass are not: costs do not know them.
std::string name_of(const Stage& stage) {
  const auto* pass = std::get_if<PassStage>(&stage);
  return pass == nullptr ? to_string(stage) : to_string(Stage(PassStage{pass->axes}));
}

ExchangeKind kind_of(const ExchangeStage& stage, const std::vector<ExchangeKind>& exchanges) {
  for (const ExchangeKind& each : exchanges)
    if (each.name == stage.exchange) return each;
  return {stage.exchange};
}

// What an exchange in chunks and the passes before and after it hide of each other. Chunks that no
// other chunk waits for: the shorter of exchange and passes, but for one chunk. Else the first part
// of the pass before is sent when it is computed; the pass after needs all parts of the pass before
// and, unless messages for its first part overtake the others, all of the exchange.
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

double StageCost::seconds() const {
  if (!is_exchange) return memory + transforms;
  return memory + messages + latency + links + more_by_handling();
}

double StageCost::more_by_handling() const {
  return std::max(0.0, handling - (memory + messages + latency + links));
}

double StrategyCost::seconds() const {
  double sum = -hidden;
  for (const StageCost& stage : stages) sum += stage.seconds();
  return sum;
}

CostPredictor::CostPredictor(const MachineModel& machine, int ranks, int threads,
                             std::vector<int> node_of)
    : CostPredictor(machine, crossbar_of(machine), ranks, threads, std::move(node_of)) {}

CostPredictor::CostPredictor(const MachineModel& machine, std::shared_ptr<const Network> network,
                             int ranks, int threads, std::vector<int> node_of)
    : machine_(machine),
      ranks_(ranks_of(machine, ranks, threads)),
      threads_(threads),
      network_(std::move(network)),
      traffic_(std::make_shared<TrafficMemo>(ranks_)) {
  check(machine);
  take(std::move(node_of));
}

CostPredictor CostPredictor::on(std::vector<int> node_of) const {
  CostPredictor moved = *this;
  moved.take(std::move(node_of));
  return moved;
}

void CostPredictor::take(std::vector<int> node_of) {
  node_of_ = checked_nodes_taken(std::move(node_of), ranks_.nodes(), network_->nodes());
  movements_ = std::make_shared<MovementMemo>();
  std::vector<double> speeds(static_cast<std::size_t>(network_->vertices()), 0.0);
  for (const Link& link : network_->links())
    if (link.from != link.to)
      speeds[static_cast<std::size_t>(link.from)] += link.speed.bytes_per_second;
  node_speed_ = std::numeric_limits<double>::infinity();
  for (int node = 0; node < ranks_.nodes(); ++node)
    node_speed_ = std::min(
        node_speed_, speeds[static_cast<std::size_t>(node_of_[static_cast<std::size_t>(node)])]);
  if (ranks_.nodes() > 1)
    ranks_.speeds = {.walked_bytes_per_second = walked_bytes_per_second(),
                     .node_bytes_per_second = node_speed_,
                     .message_seconds = machine_.message_seconds,
                     .message_seconds_per_byte = machine_.message_seconds_per_byte,
                     .message_overhead_seconds = machine_.message_seconds};
}

RanksOnNetwork CostPredictor::ranks_on_network() const {
  return {ranks_, machine_.ranks_per_node, *network_, node_of_};
}

int CostPredictor::ranks_on(int node) const { return ranks_on_network().ranks_on(node); }

// What a rank of a full node, with so many threads, loads and stores per second while the others
// do, too, each in arrays of `bytes` bytes: its part of what the cores that are busy have together.
double CostPredictor::rank_memory(int threads, double bytes) const {
  const double busy =
      std::min<double>(machine_.cores_per_node, static_cast<double>(ranks_on(0)) * threads);
  return memory_share(machine_, static_cast<int>(busy), bytes * ranks_on(0)) * busy / ranks_on(0);
}

// How many cores a rank of a full node has to itself.
double CostPredictor::rank_cores() const {
  return std::min<double>(threads_, static_cast<double>(machine_.cores_per_node) / ranks_on(0));
}

// What a node takes to send so many bytes, or to receive them. Ranks that share memory send the
// message to another node in segments, one of them each.
double CostPredictor::node_seconds(double node_bytes, double message_bytes,
                                   bool shares_memory) const {
  double segments = 1;
  if (shares_memory)
    segments = std::clamp(message_bytes / static_cast<double>(ranks_.segment_bytes), 1.0,
                          static_cast<double>(ranks_on(0)));
  return node_bytes / message_speed(machine_.message_speeds, message_bytes / segments);
}

bool CostPredictor::goes_pairwise(const ExchangeStage& stage) const {
  return stage.exchange == "alltoallv" && machine_.alltoallv == AlltoallvWay::pairwise;
}

// Of a pass before which the axes in `done` are transformed; adds its own.
StageCost CostPredictor::pass_cost(const PassStage& pass, const Problem& problem,
                                   const Route& route, std::size_t number, unsigned& done) const {
  StageCost cost;
  cost.name = name_of(pass);
  // The points of the busiest rank, axis by axis: lines become shorter, or longer.
  auto points = static_cast<double>(route.before[number].largest_volume());
  double walked = points * static_cast<double>(route.states.scalar(done).bytes());
  const int axes = route.states.extents(done).size();
  const bool is_single = problem.precision == Precision::single_precision;
  for (const int axis : pass.axes) {
    const KeptLine& kept = route.states.kept(axis);
    const auto stored = static_cast<double>(route.states.extents(done)[axis]);
    const bool is_half = axis == route.states.half();
    const std::int64_t line = kept.is_all() ? route.states.extents(done)[axis] : kept.points;
    done |= FieldStates::bit(axis);
    const double lines = points / stored;
    cost.transforms +=
        lines * static_cast<double>(line) *
        transform_seconds_per_point(machine_, line, {axis + 1 < axes, is_half, is_single});
    points = lines * static_cast<double>(route.states.extents(done)[axis]);
  }
  walked += static_cast<double>(route.after[number].largest_volume()) *
            static_cast<double>(route.states.scalar(done).bytes());
  const double arrays = problem.in_place ? walked / 2 : walked;
  const PassGrouping grouping(route.states, ranks_);
  cost.memory = grouping.walks_of(pass) * walked / rank_memory(threads_, arrays);
  if (!machine_.shared_cache_bytes_per_second.empty())
    cost.memory += grouping.walks_in_shared_cache(pass) * walked / rank_memory(threads_, 0);
  cost.transforms /= rank_cores();
  if (!route.states.scalar(done).is_complex) cost.transforms /= 2;
  return cost;
}

StrategyCost CostPredictor::cost(const Strategy& strategy, const Problem& problem,
                                 const std::vector<ExchangeKind>& exchanges, Depth depth) const {
  const Route route = route_of(strategy, problem, ranks_.ranks);
  StrategyCost cost;
  unsigned done = 0;
  for (std::size_t i = 0; i < strategy.stages.size(); ++i) {
    const double bytes = static_cast<double>(route.states.scalar(done).bytes());
    if (const auto* pass = std::get_if<PassStage>(&strategy.stages[i])) {
      cost.stages.push_back(pass_cost(*pass, problem, route, i, done));
      continue;
    }
    const auto& exchange = std::get<ExchangeStage>(strategy.stages[i]);
    const bool shares = kind_of(exchange, exchanges).shares_memory;
    cost.stages.push_back(
        depth == every_message
            ? exchange_cost(exchange, route.before[i], route.after[i], bytes, shares)
            : estimated_exchange_cost(exchange, route.before[i], route.after[i], bytes, shares));
  }
  cost.hidden =
      hidden_by_chunks(strategy, route, cost.stages, exchanges, ranks_.eager_message_bytes);
  return cost;
}

StageCost CostPredictor::exchange_cost(const ExchangeStage& stage, const Decomposition& from,
                                       const Decomposition& to, double point_bytes,
                                       bool shares_memory) const {
  const bool is_pairwise = goes_pairwise(stage);
  const Movement moved =
      movements_->between(ranks_on_network(), {from, to, shares_memory, is_pairwise});
  StageCost cost;
  cost.name = name_of(stage);
  cost.is_exchange = true;
  const double busiest = moved.most_messages * stage.chunks;
  // The ranks of a node that share memory share its messages, and wait for each other.
  const double of_messages =
      (shares_memory ? moved.most_of_a_rank * stage.chunks : busiest) * machine_.message_seconds;
  cost.messages = of_messages + (shares_memory ? machine_.synchronization_seconds : 0);
  // MPI reads and writes once more what stays in the node.
  if (!shares_memory) cost.memory = point_bytes * moved.most_near / moved_bytes_per_second();
  cost.links = moved.busiest.seconds * point_bytes;
  cost.busiest_link = moved.busiest.link;
  cost.latency = moved.latency;
  if (is_pairwise) {
    cost.links = moved.rounds.links * point_bytes;
    cost.latency = moved.rounds.latency * stage.chunks;
  }
  cost.handling = moved.most_handled * point_bytes * machine_.message_seconds_per_byte;
  cost.message_count = static_cast<std::int64_t>(busiest);
  cost.message_bytes = moved.mean_points * point_bytes / stage.chunks;
  const double of_node =
      node_seconds(moved.most_of_a_node * point_bytes, cost.message_bytes, shares_memory);
  cost.links = std::max(cost.links, of_node - of_messages);
  return cost;
}

StageCost CostPredictor::estimated_exchange_cost(const ExchangeStage& stage,
                                                 const Decomposition& from, const Decomposition& to,
                                                 double point_bytes, bool shares_memory) const {
  const Traffic traffic = traffic_->between(from, to);
  StageCost cost;
  cost.name = name_of(stage);
  cost.is_exchange = true;
  const auto per_node = static_cast<double>(ranks_on(0));
  // Each rank sends and receives.
  double messages = 2 * static_cast<double>(traffic.far_messages) * stage.chunks;
  if (shares_memory)
    messages = std::min(messages, 2.0 * (ranks_.nodes() - 1) * stage.chunks / per_node);
  const double of_messages = messages * machine_.message_seconds;
  cost.messages = of_messages + (shares_memory ? machine_.synchronization_seconds : 0);
  cost.message_count = static_cast<std::int64_t>(messages);
  if (messages > 0)
    cost.message_bytes = 2 * static_cast<double>(traffic.far_points) * point_bytes / messages;
  if (!shares_memory)
    cost.memory = point_bytes * static_cast<double>(traffic.points - traffic.far_points) /
                  moved_bytes_per_second();
  // As if a rank received as much as it sends, and the ranks of a node were alike.
  cost.handling =
      2 * static_cast<double>(traffic.far_points) * point_bytes * machine_.message_seconds_per_byte;
  if (traffic.far_points > 0) {
    const double of_node = static_cast<double>(traffic.far_points) * point_bytes * per_node;
    cost.links = std::max(of_node / node_speed_,
                          node_seconds(of_node, cost.message_bytes, shares_memory) - of_messages);
  }
  return cost;
}

std::vector<NodeMessages> CostPredictor::messages(const Strategy& strategy,
                                                  const Problem& problem) const {
  const Route route = route_of(strategy, problem, ranks_.ranks);
  std::vector<NodeMessages> exchanges;
  unsigned done = 0;
  for (std::size_t i = 0; i < strategy.stages.size(); ++i) {
    if (const auto* pass = std::get_if<PassStage>(&strategy.stages[i])) {
      done |= FieldStates::set_of(pass->axes);
      continue;
    }
    exchanges.push_back(
        sent_between_nodes(ranks_on_network(), {route.before[i], route.after[i], true}));
    for (NodeMessage& message : exchanges.back())
      message.bytes *= static_cast<double>(route.states.scalar(done).bytes());
  }
  return exchanges;
}

}  // namespace weft
