// cli/main: the program weft.

#include "weft/cli/command.hpp"
#include "weft/cli/session.hpp"

int main(int argc, char** argv) {
  return weft::cli::run_under_mpi(argc, argv, [&](const weft::Communicator& world) {
    weft::cli::run_program(world, argc, argv);
  });
}
