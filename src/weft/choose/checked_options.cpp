// choose/checked_options: checking them, and telling them to the planner.

#include "weft/choose/checked_options.hpp"

#include "weft/base/names.hpp"
#include "weft/base/simulation.hpp"
#include "weft/choose/common_engine.hpp"
#include "weft/comm/communicator.hpp"
#include "weft/grid/rank_list.hpp"
#include "weft/making/exchange_table.hpp"
#include "weft/planning/constants.hpp"

namespace weft {

namespace {

constexpr Names<Effort, 3> effort_names{
    {{Effort::estimate, "estimate"}, {Effort::measure, "measure"}, {Effort::tune, "tune"}}};

void require_threads(int threads) {
  if (threads < 0 || threads > most_threads)
    throw Error(Error::invalid, fmt::format("{} threads a rank", threads),
                fmt::format("1 to {}, or 0 for as many as there are cores for", most_threads));
  if (is_simulated && threads > 1)
    throw Error(Error::unsupported, fmt::format("{} threads a simulated rank", threads),
                "a build for SimGrid runs one thread a rank; leave --threads out");
}

// Products with the ranks of a node are still numbers.
void require_caches(const Options& options) {
  constexpr std::int64_t most = std::int64_t{1} << 42;
  for (const std::int64_t bytes : {options.pretend.cache_bytes, options.pretend.shared_cache_bytes})
    if (bytes < 0 || bytes > most)
      throw Error(Error::invalid, fmt::format("a cache of {} bytes", bytes),
                  fmt::format("1 to {}, or 0 for the truth", most));
}

void require_flights(const Options& options) {
  constexpr int most = 1024;
  if (options.in_flight < 1 || options.in_flight > most)
    throw Error(Error::invalid, fmt::format("{} transforms in flight", options.in_flight),
                fmt::format("1 to {}", most));
}

void require_chunks(const Options& options) {
  if (options.chunks < 0 || options.chunks > most_chunks)
    throw Error(Error::invalid, fmt::format("{} chunks", options.chunks),
                fmt::format("1 to {}, or 0 for the planner's choice", most_chunks));
}

void require_segments(const Options& options) {
  constexpr std::int64_t most = std::int64_t{1} << 50;
  if (options.segment_bytes < 0 || options.segment_bytes > most)
    throw Error(Error::invalid, fmt::format("segments of {} bytes", options.segment_bytes),
                fmt::format("1 to {}, or 0 for 64 KiB", most));
}

void require_device(const Options& options) {
  if (options.device < -1)
    throw Error(Error::invalid, fmt::format("the device {}", options.device),
                "0 for the first that the process sees, or -1 to share those of the node");
  if (options.device_memory_limit < 0)
    throw Error(Error::invalid,
                fmt::format("a limit of {} bytes of device memory", options.device_memory_limit),
                "the bytes that a rank may use, or 0 for what its device has");
}

// Arrays are in memory of the processor, and no stream of the application's orders what it does.
void require_fixed_engine(const Options& options) {
  if (options.engine != fastest_engine_name) return;
  const std::string hint = "name the engine; `weft engines` lists them";
  if (options.stream != nullptr)
    throw Error(Error::invalid, "the engine 'fastest', and a stream of a device", hint);
  if (options.effort == Effort::tune)
    throw Error(Error::unsupported, "the engine 'fastest' is predicted, and tuning measures", hint);
}

void require_tuning(const Options& options) {
  constexpr double most = 86400;
  if (options.tune_seconds > 0 && options.tune_seconds <= most) return;
  throw Error(Error::invalid, fmt::format("tuning for {} seconds", options.tune_seconds),
              fmt::format("more than 0, at most {}", most));
}

void require_progress(const Options& options, const Communicator& comm) {
  if (options.progress == Progress::by_thread && !comm.is_alone() && !mpi_allows_threads())
    throw Error(Error::unsupported, "a thread of weft's own may not call MPI",
                "initialise MPI with MPI_THREAD_MULTIPLE, or let calls or tiles make progress");
}

// A strategy says itself where everything lies.
void require_one_placement(const Options& options) {
  const bool of_ranks = options.ranks != 0, of_pieces = options.placement.is_given();
  if ((of_ranks ? 1 : 0) + (of_pieces ? 1 : 0) + (options.strategy.empty() ? 0 : 1) < 2) return;
  throw Error(Error::invalid,
              fmt::format("{} both say which ranks compute",
                          !of_ranks   ? "a placement and a strategy"
                          : of_pieces ? "a number of ranks and a placement"
                                      : "a number of ranks and a strategy"),
              "give one of them; a strategy names ranks like 'from 2x1x1 on 4,5'");
}

// Whether the cores move the bytes of messages between nodes of one rank each, as over TCP. There
// both directions of a link stand in one queue, and keep pace only if they are paired: 256^3 points
// between two hosts at 10 Gbit/s took 177 ms with p2p and 145 with the exchange between nodes,
// which pairs them, 512^3 1750 and 1200. In simulated networks, which move the bytes, p2p took 0.82
// to 0.99 of its time.
bool cores_move_bytes_between_ranks(const Machine& machine) {
  return machine.ranks > 1 && machine.nodes() == machine.ranks &&
         machine.speeds.message_seconds_per_byte >= constants::least_seconds_per_byte_of_cores;
}

}  // namespace

const char* to_string(Effort effort) { return name_in(effort_names, effort); }
Effort parse_effort(const std::string& text) { return value_in(effort_names, text, "effort"); }

std::string to_string(const Options& options) {
  return fmt::format(
      "exchange '{}' engine '{}' decomposition {} grid '{}' ranks {} {} pieces{} strategy '{}' "
      "effort {}{} threads {} cache bytes {} and {} eager bytes {} node sizes {} chunks {} in "
      "flight {} progress {}{}{}{}{}{}{}",
      options.exchange, options.engine, to_string(options.decomposition), to_string(options.grid),
      options.ranks, options.placement.pieces, options.placement.is_given() ? " placed" : "",
      options.strategy, to_string(options.effort), options.reproducible ? " reproducible" : "",
      options.threads, options.pretend.cache_bytes, options.pretend.shared_cache_bytes,
      options.pretend.eager_message_bytes, fmt::join(options.pretend.node_sizes, ","),
      options.chunks, options.in_flight, to_string(options.progress),
      options.segment_bytes != 0 ? fmt::format(" segment bytes {}", options.segment_bytes) : "",
      options.device >= 0 ? fmt::format(" device {}", options.device) : "",
      options.device_memory_limit > 0
          ? fmt::format(" device memory limit {}", options.device_memory_limit)
          : "",
      options.arrays == Arrays::any ? " arrays any" : "", options.huge_pages ? "" : " small pages",
      options.effort == Effort::tune ? fmt::format(" tune seconds {}", options.tune_seconds) : "");
}

void check(const Options& options, const Communicator& comm) {
  require_threads(options.threads);
  require_caches(options);
  require_flights(options);
  require_chunks(options);
  require_segments(options);
  require_tuning(options);
  require_device(options);
  require_fixed_engine(options);
  require_progress(options, comm);
}

// Ranks that block must reach all exchanges in the same order.
void check_blocking(const Options& options, const Strategy& strategy) {
  if (!blocks_in_collectives()) return;
  const auto refuse = [](const std::string& what) {
    throw Error(Error::unsupported, fmt::format("blocking collectives, and {}", what),
                "simulate one transform at a time, with the exchange alltoallv in one chunk, or "
                "leave --blocking out");
  };
  if (options.in_flight > 1) refuse(fmt::format("{} transforms in flight", options.in_flight));
  if (options.progress == Progress::by_thread) refuse("a thread that makes progress");
  for (const Stage& stage : strategy.stages) {
    const auto* exchange = std::get_if<ExchangeStage>(&stage);
    if (exchange == nullptr) continue;
    if (exchange->exchange != "alltoallv")
      refuse(fmt::format("the exchange {}", exchange->exchange));
    if (exchange->chunks > 1) refuse(fmt::format("{} chunks", exchange->chunks));
  }
}

Choices choices_for(const Options& options, const Problem& problem, const Machine& machine) {
  check(options.placement);
  require_one_placement(options);
  Choices choices;
  choices.engine = known_engine(options.engine);
  for (const ExchangeEntry& row : exchanges())
    if (!row.applies(problem, machine)) {
      choices.exchanges.push_back({row.name, row.moves_arrays, row.shares_memory});
      if (row.preferred == Preferred::in_nodes) choices.exchange_in_nodes = row.name;
      if (row.preferred == Preferred::between_nodes) choices.exchange_between_nodes = row.name;
      if (row.preferred == Preferred::small_messages) choices.small_exchange = row.name;
      if (row.preferred == Preferred::large_messages) choices.large_exchange = row.name;
    }
  if (cores_move_bytes_between_ranks(machine) && !choices.exchange_between_nodes.empty())
    choices.large_exchange = choices.exchange_between_nodes;
  if (!options.exchange.empty())
    choices.exchange = find_exchange(options.exchange, problem, machine).name;
  choices.form = options.decomposition;
  choices.grid = options.grid;
  choices.placement = options.placement;
  if (options.ranks != 0) {
    std::vector<int> ranks = ranks_on_fewest_nodes(options.ranks, machine);
    if (options.ranks < machine.ranks) choices.placement = one_piece_on(std::move(ranks));
  }
  return choices;
}

std::string asked_placement(const Placement& placement, const Strategy& strategy,
                            const Problem& problem, int ranks) {
  std::string text;
  const auto ask = [&](const Place& place) {
    if (place.form != Place::on_grid) {
      if (!place.grid.owners.empty())
        text += to_text(slab_owners(problem.extents.size(), placement, ranks)) + "; ";
      return;
    }
    // The ends lie where the problem says, in as many pieces as it likes.
    const std::int64_t pieces = place.grid.count();
    if (pieces == 1 || pieces == placement.pieces_among(ranks))
      text += to_string(placed(place.grid.parts, placement, ranks)) + "; ";
  };
  ask(strategy.from);
  for (const Stage& stage : strategy.stages)
    if (const auto* exchange = std::get_if<ExchangeStage>(&stage)) ask(exchange->to);
  return text;
}

}  // namespace weft
