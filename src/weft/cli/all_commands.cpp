// cli/all_commands: the commands of the program.

#include "weft/cli/command.hpp"

namespace weft::cli {

const std::vector<Command>& commands() {
  static const std::vector<Command> table{transform_command(), bench_command(),  tune_command(),
                                          plan_command(),      place_command(),  doctor_command(),
                                          exchanges_command(), engines_command()};
  return table;
}

}  // namespace weft::cli
