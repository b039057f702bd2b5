// cli/command: the table of the program's commands, one row each.
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

/// What a command runs in.
struct Surroundings {
  const Communicator& comm;
  Console& console;
};

/// A row of the table of commands.
struct Command {
  std::string name;
  std::string summary;
  std::string examples;  ///< lines that work as they stand; shown by --help
  /// Adds the command's options to `app`; what it returns runs the command once they are parsed.
  std::function<std::function<void(const Surroundings&)>(CLI::App& app)> prepare;
};

/// All commands there are.
const std::vector<Command>& commands();

/// Parses the command line and runs the command. Collective. Throws weft::Error.
void run_program(int argc, char** argv);

// The rows, each in its own file.
Command transform_command();
Command bench_command();
Command exchanges_command();
Command engines_command();

}  // namespace weft::cli
