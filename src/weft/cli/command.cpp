// cli/command: parses the command line and runs a command.

#include "weft/cli/command.hpp"

#include <CLI/CLI.hpp>

#include "weft/base/ensure.hpp"
#include "weft/cli/help_text.hpp"
#include "weft/comm/agreement.hpp"

namespace weft::cli {

namespace {

constexpr const char* start_examples =
    "Examples:\n"
    "  weft transform field.npy spectrum.npy\n"
    "  mpiexec -n 4 weft transform field.npy spectrum.npy --verify\n"
    "  mpiexec -n 2 weft bench 64x64x64\n"
    "  weft plan 256x256x256 --ranks 64\n"
    "\n"
    "`weft COMMAND --help` describes a command.\n";

std::string names() {
  std::string names;
  for (const Command& command : commands()) names += (names.empty() ? "" : ", ") + command.name;
  return names;
}

// Reports an unknown command, which CLI11 would report as an unexpected argument.
void check_command(int argc, char** argv) {
  if (argc < 2) throw Error(Error::invalid, "no command was given", "one of: " + names());
  const std::string first = argv[1];
  if (first.starts_with('-')) return;
  for (const Command& command : commands())
    if (command.name == first) return;
  throw Error(Error::invalid, fmt::format("there is no command '{}'", first), "one of: " + names());
}

void run_command(const Surroundings& here, int argc, char** argv) {
  check_command(argc, argv);

  CLI::App app("weft computes FFTs of fields that are spread over many processes.", "weft");
  app.set_version_flag("--version", std::string("weft ") + WEFT_VERSION);
  app.require_subcommand(0, 1);
  app.footer(start_examples);
  app.get_formatter()->column_width(description_column);
  std::function<void(const Surroundings&)> chosen;
  std::string name;
  for (const Command& command : commands()) {
    CLI::App* sub = app.add_subcommand(command.name, command.summary);
    sub->footer("Examples:\n" + command.examples);
    const auto run = command.prepare(*sub);
    sub->final_callback([&chosen, &name, &command, run] {
      chosen = run;
      name = command.name;
    });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::string help = app.help();
    while (help.ends_with('\n')) help.pop_back();
    here.console.say(wrapped_help(help));
    return;
  } catch (const CLI::CallForVersion& version) {
    here.console.say(version.what());
    return;
  } catch (const CLI::ParseError& error) {
    const auto parsed = app.get_subcommands();
    const std::string command = parsed.empty() ? "" : " " + parsed.front()->get_name();
    throw Error(Error::invalid, error.what(), fmt::format("see `weft{} --help`", command));
  }
  if (!chosen) throw Error(Error::invalid, "no command was given", "one of: " + names());
  with_context([&] { return "weft " + name; }, [&] { chosen(here); });
}

}  // namespace

void run_program(const Communicator& comm, int argc, char** argv) {
  Console console(comm.rank() == 0);
  run_command({comm, console}, argc, argv);
  agree(comm, [&] { console.require_printed(); });
}

}  // namespace weft::cli
