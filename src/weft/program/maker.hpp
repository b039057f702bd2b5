// program/maker: from problem, strategy and machine to the programs of ranks.
// Pure: no MPI, no FFT library, no memory - programs are made for any rank of any machine.
#pragma once

#include <vector>

#include "weft/program/blueprint.hpp"
#include "weft/program/program.hpp"

namespace weft {

/// The program of one rank in one direction. Error::invalid if MPI's tags are too few.
Program make_program(const Blueprint& blueprint, bool forward, int rank);

/// The programs of all ranks, by rank.
std::vector<Program> make_programs(const Blueprint& blueprint, bool forward);

}  // namespace weft
