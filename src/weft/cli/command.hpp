// cli/command: the table of the program's commands.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "weft/cli/console.hpp"
#include "weft/comm/communicator.hpp"

namespace CLI {
class App;
}

namespace weft::cli {

/// The communicator and the console of a command.
struct Surroundings {
  const Communicator& comm;
  Console& console;
};

/// An entry of the table of commands.
struct Command {
  std::string name;
  std::string summary;
  std::string examples;  ///< complete command lines, shown by --help
  /// Adds the command's options to `app`, and returns a function that runs the command after the
  /// options have been parsed.
  std::function<std::function<void(const Surroundings&)>(CLI::App& app)> prepare;
};

/// All commands.
const std::vector<Command>& commands();

/// Parses the command line and runs the command on the ranks of `comm`. Collective. Throws
/// weft::Error.
void run_program(const Communicator& comm, int argc, char** argv);

// The entries, each defined in its own file.
Command transform_command();
Command bench_command();
Command exchanges_command();
Command engines_command();
Command plan_command();
Command place_command();
Command tune_command();
Command doctor_command();

}  // namespace weft::cli
