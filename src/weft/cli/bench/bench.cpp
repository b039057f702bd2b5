// cli/bench/bench: `weft bench` - its options, and the configurations that they select.

#include <CLI/CLI.hpp>

#include <cmath>

#include "weft/base/simulation.hpp"
#include "weft/cli/bench/workloads.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/nodes.hpp"
#include "weft/device/driver.hpp"
#include "weft/files/output_file.hpp"
#include "weft/making/exchange_table.hpp"

namespace weft::cli {

namespace {

constexpr const char* bench_examples =
    "  weft bench 64x64x64\n"
    "  mpiexec -n 4 weft bench 64x64x64 128x96x24 --kind r2c --output same\n"
    "  mpiexec -n 2 weft bench 64x64x64 --kind r2c --pad 3/2\n"
    "  mpiexec -n 4 weft bench 48x48x48 --exchange all --node-size 2 --json times.json\n"
    "  mpiexec -n 6 weft bench 32x32x32 --input pencil --grid 2x3 --precision single\n"
    "  weft bench 64x64x64 --threads 2\n"
    "  mpiexec -n 4 weft bench 16x16x16 --use-ranks 2\n"
    "  mpiexec -n 2 weft bench 32x32x32 \\\n"
    "      --strategy 'fftw | from 4x1x1 on 0,1,1,0 | fft 2,1 | p2p to 1x4x1 on 0,1,0,1 | fft 0'\n"
    "  mpiexec -n 2 weft bench 32x32x32 --in-turn --strategy automatic \\\n"
    "      --strategy 'weft | from 1x1x2 | fft 0 | shared to 2x1x1 | fft 2,1'\n"
    "  mpiexec -n 2 weft bench 64x64x64 --chunks 4 --progress thread --work 0.01\n"
    "  mpiexec -n 4 weft bench 32x32x32 --in-flight 3\n"
    "  mpiexec -n 4 weft bench 32x32x32 --workload reshape --input slab --output brick\n"
    "  mpiexec -n 4 weft bench 32x32x32 --workload halo --ghosts 2 --input pencil\n"
    "  mpiexec -n 2 weft bench 64x64x64 --in-place --batch 2 --repeat 9 --trace trace.json\n";

// "all" selects every entry that applies.
std::vector<std::string> selected(const std::string& asked,
                                  const std::vector<std::string>& applying) {
  if (asked != "all") return {asked};
  return applying;
}

std::vector<std::string> exchange_names(const BenchArguments& arguments, const Problem& problem,
                                        const Machine& machine, Console& console) {
  std::vector<std::string> applying;
  for (const ExchangeEntry& entry : exchanges()) {
    const auto why_not = entry.applies(validated(problem), machine);
    if (!why_not)
      applying.push_back(entry.name);
    else if (arguments.given.text("exchange") == "all")
      console.say(fmt::format("{}: {} does not apply: {}", to_string(problem.extents), entry.name,
                              *why_not));
  }
  return selected(arguments.given.text("exchange"), applying);
}

std::vector<std::string> engine_names(const BenchArguments& arguments) {
  std::vector<std::string> applying;
  const auto memory = arguments.repetition.memory.value_or(Memory::host);
  const bool needs_device = memory == Memory::device || memory == Memory::managed;
  if (needs_device && arguments.given.text("engine").empty()) return {find_driver("").name};
  for (const EngineEntry& entry : engines())
    if (!entry.applies()) applying.push_back(entry.name);
  return selected(arguments.given.text("engine"), applying);
}

// Empty where the planner chooses.
std::vector<std::string> strategies_of(const BenchArguments& arguments) {
  constexpr const char* planners_own = "automatic";
  std::vector<std::string> all = arguments.strategies;
  if (all.empty()) all.emplace_back();
  for (std::string& one : all)
    if (one == planners_own) one.clear();
  return all;
}

void check(const BenchArguments& arguments) {
  const Repetition& repetition = arguments.repetition;
  require_at_least("--warmup", repetition.warmup, 0);
  require_at_least("--repeat", repetition.repeat, 1);
  if (!(repetition.work_seconds >= 0 && std::isfinite(repetition.work_seconds)))
    throw Error(Error::invalid, fmt::format("--work is {}", repetition.work_seconds),
                "give the seconds that the application computes, or 0");
  if (arguments.blocking && arguments.workload != "transforms")
    throw Error(Error::unsupported,
                fmt::format("--blocking, and the workload {}", arguments.workload),
                "simulate transforms, or leave --blocking out");
  if (!arguments.trace.empty() && arguments.trace == arguments.json)
    throw Error(Error::invalid, fmt::format("--json and --trace are both {}", arguments.json),
                "give each a file of its own");
  if (!(arguments.pass_seconds_per_byte >= 0))
    throw Error(Error::invalid,
                fmt::format("--pass-seconds-per-byte is {}", arguments.pass_seconds_per_byte),
                "it must be at least 0");
}

Options options_without_all(const Given& given) {
  Options options = plan_options(given);
  for (std::string* name : {&options.exchange, &options.engine})
    if (*name == "all") name->clear();
  return options;
}

void run(BenchArguments arguments, const Surroundings& here) {
  const Workload& workload = workload_named(arguments.workload);
  workload.check(arguments);
  check(arguments);
  set_pass_seconds_per_byte(arguments.pass_seconds_per_byte);
  set_keeps_priorities(!arguments.no_priorities);
  set_blocks_in_collectives(arguments.blocking);
  set_simulated_caches(arguments.simulated_caches);
  Options options = options_without_all(arguments.given);
  arguments.repetition.in_flight = options.in_flight;
  arguments.repetition.verifies = !arguments.no_verify;
  const std::vector<Problem> all = problems_of(arguments.given);
  agree(here.comm, [&] {
    if (here.comm.rank() != 0) return;
    for (const std::string& path : {arguments.json, arguments.trace})
      if (!path.empty()) require_writable(path);
  });

  const Machine machine{here.comm.size(), nodes_of_ranks(here.comm, options.pretend.node_sizes)};
  std::vector<Case> cases;
  for (const Problem& problem : all)
    for (const std::string& strategy : strategies_of(arguments)) {
      options.strategy = strategy;
      if (!strategy.empty()) {  // it names its engine and its exchanges
        cases.push_back({problem, options});
        continue;
      }
      Options chosen = options;
      for (const std::string& engine : engine_names(arguments))
        for (const std::string& exchange :
             exchange_names(arguments, problem, machine, here.console)) {
          chosen.engine = engine;
          chosen.exchange = exchange;
          cases.push_back({problem, chosen});
        }
    }
  workload.run(arguments, here, cases);
}

void add_workload_options(CLI::App& app, BenchArguments& a) {
  app.add_option(
         "--workload", a.workload,
         "what to run: transforms (default), forward and backward; reshape: move the field from "
         "--input to --output (default "
         "slab to pencil); or halo: fill the ghost points around each rank's part of --input "
         "(default brick)")
      ->type_name("WORD");
  app.add_option("--ghosts", a.ghosts,
                 "number of ghost points of a halo at both ends of every axis (default 1)")
      ->type_name("N");
}

void add_run_options(CLI::App& app, BenchArguments& a) {
  add_settings(app, a.given, {"chunks", "progress", "in-flight"});
  app.get_option("--in-flight")
      ->description(
          "number of transforms that a run starts together, each of its own field; the time of a "
          "run is that of all of them (default 1)");
  app.add_option("--work", a.repetition.work_seconds,
                 "seconds that the application computes between start and wait of every forward "
                 "run; the time of the run includes them (default 0)")
      ->type_name("SECONDS");
  app.add_option_function<std::string>(
         "--memory", [&a](const std::string& text) { a.repetition.memory = parse_memory(text); },
         "memory of the fields: host, registered, managed or device; the last two are transformed "
         "by devices, of the first driver that applies unless --engine names one (default: what a "
         "plan allocates, on devices registered)")
      ->type_name("WORD");
  app.add_option("--warmup", a.repetition.warmup,
                 "number of runs before the timed runs (default 1)")
      ->type_name("N");
  app.add_option("--repeat", a.repetition.repeat, "number of timed runs (default 5)")
      ->type_name("N");
  app.add_flag(
      "--in-turn", a.repetition.in_turn,
      "make the plans of all configurations first, and run them in turn, so that what else "
      "the machine does meets all of them; each has its warm-up runs in each turn");
  app.add_flag("--explain", a.explain, "say how each plan works, and what was tried to find it");
  app.add_flag("--no-verify", a.no_verify, "do not check the result of a round trip");
  if (is_simulated) {
    app.add_option(
           "--pass-seconds-per-byte", a.pass_seconds_per_byte,
           "simulated seconds that a pass takes for each byte it loads (default 0); only in "
           "a build for SimGrid")
        ->type_name("X");
    app.add_option("--level-2-cache", a.simulated_caches.level_2,
                   "level-2 cache of a core of a simulated host (default 1048576)")
        ->type_name("BYTES");
    app.add_option("--level-3-cache", a.simulated_caches.level_3,
                   "all level-3 caches of a simulated host together (default 33554432)")
        ->type_name("BYTES");
    app.add_flag(
        "--no-priorities", a.no_priorities,
        "compute tiles in memory order, not first those that other nodes wait for; only in "
        "a build for SimGrid");
    app.add_flag(
        "--blocking", a.blocking,
        "exchange with MPI_Alltoallv, which blocks, instead of MPI_Ialltoallv: few messages "
        "are under way at once; for the exchange alltoallv in one chunk, one transform at a "
        "time; only in a build for SimGrid");
  }
}

void add_output_options(CLI::App& app, BenchArguments& a) {
  app.add_option("--json", a.json, "write the results to FILE, as JSON")->type_name("FILE");
  app.add_option(
         "--trace", a.trace,
         "write what all ranks did in the last run to FILE - every item of work, message and "
         "wait - for `python -m weft plot trace`, Perfetto or chrome://tracing")
      ->type_name("FILE");
}

}  // namespace

Command bench_command() {
  return {"bench", "measure transforms, alone or as part of a workload", bench_examples,
          [](CLI::App& app) {
            const auto arguments = std::make_shared<BenchArguments>();
            // Trial runs would use the real time of this machine, not the simulated time.
            arguments->given.effort = is_simulated ? "estimate" : "measure";
            add_extents(app, arguments->given);
            add_workload_options(app, *arguments);
            add_problem_settings(app, arguments->given);
            add_run_options(app, *arguments);
            add_output_options(app, *arguments);
            add_plan_settings(app, arguments->given, {});
            app.add_option(
                   "--strategy", arguments->strategies,
                   "measure this strategy, in the form in which weft prints strategies; 'from "
                   "4x1x1 on 0,0,1,1' also gives the rank of each piece. May be given several "
                   "times; automatic: the one that the planner chooses")
                ->type_name("TEXT")
                ->allow_extra_args(false);
            return [arguments](const Surroundings& here) { run(*arguments, here); };
          }};
}

}  // namespace weft::cli
