// measuring/measure_messages: pairs in turn, one node against another, barriers of nodes.

#include "weft/measuring/measure_messages.hpp"

#include <algorithm>
#include <optional>

#include "weft/comm/message_handling.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/measuring/node_pairs.hpp"
#include "weft/measuring/ping_pong.hpp"
#include "weft/measuring/repeat.hpp"

namespace weft {

namespace {

constexpr std::int64_t smallest_bytes = std::int64_t{1} << 10,
                       largest_bytes = std::int64_t{4} << 20;
// The messages of the map: small enough for one packet, and large enough that latency does not
// count.
constexpr std::int64_t latency_bytes = 8, bandwidth_bytes = std::int64_t{1} << 20;
// 16 ranks have 120 pairs, which a heat map shows and a few seconds suffice for.
constexpr int most_map_ranks = 16;
// A pair is measured for at most this share of the time, so that few pairs do not take all of it.
constexpr double most_share = 0.05;
constexpr int most_node_pairs = 7;
constexpr int barriers = 20;

std::size_t index(int rank) { return static_cast<std::size_t>(rank); }

// Pairs in a node, and between nodes, are needed: at least one of both.
bool is_needed(const std::vector<PairSpeed>& pairs, const PairSpeed& pair) {
  return std::ranges::find(pairs, pair.share_node, &PairSpeed::share_node) == pairs.end();
}

void measure_pairs(const Communicator& comm, PingPong& ping, const JobFacts& job,
                   const TimeLimit& limit, MessageMeasurement& found) {
  const double seconds = limit.left(comm);
  const double ranks = static_cast<double>(found.map_ranks.size());
  const double pairs = std::max(1.0, ranks * (ranks - 1) / 2);
  const double each = std::min(most_share * seconds, seconds / pairs);
  for (std::size_t i = 0; i < found.map_ranks.size(); ++i)
    for (std::size_t j = i + 1; j < found.map_ranks.size(); ++j) {
      PairSpeed pair{found.map_ranks[i], found.map_ranks[j]};
      const RankPlace &a = job.ranks[index(pair.first)], &b = job.ranks[index(pair.second)];
      pair.share_host = a.host == b.host;
      pair.share_node = a.node == b.node;
      if (limit.is_over(comm) && !is_needed(found.pairs, pair)) continue;
      const auto one_way = [&](std::int64_t bytes, double part) {
        return ping.one_way(pair.first, pair.second, bytes, limit.part(part * each));
      };
      pair.latency_seconds = one_way(latency_bytes, 1.0 / 3).best;
      pair.bytes_per_second = bandwidth_bytes / one_way(bandwidth_bytes, 2.0 / 3).median;
      found.pairs.push_back(pair);
    }
}

// The first pair of ranks that does, or does not, share a node.
std::optional<PairSpeed> first_pair(const std::vector<PairSpeed>& pairs, bool shares_node) {
  const auto found = std::ranges::find(pairs, shares_node, &PairSpeed::share_node);
  return found == pairs.end() ? std::nullopt : std::optional(*found);
}

void measure_curves(const Communicator& comm, PingPong& ping, const TimeLimit& limit,
                    MessageMeasurement& found) {
  const auto sizes = measured_sizes();
  const double each = limit.left(comm) / 2 / static_cast<double>(sizes.size());
  for (const bool shares_node : {true, false}) {
    const auto pair = first_pair(found.pairs, shares_node);
    if (!pair) continue;
    SizeCurve curve{shares_node ? "pair on a node" : "pair between nodes", 1, {}};
    for (const std::int64_t bytes : sizes) {
      if (!curve.times.empty() && limit.is_over(comm)) break;
      curve.times.push_back(
          {bytes, ping.one_way(pair->first, pair->second, bytes, limit.part(each)).best});
    }
    found.curves.push_back(std::move(curve));
  }
}

// The median over some pairs of nodes.
double node_bandwidth(const Communicator& comm, NodePairs& pairs, const JobFacts& job,
                      const TimeLimit& limit) {
  std::vector<double> speeds;
  const int partners = std::min(job.nodes - 1, most_node_pairs);
  const double each = limit.left(comm) / partners;
  agree(comm, [&] { speeds.reserve(static_cast<std::size_t>(partners)); });
  for (int i = 1; i <= partners; ++i) {
    const int other = static_cast<int>(std::int64_t{i} * (job.nodes - 1) / partners);
    if (!speeds.empty() && limit.is_over(comm)) break;
    speeds.push_back(pairs.bytes_per_second(0, other, limit.part(each)));
  }
  std::sort(speeds.begin(), speeds.end());
  return speeds[speeds.size() / 2];
}

double barrier_seconds(const Communicator& comm, const JobFacts& job, const TimeLimit& limit) {
  const Communicator node = comm.split(job.ranks[index(comm.rank())].node);
  const Repeated all = repeat_together(comm, {limit, 3, 25}, [&] {
    for (int i = 0; i < barriers; ++i) node.barrier();
  });
  return std::max(shortest_seconds, all.best / barriers);
}

// A rank alone sends to itself.
double message_to_itself(const Communicator& comm, const TimeLimit& limit) {
  constexpr int messages = 100;
  char sent = 0, received = 0;
  const Repeated all = repeat_together(comm, {limit, 3, 25}, [&] {
    for (int i = 0; i < messages; ++i)
      check_mpi(MPI_Sendrecv(&sent, 1, MPI_CHAR, 0, 0, &received, 1, MPI_CHAR, 0, 0, comm.handle(),
                             MPI_STATUS_IGNORE),
                "MPI_Sendrecv");
  });
  return std::max(shortest_seconds, all.best / (2 * messages));
}

}  // namespace

std::vector<std::int64_t> measured_sizes() {
  std::vector<std::int64_t> sizes;
  for (std::int64_t bytes = smallest_bytes; bytes <= largest_bytes; bytes *= 2)
    sizes.push_back(bytes);
  return sizes;
}

std::vector<int> ranks_of_map(int ranks, int most) {
  std::vector<int> chosen;
  if (ranks <= most) {
    for (int rank = 0; rank < ranks; ++rank) chosen.push_back(rank);
    return chosen;
  }
  const int first = most / 2, others = most - first;
  for (int rank = 0; rank < first; ++rank) chosen.push_back(rank);
  for (int i = 1; i <= others; ++i)
    chosen.push_back(first - 1 + static_cast<int>(std::int64_t{i} * (ranks - first) / others));
  return chosen;
}

MessageMeasurement measure_messages(const Communicator& comm, const JobFacts& job,
                                    const TimeLimit& limit) {
  const double seconds = limit.left(comm);
  const auto part = [&](double share) { return limit.part(share * seconds); };
  MessageMeasurement found;
  found.map_ranks = agree(comm, [&] { return ranks_of_map(comm.size(), most_map_ranks); });
  found.synchronization_seconds = barrier_seconds(comm, job, part(0.05));
  if (comm.size() == 1) {
    found.message_seconds = message_to_itself(comm, part(0.05));
    return found;
  }
  PingPong ping(comm, largest_bytes);
  measure_pairs(comm, ping, job, part(0.5), found);
  measure_curves(comm, ping, part(0.25), found);
  // Predictions count messages between nodes, if there are several.
  const auto pair = first_pair(found.pairs, job.nodes == 1);
  const PairSpeed& usual = pair ? *pair : found.pairs.front();
  found.message_seconds = ping.of_stream(usual.first, usual.second, part(0.05));
  if (job.nodes == 1) return found;
  NodePairs pairs(comm, job);
  found.node_bytes_per_second = node_bandwidth(comm, pairs, job, part(0.05));
  found.curves.push_back(pairs.streams(found.node_bytes_per_second, part(0.1)));
  if (pair && !limit.is_over(comm))
    found.message_seconds_per_byte =
        handling_seconds_per_byte(comm, {usual.first, usual.second}, usual.bytes_per_second);
  return found;
}

}  // namespace weft
