// cli/bench/workloads: the entries of the table, and the options that each does not support.

#include "weft/cli/bench/workloads.hpp"

#include "weft/cli/bench/bench.hpp"
#include "weft/cli/bench/bench_report.hpp"
#include "weft/cli/bench/bench_trace.hpp"
#include "weft/cli/bench/movement.hpp"
#include "weft/files/output_file.hpp"

namespace weft::cli {

namespace {

template <class Found>
void require_accuracy(const std::vector<Found>& measurements, const char* what) {
  for (const Found& m : measurements)
    if (m.max_error && !(*m.max_error <= m.error_limit))
      throw Error(
          Error::system,
          fmt::format("{} of {} with {} and {} is wrong: error {:.1e} of the largest value; "
                      "the limit is {:.0e}",
                      what, to_string(m.problem.extents), m.engine, m.exchange, *m.max_error,
                      m.error_limit),
          "report this error with the strategy: " + m.strategy);
}

struct Misplaced {
  bool is_given;
  const char *option, *hint;
};

void refuse(const std::vector<Misplaced>& options, const char* workload) {
  for (const Misplaced& each : options)
    if (each.is_given)
      throw Error(Error::invalid,
                  fmt::format("--workload {} does not support {}", workload, each.option),
                  each.hint);
}

void check_transforms(const BenchArguments& a) {
  refuse({{a.ghosts != BenchArguments().ghosts, "--ghosts", "add --workload halo"}}, "transforms");
}

void run_transforms(const BenchArguments& arguments, const Surroundings& here,
                    const std::vector<Case>& cases) {
  const std::vector<Measurement> found =
      measure(here, cases, arguments.repetition, !arguments.trace.empty());
  if (arguments.explain)
    for (const Measurement& m : found) here.console.say(m.explanation + "\n");
  here.console.say(table_of(found));
  write_text(here.comm, arguments.json, json_of(found));
  if (!arguments.trace.empty()) write_text(here.comm, arguments.trace, trace_of(found));
  require_accuracy(found, "the round trip");
}

// What movements and transforms have in common is the field, the exchange and its repetition.
void check_movement(const BenchArguments& a, const char* workload) {
  const char* const transforms = "omit it, or use --workload transforms";
  refuse({{a.given.has("modes"), "--modes", transforms},
          {a.given.has("pad"), "--pad", transforms},
          {a.given.has("support"), "--support", transforms},
          {a.given.has("cutoff"), "--cutoff", transforms},
          {a.given.has("in-place"), "--in-place", transforms},
          {a.given.has("batch"), "--batch", transforms},
          {a.given.has("in-flight"), "--in-flight", transforms},
          {a.repetition.work_seconds != 0, "--work", transforms},
          {!a.trace.empty(), "--trace", transforms},
          {a.repetition.in_turn, "--in-turn", transforms},
          {a.explain, "--explain", transforms}},
         workload);
}

void check_reshape(const BenchArguments& a) {
  check_movement(a, "reshape");
  refuse({{a.ghosts != BenchArguments().ghosts, "--ghosts", "use --workload halo"}}, "reshape");
}

void check_halo(const BenchArguments& a) {
  check_movement(a, "halo");
  refuse({{a.given.has("output"), "--output", "give --input: ghost points belong to this side"}},
         "halo");
  if (a.ghosts < 0)
    throw Error(Error::invalid, fmt::format("--ghosts is {}", a.ghosts), "it must be at least 0");
}

void run_movement(const BenchArguments& arguments, const Surroundings& here,
                  const std::vector<Case>& cases, bool is_halo) {
  std::vector<MovementMeasurement> found;
  found.reserve(cases.size());
  for (const Case& each : cases)
    found.push_back(
        is_halo
            ? measure_halo(here, each.problem, each.options, arguments.repetition, arguments.ghosts)
            : measure_reshape(here, each.problem, each.options, arguments.repetition));
  here.console.say(table_of(found));
  write_text(here.comm, arguments.json, json_of(found));
  require_accuracy(found, "the movement");
}

void run_reshape(const BenchArguments& arguments, const Surroundings& here,
                 const std::vector<Case>& cases) {
  run_movement(arguments, here, cases, false);
}

void run_halo(const BenchArguments& arguments, const Surroundings& here,
              const std::vector<Case>& cases) {
  run_movement(arguments, here, cases, true);
}

constexpr Workload workloads[] = {{"transforms", check_transforms, run_transforms},
                                  {"reshape", check_reshape, run_reshape},
                                  {"halo", check_halo, run_halo}};

}  // namespace

const Workload& workload_named(const std::string& name) {
  std::string names;
  for (const Workload& workload : workloads) {
    if (name == workload.name) return workload;
    names += (names.empty() ? "" : ", ") + std::string(workload.name);
  }
  throw Error(Error::invalid, fmt::format("there is no workload '{}'", name), "one of: " + names);
}

}  // namespace weft::cli
