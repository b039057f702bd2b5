// cli/main: the program weft.

#include "weft/cli/command.hpp"
#include "weft/cli/session.hpp"

int main(int argc, char** argv) {
  return weft::cli::run_under_mpi(argc, argv, [&] { weft::cli::run_program(argc, argv); });
}
