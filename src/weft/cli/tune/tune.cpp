// cli/tune/tune: `weft tune` - races plans on this machine and remembers the fastest; looks after
// what is remembered.

#include <CLI/CLI.hpp>

#include <optional>

#include "weft/base/text_file.hpp"
#include "weft/choose/checked_options.hpp"
#include "weft/choose/remembering.hpp"
#include "weft/choose/wisdom_file.hpp"
#include "weft/cli/command.hpp"
#include "weft/cli/given.hpp"
#include "weft/cli/tune/tune_report.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/duplicates.hpp"
#include "weft/files/output_file.hpp"
#include "weft/plan/tuning.hpp"

namespace weft::cli {

namespace {

constexpr const char* tune_examples =
    "  mpiexec -n 2 weft tune 64x64x64 --seconds 2\n"
    "  mpiexec -n 2 weft tune 48x48x48 --kind r2c --output same --seconds 1 --again\n"
    "  mpiexec -n 2 weft tune 32x32x32 --mpi-threads --seconds 1\n"
    "  weft tune --list\n"
    "  weft tune --export wisdom.json\n"
    "  weft tune --import wisdom.json\n"
    "  weft tune --forget 64x64x64\n"
    "\n"
    "What is remembered holds for the same problem, options, number of ranks on each node, "
    "threads,\n"
    "processors and versions. Every program that plans with Effort::measure (the default) or\n"
    "Effort::tune then runs it, without trials. The file is the one that WEFT_WISDOM names, or\n"
    ".cache/weft/wisdom.json in your home folder.\n";

struct TuneArguments {
  Given given;
  double seconds = 30;
  bool again = false, as_list = false, wants_mpi_threads = false;
  std::string forgotten, exported, imported, json;
};

// ---- the file, which rank 0 reads and changes

std::string required_path() {
  std::string path = wisdom_path();
  if (path.empty() && is_wisdom_off())
    throw Error(Error::invalid, "nothing is remembered: WEFT_WISDOM is set to nothing",
                "let WEFT_WISDOM name a file, or do not set it");
  if (path.empty())
    throw Error(Error::invalid,
                "nothing is remembered: the system's list of users has no home folder for this one",
                "let WEFT_WISDOM name a file, or set it to nothing to remember nothing");
  return path;
}

// What is known; nothing on the ranks that do not speak.
Wisdom known(const Surroundings& here) {
  return agree(here.comm,
               [&] { return here.comm.rank() == 0 ? read_wisdom(required_path()) : Wisdom(); });
}

void list(const TuneArguments& arguments, const Surroundings& here) {
  const Wisdom wisdom = known(here);
  if (here.comm.rank() == 0) here.console.say(list_of(wisdom, required_path()));
  write_text(here.comm, arguments.json, to_text(wisdom));
}

void forget(const std::string& text, const Surroundings& here) {
  agree(here.comm, [&] {
    if (here.comm.rank() != 0) return;
    int forgotten = 0;
    const std::string path = required_path();
    change_wisdom(path,
                  [&](Wisdom& wisdom) { forgotten = wisdom.forget(text == "all" ? "" : text); });
    here.console.say(
        fmt::format("{} entr{} forgotten in {}", forgotten, forgotten == 1 ? "y" : "ies", path));
  });
}

// Learns what is newer than what is known for the same key.
void import_from(const std::string& source, const Surroundings& here) {
  agree(here.comm, [&] {
    if (here.comm.rank() != 0) return;
    if (!stamp_of(source))
      throw Error(Error::io, fmt::format("cannot read '{}'", source), "give a file of wisdom");
    const Wisdom other = read_wisdom(source);
    int learned = 0;
    const std::string path = required_path();
    change_wisdom(path, [&](Wisdom& wisdom) { learned = wisdom.learn_newer(other); });
    here.console.say(fmt::format("{} of {} entries learned in {}; the others were known as new",
                                 learned, other.entries().size(), path));
  });
}

// ---- tuning

const Unused unused_by_tuning{
    {"strategy", "reproducible", "effort"}, "leaves nothing to tune", "omit it"};

TuneResult result_for(const Problem& problem, const Options& options, bool again,
                      const Surroundings& here) {
  const auto comm = shared_duplicate(here.comm.handle());
  TuneResult result;
  agree(here.comm, [&] { result.problem = problem; });
  auto plan = PlanBody::make_unreported(comm, problem, options, again ? Recall() : recalled);
  if (plan->is_remembered()) {
    agree(here.comm, [&] { result.known = plan->describe(Detail::all); });
    return result;
  }
  require_rememberable(here.comm);
  result.found = tuned(std::move(plan), problem, options,
                       [&](const std::string& news) { here.console.start_activity(news); });
  return result;
}

// Before the time is spent: whether what is found can be written.
void require_outputs(const TuneArguments& arguments, const Surroundings& here) {
  agree(here.comm, [&] {
    if (here.comm.rank() != 0) return;
    if (!arguments.json.empty()) require_writable(arguments.json);
    if (is_wisdom_off())
      here.console.say("nothing will be remembered, as WEFT_WISDOM is set to nothing");
    else
      read_wisdom(required_path());
  });
}

void tune(const TuneArguments& arguments, const Surroundings& here) {
  if (arguments.given.extents.empty())
    throw Error(Error::invalid, "EXTENTS is missing", "write it like weft tune 256x256x256");
  refuse(arguments.given, unused_by_tuning);
  Options options = plan_options(arguments.given);
  options.effort = Effort::tune;
  options.tune_seconds = arguments.seconds;
  require_outputs(arguments, here);
  std::vector<TuneResult> results;
  for (const Problem& problem : problems_of(arguments.given)) {
    here.console.start_activity(fmt::format("planning {}", to_string(problem.extents)));
    results.push_back(result_for(problem, options, arguments.again, here));
    here.console.start_activity("");
    here.console.say(text_of(results.back()));
    if (results.back().found) remember(here.comm, results.back().found->entry);
  }
  agree(here.comm, [&] {
    if (here.comm.rank() != 0) return;
    if (!is_wisdom_off()) here.console.say(fmt::format("remembered in {}", required_path()));
  });
  write_text(here.comm, arguments.json, json_of(results));
}

void run(const TuneArguments& arguments, const Surroundings& here) {
  const int tasks = (arguments.as_list ? 1 : 0) + (arguments.forgotten.empty() ? 0 : 1) +
                    (arguments.exported.empty() ? 0 : 1) + (arguments.imported.empty() ? 0 : 1);
  if (tasks > 1 || (tasks == 1 && !arguments.given.extents.empty()))
    throw Error(Error::invalid,
                "EXTENTS, --list, --forget, --export and --import are different tasks",
                "give one of them");
  if (arguments.as_list) return list(arguments, here);
  if (!arguments.forgotten.empty()) return forget(arguments.forgotten, here);
  if (!arguments.exported.empty())
    return write_text(here.comm, arguments.exported, to_text(known(here)));
  if (!arguments.imported.empty()) return import_from(arguments.imported, here);
  tune(arguments, here);
}

void add_tune_options(CLI::App& app, TuneArguments& a) {
  add_extents(app, a.given, false);
  app.add_option("--seconds", a.seconds,
                 "how long to race plans for each problem, about (default 30); fields that take "
                 "longer than a tenth of it for four round trips are not raced")
      ->type_name("S");
  add_settings(app, a.given, {"progress"});
  app.get_option("--progress")
      ->description(
          "tune for programs that ask for inline, tiles or thread; automatic (default): for "
          "programs that do not ask, and try them");
  app.add_flag("--mpi-threads", a.wants_mpi_threads,
               "initialise MPI with MPI_THREAD_MULTIPLE, as programs do that have several threads; "
               "a thread of weft that makes progress is then tried as well");
  app.add_flag("--again", a.again, "tune also what is remembered already");
  app.add_flag("--list", a.as_list, "list what is remembered, and stop");
  app.add_option("--forget", a.forgotten,
                 "forget what has TEXT in its problem, options, ranks, machine or versions, and "
                 "stop; all: everything")
      ->type_name("TEXT");
  app.add_option("--export", a.exported, "write what is remembered to FILE, and stop")
      ->type_name("FILE");
  app.add_option("--import", a.imported,
                 "remember what FILE has, unless something newer is known, and stop")
      ->type_name("FILE");
  app.add_option("--json", a.json,
                 "write what was raced (with --list: the wisdom) to FILE, as JSON")
      ->type_name("FILE");
}

}  // namespace

Command tune_command() {
  return {"tune", "race plans on this machine, and remember the fastest", tune_examples,
          [](CLI::App& app) {
            const auto arguments = std::make_shared<TuneArguments>();
            add_tune_options(app, *arguments);
            add_problem_settings(app, arguments->given);
            add_plan_settings(app, arguments->given);
            hide(app, unused_by_tuning);
            return [arguments](const Surroundings& here) { run(*arguments, here); };
          }};
}

}  // namespace weft::cli
