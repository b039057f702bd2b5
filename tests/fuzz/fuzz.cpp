// fuzz: random problems on 1 to 12 ranks of 1 to 3 threads against direct sums, and every exchange
// against alltoallw on one thread, bit for bit; the planner's strategies and variations of them.
// Half of the problems run with scales, and those in place also with two arrays, on all ranks or on
// some. In half of the problems one rank is late, by up to 20 ms at random items, tasks and
// signals. With WEFT_TEST_ENGINE=late, cuda or hip, all of it on a device, as far as devices can,
// and half of it by the library of transforms of these devices, if there is one. A failure prints
// the seed that replays it:
//     mpiexec -n 12 weft_fuzz COUNT [--seed S]

#include <mpi.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>

#include "support/check_plan.hpp"
#include "support/random_problem.hpp"
#include "support/random_strategy.hpp"
#include "support/tested_driver.hpp"
#include "weft/choose/chosen_strategy.hpp"
#include "weft/device/late_fft.hpp"
#include "weft/faces/plan_access.hpp"
#include "weft/fft/engine.hpp"
#include "weft/run/delay.hpp"

namespace {

using namespace weft;
using namespace weft::test;

constexpr unsigned seconds_until_hang = 240;
std::uint64_t current_seed = 0;
long unsupported = 0;  // problems that devices cannot run

bool is_on_device() { return !driver_of_environment().empty(); }

// How late this rank is in the problem at hand: delays left, and their dice.
constexpr int most_delays = 4;
constexpr int longest_delay_us = 20000;
int delays_left = 0;
std::optional<Dice> lateness;

void rest_a_while(Late where) {
  if (delays_left == 0 || !lateness->chance(where == Late::before_item ? 15 : 3)) return;
  --delays_left;
  usleep(static_cast<unsigned>(lateness->between(0, longest_delay_us)));
}

// One rank of a half of all problems is late, in every run anew.
void choose_who_is_late(std::uint64_t seed, int rank, int ranks) {
  Dice dice(seed * 41 + 3);
  const bool somebody = dice.chance(50);
  const bool is_me = somebody && dice.between(0, ranks - 1) == rank;
  lateness.emplace(seed * 43 + static_cast<std::uint64_t>(rank));
  delays_left = is_me ? most_delays : 0;
  late_hook = is_me ? rest_a_while : nullptr;
}

// On a device, fields of two fifths of the problems may be too large for it, and stream through it.
void limit_device(std::uint64_t seed, Options& options) {
  Dice dice(seed * 409 + 5);
  if (is_on_device() && dice.chance(40))
    options.device_memory_limit = dice.pick<std::int64_t>({600, 6000, 60000, 240000});
}

// That of late devices, for which main() has made it.
LateFft* late_library = nullptr;

// The library of transforms of the devices that are tested; empty if there is none. That of late
// devices may overwrite what it loads in half of the problems.
std::string library_of_devices(std::uint64_t seed) {
  if (late_library != nullptr)
    late_library->set({.workspace_factor = static_cast<std::int64_t>(seed % 3),
                       .keeps_sources = Dice(seed * 521 + 3).chance(50)});
  const DriverEntry& devices = find_driver(driver_of_environment());
  try {
    devices.get().fft();
  } catch (const Error&) {
    return {};
  }
  return devices.library;
}

// On a device, all of it; in half of the problems by the library, as far as that can.
std::string use_device(std::uint64_t seed, Options& options) {
  if (!is_on_device()) return {};
  limit_device(seed, options);
  options.engine = driver_of_environment();
  const std::string library = library_of_devices(seed);
  if (library.empty() || Dice(seed * 839 + 7).chance(50)) return {};
  return options.engine = library;
}

// The planner's strategy or, in a third of the problems, a variation of it that is an answer too.
Options varied_options(std::uint64_t seed, MPI_Comm comm, const RandomCase& random) {
  Options options = random.options;
  const std::string library = use_device(seed, options);
  Dice dice(seed * 31 + 7);
  if (!dice.chance(33)) return options;
  const AnyPlan known(comm, random.problem, options);
  const PlanBody& body = PlanAccess::body(known);
  const Blueprint varied =
      varied_blueprint(problem_of(random), body.strategy(), body.machine(), dice);
  Strategy strategy = varied.strategy;
  std::vector<std::string> names;
  if (!library.empty()) names.push_back(library);
  for (const EngineEntry& entry : engines())
    if (library.empty() && !entry.applies()) names.push_back(entry.name);
  choose_randomly(strategy, names, dice);
  options.strategy = to_string(strategy);
  options.exchange.clear();
  options.engine.clear();
  options.decomposition = Distribution::free;
  options.placement = {};
  options.ranks = 0;
  return options;
}

// Whether a plan with other exchanges has the same bits. These leave data between passes with other
// strides. On a device, strides say which two real lines become sums of cosines or sines together,
// and vendors' libraries round otherwise. Other exchanges need other memory, too: where only one of
// the plans streams through the device, that one takes nothing from the library.
bool rounds_alike(const Problem& problem, const Strategy& one, const Strategy& other) {
  if (!is_on_device()) return true;
  const bool sums_real_lines =
      problem.kind != Kind::c2c && std::ranges::any_of(problem.axes, [&](int axis) {
        return basis_of(problem, axis) != Basis::fourier;
      });
  if (sums_real_lines || names_engines(one) != names_engines(other)) return false;
  return driver_of_environment() == "late" || !names_engines(one);
}

double random_scale(Dice& dice) { return dice.pick<double>({1, -1, 0.25, 1.0 / 7, -3, 1e4}); }

// What failed on this rank with this seed, if anything did.
std::optional<std::string> try_seed(std::uint64_t seed, MPI_Comm comm, const RandomCase& random) {
  try {
    const Reference reference(validated(random.problem), seed);
    std::vector<std::byte> bits, reference_bits;
    Options options = varied_options(seed, comm, random);
    if (Dice(seed * 7307 + 11).chance(50)) options.arrays = Arrays::any;
    AnyPlan plan(comm, random.problem, options);
    if (parse_strategy(plan.strategy()) != PlanAccess::body(plan).strategy())
      return "the strategy does not parse back: " + to_string(plan.strategy());
    // In arrays of the plan's own, and in any: whichever comes second must not remember the first.
    const Arrays first = seed % 2 == 0 ? Arrays::of_weft : Arrays::any;
    const Arrays second = seed % 2 == 0 ? Arrays::any : Arrays::of_weft;
    RunsOf runs(first);
    Dice scales(seed * 6007 + 17);
    if (scales.chance(50)) {
      runs.scale = random_scale(scales);
      runs.scale_back = random_scale(scales);
    }
    if (auto failure = check_plan(plan, reference, &bits, runs))
      return *failure + "\n" + plan.describe(Detail::all);
    RunsOf others(second);
    others.in_two_arrays = seed % 4 < 2;
    if (auto failure = check_plan(plan, reference, nullptr, others))
      return "second run: " + *failure + "\n" + plan.describe(Detail::all);
    int me = 0;
    MPI_Comm_rank(comm, &me);
    Dice delays(seed * 97 + static_cast<std::uint64_t>(me));
    std::vector<std::byte> delayed_bits;
    runs.delays = &delays;
    runs.in_two_arrays = delays.chance(50);
    if (auto failure = check_plan(plan, reference, &delayed_bits, runs))
      return "started: " + *failure + "\n" + plan.describe(Detail::all);
    if (bits != delayed_bits)
      return "started, it differs in some bits\n" + plan.describe(Detail::all);
    // The same passes between other exchanges.
    Strategy strategy = PlanAccess::body(plan).strategy();
    for (Stage& stage : strategy.stages)
      if (auto* exchange = std::get_if<ExchangeStage>(&stage)) exchange->exchange = "alltoallw";
    Options reference_options = options;
    reference_options.exchange.clear();
    reference_options.placement = {};
    reference_options.ranks = 0;
    reference_options.strategy = to_string(strategy);
    // As much of a device for each transform in flight: both stream through it, or neither.
    reference_options.device_memory_limit /= options.in_flight;
    reference_options.threads = reference_options.in_flight = 1;
    reference_options.arrays = Arrays::of_weft;
    AnyPlan reference_plan(comm, random.problem, reference_options);
    runs.arrays = Arrays::any;
    runs.delays = nullptr;
    runs.in_two_arrays = false;
    if (auto failure = check_plan(reference_plan, reference, &reference_bits, runs))
      return "alltoallw: " + *failure + "\n" + reference_plan.describe(Detail::all);
    if (bits != reference_bits &&
        rounds_alike(plan.problem(), strategy, PlanAccess::body(reference_plan).strategy()))
      return "differs from alltoallw in some bits\n" + plan.describe(Detail::all) + "\n" +
             reference_plan.describe(Detail::all);
  } catch (const Error& error) {
    const bool is_limited = error.message().find("the plan may take") != std::string::npos;
    if ((error.code() != Error::unsupported && !is_limited) || !is_on_device()) return error.what();
    ++unsupported;
  } catch (const std::exception& error) {
    return error.what();
  }
  return std::nullopt;
}

void report_hang(int) {
  std::fprintf(stderr, "weft_fuzz: no answer for %u s; replay: ./dev fuzz 1 --seed %llu\n",
               seconds_until_hang, static_cast<unsigned long long>(current_seed));
  _exit(1);
}

int usage() {
  std::fprintf(stderr, "usage: weft_fuzz COUNT [--seed S]\n");
  return 2;
}

int run(int argc, char** argv, int rank, int ranks) {
  if (argc != 2 && !(argc == 4 && std::string(argv[2]) == "--seed")) return usage();
  const long count = std::strtol(argv[1], nullptr, 10);
  const std::uint64_t first = argc == 4 ? std::strtoull(argv[3], nullptr, 10) : 1;
  std::map<int, MPI_Comm> comms;  // by number of ranks
  signal(SIGALRM, report_hang);
  const double begin = MPI_Wtime();
  double told = begin;
  for (long i = 0; i < count; ++i) {
    const std::uint64_t seed = current_seed = first + static_cast<std::uint64_t>(i);
    alarm(seconds_until_hang);
    const RandomCase random = random_case(seed, ranks);
    if (!comms.contains(random.ranks))
      MPI_Comm_split(MPI_COMM_WORLD, rank < random.ranks ? 0 : MPI_UNDEFINED, rank,
                     &comms[random.ranks]);
    std::optional<std::string> failure;
    choose_who_is_late(seed, rank, random.ranks);
    if (rank < random.ranks) failure = try_seed(seed, comms[random.ranks], random);
    if (failure) {  // at once: the others may wait for this rank
      std::fprintf(
          stderr,
          "FAILED seed %llu, rank %d of %d: %s\n  %s\n  %s\n  replay: ./dev fuzz 1 --seed %llu\n",
          static_cast<unsigned long long>(seed), rank, random.ranks, failure->c_str(),
          to_string(random.problem).c_str(), to_string(random.options).c_str(),
          static_cast<unsigned long long>(seed));
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0 && MPI_Wtime() - told > 5) {
      told = MPI_Wtime();
      std::fprintf(stderr, "fuzz: %ld of %ld problems, %.0f s\n", i + 1, count, told - begin);
    }
  }
  for (auto& [size, comm] : comms)
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  if (rank == 0)
    std::printf("fuzz: %ld problems passed, seeds %llu to %llu, %.0f s\n", count,
                static_cast<unsigned long long>(first),
                static_cast<unsigned long long>(first) + static_cast<unsigned long long>(count) - 1,
                MPI_Wtime() - begin);
  if (rank == 0 && is_on_device()) std::printf("of these, devices cannot run %ld\n", unsupported);
  return 0;
}

}  // namespace

// With WEFT_TEST_ENGINE=late, cuda or hip, on devices.
void use_late_device();

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  use_late_device();
  if (driver_of_environment() == "late") {
    auto& driver = dynamic_cast<LateDriver&>(find_driver("late").get());
    auto library = std::make_unique<LateFft>(driver, LateFft::Settings{});
    late_library = library.get();
    driver.give_fft(std::move(library));
  }
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int status = run(argc, argv, rank, ranks);
  MPI_Finalize();
  return status;
}
