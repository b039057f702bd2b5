// injection/weft_faults: injects faults into random small programs, one at a time, on one rank, and
// checks that all ranks get an error or the right numbers, in bounded time. A process goes on after
// a fault. With --kill, a rank is killed instead, and the survivors say what they were told.
//     mpiexec -n 6 weft_faults COUNT [--seed S]
//     mpiexec -n 4 weft_faults --kill SEED

#include <mpi.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

#include "injection/cases.hpp"
#include "injection/events.hpp"
#include "weft/base/ensure.hpp"

namespace {

using namespace weft;
using namespace weft::test;

constexpr unsigned seconds_until_hang = 240;
constexpr int faults_per_case = 6;
unsigned long long current_seed = 0;
int world_rank = 0, world_size = 1;
Fault current_fault;

void report_hang(int) {
  std::fprintf(
      stderr, "weft_faults: rank %d hangs, seed %llu, %s number %ld\n", world_rank, current_seed,
      current_fault.event < 0 ? "no event" : event_names[current_fault.event], current_fault.at);
  _exit(1);
}

[[noreturn]] void fail(const Case& of, const std::string& why) {
  std::fprintf(stderr, "FAILED seed %llu, rank %d, fault %s number %ld%s: %s\n  %s\n", current_seed,
               world_rank, current_fault.event < 0 ? "none" : event_names[current_fault.event],
               current_fault.at, current_fault.stays ? " and all later ones" : "", why.c_str(),
               of.text().c_str());
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

// What came of the faults of one event.
struct Tally {
  long injected = 0, in_planning = 0, on_all = 0, on_some = 0, absorbed = 0;
};
std::array<Tally, event_count> tallies;
std::array<bool, event_count> has_happened{};  // without a fault

int sum(MPI_Comm comm, int mine) {
  int all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, comm);
  return all;
}

// Draws a fault of one of the events that happened on rank `victim`; the same on all ranks.
Fault draw_fault(Dice& dice, MPI_Comm comm, int victim) {
  auto counts = occurrences();
  MPI_Bcast(counts.data(), static_cast<int>(counts.size()), MPI_LONG, victim, comm);
  for (std::size_t e = 0; e < counts.size(); ++e) has_happened[e] |= counts[e] > 0;
  Fault fault;
  do fault.event = static_cast<int>(dice.between(0, event_count - 1));
  while (counts[static_cast<std::size_t>(fault.event)] == 0);
  fault.at = dice.between(0, counts[static_cast<std::size_t>(fault.event)] - 1);
  // A rank for which all of MPI fails for good cannot tell the others.
  fault.stays = fault.event != message && dice.chance(25);
  return fault;
}

// What all ranks must have in common after a fault.
void judge(const Case& of, MPI_Comm comm, const Outcome& outcome, const Fault& fault, int victim) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (!outcome.wrong.empty()) fail(of, outcome.wrong);
  if (sum(comm, rank == victim && has_fired() ? 1 : 0) == 0) return;
  Tally& tally = tallies[static_cast<std::size_t>(fault.event)];
  const int errors = sum(comm, outcome.stage != Outcome::done ? 1 : 0);
  const int in_planning = sum(comm, outcome.stage == Outcome::planning ? 1 : 0);
  const int told = sum(comm, outcome.callbacks_failed);
  if (in_planning != 0 && in_planning != of.ranks)
    fail(of, fmt::format("{} of {} ranks could plan; here: {}", of.ranks - in_planning, of.ranks,
                         outcome.error));
  if (fault.event == callback && told == 0 && errors == 0)
    fail(of, "what a callback threw was told by no ticket");
  if (outcome.stage != Outcome::done && outcome.error.empty()) fail(of, "an error without a text");
  ++tally.injected;
  if (in_planning != 0)
    ++tally.in_planning;
  else if (errors == of.ranks)
    ++tally.on_all;
  else if (errors > 0 || told > 0)
    ++tally.on_some;
  else
    ++tally.absorbed;
}

void run_without_fault(const Case& of, MPI_Comm comm, std::uint64_t seed) {
  current_fault = {};
  expect({});
  const Outcome clean = run_case(of, comm, seed);
  if (!clean.wrong.empty()) fail(of, clean.wrong);
}

// Injects up to `most` faults into the case of a seed. Returns how many.
int try_seed(std::uint64_t seed, MPI_Comm comm, const Case& of, int most) {
  Dice dice(seed * 31 + 11);
  run_without_fault(of, comm, seed);
  const int victim = static_cast<int>(dice.between(0, of.ranks - 1));
  std::vector<Fault> faults;
  for (int i = 0; i < most; ++i) {
    Dice of_this(seed * 131 + static_cast<std::uint64_t>(i));
    faults.push_back(draw_fault(of_this, comm, victim));
  }
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  for (const Fault& fault : faults) {
    current_fault = fault;
    alarm(seconds_until_hang);
    expect(rank == victim ? fault : Fault{});
    judge(of, comm, run_case(of, comm, seed), fault, victim);
  }
  return most;
}

// Kills the last rank at some event of its runs. The survivors end without a word to MPI.
int kill_one(std::uint64_t seed) {
  const Case of = [&] {
    Case drawn = draw_case(seed, world_size, true);
    drawn.ranks = world_size;
    return drawn;
  }();
  current_seed = seed;
  Dice dice(seed);
  run_without_fault(of, MPI_COMM_WORLD, seed);
  Fault fault;
  fault.event = run_step;
  const auto counts = occurrences();
  long steps = counts[run_step];
  MPI_Bcast(&steps, 1, MPI_LONG, world_size - 1, MPI_COMM_WORLD);
  fault.at = dice.between(0, steps - 1);
  fault.kills = true;
  expect(world_rank == world_size - 1 ? fault : Fault{});
  const Outcome outcome = run_case(of, MPI_COMM_WORLD, seed);
  std::printf("rank %d: %s%s\n", world_rank, outcome.wrong.empty() ? "" : "WRONG ",
              outcome.stage == Outcome::done ? "right" : outcome.error.c_str());
  std::fflush(stdout);
  std::_Exit(3);
}

void print_tallies() {
  std::printf(
      "| fault | injected | error of all while planning | error of all while running | "
      "error of some, others right | all right |\n|---|---|---|---|---|---|\n");
  Tally all;
  const auto row = [](const char* name, const Tally& tally) {
    std::printf("| %s | %ld | %ld | %ld | %ld | %ld |\n", name, tally.injected, tally.in_planning,
                tally.on_all, tally.on_some, tally.absorbed);
  };
  for (int e = 0; e < event_count; ++e) {
    const Tally& tally = tallies[static_cast<std::size_t>(e)];
    if (tally.injected > 0) row(event_names[static_cast<std::size_t>(e)], tally);
    all.injected += tally.injected;
    all.in_planning += tally.in_planning;
    all.on_all += tally.on_all;
    all.on_some += tally.on_some;
    all.absorbed += tally.absorbed;
  }
  row("all", all);
}

// An event that never happens is watched for in the wrong place: a function that weft calls has
// another name now, say. Threads are started and processes watched once a process.
int check_that_all_happened(long faults) {
  constexpr long enough = 100;
  int missing = 0;
  for (int e = 0; faults >= enough && e < event_count; ++e) {
    if (has_happened[static_cast<std::size_t>(e)] || e == thread || e == process_watch) continue;
#ifndef WEFT_HAVE_FFTW
    if (e == fft_plan) continue;
#endif
    std::printf("FAILED: '%s' never happened\n", event_names[static_cast<std::size_t>(e)]);
    ++missing;
  }
  return missing > 0 ? 1 : 0;
}

// A plan that has failed keeps its descriptors.
void allow_many_files() {
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}

// Rank 0 is in all cases, so its tallies are those of all.
int run(long count, std::uint64_t seed) {
  std::map<int, MPI_Comm> comms;
  const std::uint64_t first = seed;
  const double begin = MPI_Wtime();
  for (long done = 0; done < count; ++seed) {
    current_seed = seed;
    const int most = static_cast<int>(std::min<long>(faults_per_case, count - done));
    const Case of = draw_case(seed, world_size, false);
    if (!comms.contains(of.ranks))
      MPI_Comm_split(MPI_COMM_WORLD, world_rank < of.ranks ? 0 : MPI_UNDEFINED, world_rank,
                     &comms[of.ranks]);
    alarm(seconds_until_hang);
    if (world_rank < of.ranks) try_seed(seed, comms[of.ranks], of, most);
    alarm(static_cast<unsigned>(faults_per_case) * seconds_until_hang);
    MPI_Barrier(MPI_COMM_WORLD);
    done += most;
  }
  alarm(0);
  if (world_rank == 0) {
    print_tallies();
    std::printf("faults: %ld ended as they must, seeds %llu to %llu, %.0f s\n", count,
                static_cast<unsigned long long>(first), static_cast<unsigned long long>(seed) - 1,
                MPI_Wtime() - begin);
    return check_that_all_happened(count);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_size);
  signal(SIGALRM, report_hang);
  allow_many_files();
  int status = 2;
  if (argc == 3 && std::strcmp(argv[1], "--kill") == 0) {
    alarm(seconds_until_hang);
    status = kill_one(std::strtoull(argv[2], nullptr, 10));
  } else if (world_size > 1 && (argc == 2 || (argc == 4 && std::strcmp(argv[2], "--seed") == 0))) {
    status =
        run(std::strtol(argv[1], nullptr, 10), argc == 4 ? std::strtoull(argv[3], nullptr, 10) : 1);
  } else {
    std::fprintf(stderr,
                 "usage, on two ranks or more: weft_faults COUNT [--seed S]\n"
                 "                             weft_faults --kill SEED\n");
  }
  MPI_Finalize();
  return status;
}
