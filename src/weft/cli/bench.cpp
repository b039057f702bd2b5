// cli/bench: `weft bench` - its options, and the configurations they stand for.

#include <CLI/CLI.hpp>

#include <cmath>

#include "weft/base/simulation.hpp"
#include "weft/cli/output_file.hpp"
#include "weft/cli/workloads.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/nodes.hpp"

namespace weft::cli {

namespace {

constexpr const char* examples =
    "  weft bench 64x64x64\n"
    "  mpiexec -n 4 weft bench 64x64x64 128x96x24 --kind r2c --output same\n"
    "  mpiexec -n 4 weft bench 48x48x48 --exchange all --node-size 2 --json times.json\n"
    "  mpiexec -n 6 weft bench 32x32x32 --input pencil --grid 2x3 --precision single\n"
    "  weft bench 64x64x64 --threads 2\n"
    "  mpiexec -n 4 weft bench 16x16x16 --use-ranks 2\n"
    "  mpiexec -n 2 weft bench 32x32x32 --strategy 'fftw | from 4x1x1 on 0,1,1,0 | fft 2,1 | p2p "
    "to 1x4x1 on 0,1,0,1 | fft 0'\n"
    "  mpiexec -n 2 weft bench 64x64x64 --chunks 4 --progress thread --work 0.01\n"
    "  mpiexec -n 4 weft bench 32x32x32 --in-flight 3\n"
    "  mpiexec -n 4 weft bench 20x20x20 --workload density --instances 1,4,8 --node-size 1\n"
    "  mpiexec -n 4 weft bench 20x20x20 --workload density --instances 3 --policy subsets\n"
    "  mpiexec -n 2 weft bench 64x64x64 --in-place --batch 2 --repeat 9 --trace trace.json\n";

Precision parse_precision(const std::string& text) {
  for (const Precision precision : {Precision::single_precision, Precision::double_precision})
    if (text == to_string(precision)) return precision;
  throw Error(Error::invalid, fmt::format("there is no precision '{}'", text),
              "one of: single, double");
}

Distribution parse_distribution(const std::string& text, const char* option, bool may_be_same,
                                const Dims& grid) {
  Distribution distribution;
  distribution.form = parse_form(text);
  if (distribution.form == Distribution::boxes ||
      (distribution.form == Distribution::same && !may_be_same))
    throw Error(Error::invalid, fmt::format("{} cannot be '{}'", option, text),
                fmt::format("one of: free, {}slab, pencil, brick", may_be_same ? "same, " : ""));
  if (distribution.form == Distribution::pencil || distribution.form == Distribution::brick)
    distribution.grid = grid;
  return distribution;
}

std::vector<Problem> problems(const BenchArguments& arguments, const Options& options) {
  Problem problem;
  problem.kind = parse_kind(arguments.kind);
  problem.precision = parse_precision(arguments.precision);
  problem.batch = arguments.batch;
  problem.in_place = arguments.in_place;
  problem.input = parse_distribution(arguments.input, "--input", false, options.grid);
  problem.output = parse_distribution(arguments.output, "--output", true, options.grid);
  std::vector<Problem> all;
  for (const std::string& text : arguments.extents) {
    problem.extents = parse_dims(text, "EXTENTS");
    validated(problem);
    all.push_back(problem);
  }
  return all;
}

// "all" stands for every row that applies; what does not is told.
std::vector<std::string> names_of(const std::string& asked,
                                  const std::vector<std::string>& applying) {
  if (asked != "all") return {asked};
  return applying;
}

std::vector<std::string> exchange_names(const BenchArguments& arguments, const Problem& problem,
                                        const Machine& machine, const Console& console) {
  std::vector<std::string> applying;
  for (const ExchangeRow& row : exchanges()) {
    const auto why_not = row.applies(validated(problem), machine);
    if (!why_not)
      applying.push_back(row.name);
    else if (arguments.choices.exchange == "all")
      console.say(
          fmt::format("{}: {} does not apply: {}", to_string(problem.extents), row.name, *why_not));
  }
  return names_of(arguments.choices.exchange, applying);
}

std::vector<std::string> engine_names(const BenchArguments& arguments) {
  std::vector<std::string> applying;
  for (const EngineEntry& row : engines())
    if (!row.applies()) applying.push_back(row.name);
  return names_of(arguments.choices.engine, applying);
}

void run(const BenchArguments& arguments, const Surroundings& here) {
  const Workload& workload = workload_named(arguments.workload);
  workload.check(arguments);
  require_at_least("--warmup", arguments.repetition.warmup, 0);
  require_at_least("--repeat", arguments.repetition.repeat, 1);
  require_at_least("--chunks", arguments.chunks, 0);
  require_at_least("--in-flight", arguments.repetition.in_flight, 1);
  if (!(arguments.repetition.work_seconds >= 0 && std::isfinite(arguments.repetition.work_seconds)))
    throw Error(Error::invalid, fmt::format("--work is {}", arguments.repetition.work_seconds),
                "give the seconds that the application computes, 0 for none");
  if (!(arguments.pass_seconds_per_byte >= 0))
    throw Error(Error::invalid,
                fmt::format("--pass-seconds-per-byte is {}", arguments.pass_seconds_per_byte),
                "it must be at least 0");
  set_pass_seconds_per_byte(arguments.pass_seconds_per_byte);
  set_keeps_priorities(!arguments.no_priorities);
  PlanChoices choices = arguments.choices;
  if (choices.exchange == "all") choices.exchange.clear();
  if (choices.engine == "all") choices.engine.clear();
  Options options = plan_options(choices);
  options.chunks = arguments.chunks;
  options.in_flight = arguments.repetition.in_flight;
  options.progress = parse_progress(arguments.progress);
  const std::vector<Problem> all = problems(arguments, options);
  together(here.comm, [&] {
    if (here.comm.rank() != 0) return;
    for (const std::string& path : {arguments.json, arguments.trace})
      if (!path.empty()) require_writable(path);
  });

  const Machine machine{here.comm.size(), nodes_of_ranks(here.comm, options.node_sizes)};
  std::vector<Case> cases;
  for (const Problem& problem : all)
    for (const std::string& engine : engine_names(arguments))
      for (const std::string& exchange :
           exchange_names(arguments, problem, machine, here.console)) {
        options.engine = engine;
        options.exchange = exchange;
        cases.push_back({problem, options});
      }
  workload.run(arguments, here, cases);
}

}  // namespace

Command bench_command() {
  return {
      "bench", "measure transforms, alone or as part of a workload", examples, [](CLI::App& app) {
        const auto a = std::make_shared<BenchArguments>();
        app.add_option("EXTENTS", a->extents, "points per axis, like 256x256x256")
            ->required()
            ->type_name("");
        app.add_option("--workload", a->workload,
                       "what runs: transforms (default), there and back, or density: fields in "
                       "g-space to real space, |psi|^2 there, and back, each instance by itself")
            ->type_name("WORD");
        app.add_option("--instances", a->instances,
                       "of the density, at the same time; several numbers, like 1,2,4, are "
                       "measured one after the other (default 1)")
            ->delimiter(',')
            ->allow_extra_args(false)
            ->type_name("I");
        app.add_option(
               "--policy", a->policy,
               "who works on which instance: all ranks on each, subsets of the nodes, mixed "
               "(subsets for as many as come out even, the others on all) or automatic "
               "(default): what the planner takes to be fastest")
            ->type_name("WORD");
        app.add_option("--kind", a->kind, "c2c (default), r2c or c2r")->type_name("KIND");
        app.add_option("--precision", a->precision, "double (default) or single")
            ->type_name("WORD");
        app.add_flag("--in-place", a->in_place, "the output takes the input's memory");
        app.add_option("--batch", a->batch, "fields transformed at once")->type_name("N");
        app.add_option("--input", a->input,
                       "how the input is spread: free (default: the planner's choice), slab, "
                       "pencil or brick")
            ->type_name("FORM");
        app.add_option("--output", a->output,
                       "and the output: free (default: where the last pass leaves it), same "
                       "(natural order, as the input), slab, pencil or brick")
            ->type_name("FORM");
        app.add_option("--chunks", a->chunks,
                       "pieces that exchanges are cut into, which hide behind computing "
                       "(default 0: the planner's choice; 1: whole)")
            ->type_name("K");
        app.add_option("--progress", a->progress,
                       "who moves messages meanwhile: inline (weft's calls only), tiles (default: "
                       "also passes, between tiles) or thread (also a thread of weft's own)")
            ->type_name("WHO");
        app.add_option("--in-flight", a->repetition.in_flight,
                       "transforms that a run starts at once, each of a field of its own; its time "
                       "is that of all (default 1)")
            ->type_name("N");
        app.add_option("--work", a->repetition.work_seconds,
                       "seconds the application computes between start and wait of every forward "
                       "run; they count into its time (default 0)")
            ->type_name("SECONDS");
        app.add_option("--warmup", a->repetition.warmup, "runs before those timed (default 1)")
            ->type_name("N");
        app.add_option("--repeat", a->repetition.repeat, "runs timed (default 5)")->type_name("N");
        app.add_flag("--no-verify", a->no_verify, "do not check the round trip");
        app.add_option("--json", a->json, "write the results there")->type_name("FILE");
        app.add_option("--trace", a->trace,
                       "write the stages of the last run on all ranks there, passes item by item "
                       "and for whom, for chrome://tracing or Perfetto")
            ->type_name("FILE");
        if constexpr (is_simulated) {
          app.add_option("--pass-seconds-per-byte", a->pass_seconds_per_byte,
                         "simulated seconds that a pass takes for each byte it loads (default 0); "
                         "only in a build for SimGrid")
              ->type_name("X");
          app.add_flag("--no-priorities", a->no_priorities,
                       "compute as the data lie, not first what other nodes wait for; only in a "
                       "build for SimGrid");
        }
        // Trial runs would tell the time of this machine.
        a->choices.effort = is_simulated ? "estimate" : "measure";
        add_plan_choices(app, a->choices);
        return [a](const Surroundings& here) {
          a->repetition.verifies = !a->no_verify;
          run(*a, here);
        };
      }};
}

}  // namespace weft::cli
