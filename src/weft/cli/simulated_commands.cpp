// cli/simulated_commands: the command of the program that SimGrid simulates, in the place of all:
// it takes half of the time to compile without the others.

#include "weft/cli/command.hpp"

namespace weft::cli {

const std::vector<Command>& commands() {
  static const std::vector<Command> table{bench_command()};
  return table;
}

}  // namespace weft::cli
