// bench/exchanges/exchanges: the exchanges of a strategy on a network that SimGrid simulates,
// message by message, without plans and without data. `bench/simulate --exchanges-only` runs it.
// Keeps: what ranks share is made once: SimGrid runs all ranks in one process, in turn, and must
// not give each a copy of this program's variables (smpi/privatization:no).
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "weft/base/ensure.hpp"
#include "weft/planning/pairwise.hpp"
#include "weft/planning/route.hpp"
#include "weft/planning/strategy.hpp"
#include "weft/problem/validated.hpp"

namespace weft {
namespace {

/// What a rank sends and receives in one round of an exchange; a peer is MPI_PROC_NULL for nothing.
struct Round {
  int to = MPI_PROC_NULL, from = MPI_PROC_NULL;
  std::int64_t sent = 0, received = 0;
};

/// The rounds of one exchange, by rank.
using Rounds = std::vector<std::vector<Round>>;

Rounds rounds_of(const Decomposition& from, const Decomposition& to, int ranks,
                 std::int64_t point_bytes) {
  const PairwiseGroups groups(from, to);
  Rounds rounds(static_cast<std::size_t>(ranks));
  const auto at = [&](int rank, int round) -> Round& {
    auto& of_rank = rounds[static_cast<std::size_t>(rank)];
    of_rank.resize(std::max(of_rank.size(), static_cast<std::size_t>(round)));
    return of_rank[static_cast<std::size_t>(round - 1)];
  };
  for (int rank = 0; rank < ranks; ++rank)
    for (const Box& box : from.boxes(rank))
      to.for_each_overlap(box, [&](int peer, int, const Box& region) {
        if (peer == rank) return;
        const int round = groups.round(rank, peer);
        const std::int64_t bytes = region.volume() * point_bytes;
        Round &sends = at(rank, round), &receives = at(peer, round);
        sends.to = peer;
        sends.sent += bytes;
        receives.from = rank;
        receives.received += bytes;
      });
  return rounds;
}

struct Job {
  std::vector<Rounds> exchanges = {};
  int sends = 0;                        // that a rank has under way, or 0 if they go round by round
  std::vector<char> out = {}, in = {};  // of all ranks, which send nothing that anyone reads
  double first = std::numeric_limits<double>::infinity(), last = 0;
  int ended = 0;
};

// The number of sends, kind, precision, strategy and extents, as bench/simulate has checked them.
Job job_of(std::span<const std::string> words, int ranks) {
  constexpr std::size_t before_extents = 4;
  if (words.size() <= before_extents)
    throw Error(Error::invalid, fmt::format("{} arguments", words.size()),
                "give a number of sends, c2c or r2c, double or single, a strategy, and extents");
  Problem problem;
  problem.kind = words[1] == "r2c" ? Kind::r2c : Kind::c2c;
  problem.precision =
      words[2] == "single" ? Precision::single_precision : Precision::double_precision;
  for (const std::string& extent : words.subspan(before_extents))
    problem.extents.push_back(std::stoll(extent));
  problem = validated(problem);
  const Strategy strategy = parse_strategy(words[3]);
  const Route route = route_of(strategy, problem, ranks);
  Job job;
  job.sends = std::stoi(words[0]);
  unsigned done = 0;
  std::int64_t most = 1;
  for (std::size_t i = 0; i < strategy.stages.size(); ++i) {
    if (const auto* pass = std::get_if<PassStage>(&strategy.stages[i])) {
      done |= FieldStates::set_of(pass->axes);
      continue;
    }
    const auto& exchange = std::get<ExchangeStage>(strategy.stages[i]);
    if ((exchange.exchange != "alltoallv" && job.sends == 0) || exchange.chunks > 1)
      throw Error(
          Error::unsupported,
          fmt::format("'{}' does not go pair by pair, in one piece", to_string(strategy.stages[i])),
          "take alltoallv, or --sends, and no chunks");
    job.exchanges.push_back(
        rounds_of(route.before[i], route.after[i], ranks, route.states.scalar(done).bytes()));
    for (const auto& of_rank : job.exchanges.back())
      for (const Round& round : of_rank) most = std::max({most, round.sent, round.received});
  }
  if (most > std::numeric_limits<int>::max())
    throw Error(Error::unsupported, fmt::format("a message of {} bytes", most), "take more ranks");
  job.out.resize(static_cast<std::size_t>(most));
  job.in.resize(static_cast<std::size_t>(most));
  return job;
}

// Nothing, after it has said why, if there is no such job.
std::unique_ptr<Job> made_job(std::span<const std::string> words, int ranks) {
  try {
    return std::make_unique<Job>(job_of(words, ranks));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "exchanges: %s\n", error.what());
    return nullptr;
  }
}

void run_by_rounds(Job& job, const std::vector<Round>& rounds) {
  for (const Round& round : rounds)
    MPI_Sendrecv(job.out.data(), static_cast<int>(round.sent), MPI_BYTE, round.to, 0, job.in.data(),
                 static_cast<int>(round.received), MPI_BYTE, round.from, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

// All receives are posted first. Sends go in the order of the rounds.
void run_at_once(Job& job, const std::vector<Round>& rounds) {
  std::vector<MPI_Request> receives(rounds.size()),
      sends(std::min(rounds.size(), static_cast<std::size_t>(job.sends)), MPI_REQUEST_NULL);
  for (std::size_t i = 0; i < rounds.size(); ++i)
    MPI_Irecv(job.in.data(), static_cast<int>(rounds[i].received), MPI_BYTE, rounds[i].from, 0,
              MPI_COMM_WORLD, &receives[i]);
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    int free = static_cast<int>(i);
    if (i >= sends.size())
      MPI_Waitany(static_cast<int>(sends.size()), sends.data(), &free, MPI_STATUS_IGNORE);
    MPI_Isend(job.out.data(), static_cast<int>(rounds[i].sent), MPI_BYTE, rounds[i].to, 0,
              MPI_COMM_WORLD, &sends[static_cast<std::size_t>(free)]);
  }
  MPI_Waitall(static_cast<int>(sends.size()), sends.data(), MPI_STATUSES_IGNORE);
  MPI_Waitall(static_cast<int>(receives.size()), receives.data(), MPI_STATUSES_IGNORE);
}

void run(Job& job, int rank) {
  for (const Rounds& all : job.exchanges) {
    const std::vector<Round>& rounds = all[static_cast<std::size_t>(rank)];
    job.sends == 0 ? run_by_rounds(job, rounds) : run_at_once(job, rounds);
  }
}

}  // namespace
}  // namespace weft

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  // Made by the first rank that comes here.
  static const auto job = weft::made_job(std::vector<std::string>(argv + 1, argv + argc), ranks);
  if (job) {
    job->first = std::min(job->first, MPI_Wtime());
    weft::run(*job, rank);
    job->last = std::max(job->last, MPI_Wtime());
    if (++job->ended == ranks) std::printf("{\"seconds\": %.12g}\n", job->last - job->first);
  }
  MPI_Finalize();
  return job ? 0 : 2;
}
