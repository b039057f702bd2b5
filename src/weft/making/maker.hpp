// making/maker: makes the programs of ranks from problem, strategy and machine.
// Pure: needs no MPI, no FFT library and no memory, so it makes programs for any rank of any
// machine.
#pragma once

#include <vector>

#include "weft/making/blueprint.hpp"
#include "weft/program/program.hpp"

namespace weft {

/// Makes the program of one rank in one direction. Error::invalid if the exchanges need more tags
/// than MPI has.
Program make_program(const Blueprint& blueprint, bool forward, int rank);

/// Makes the programs of all ranks in one direction, by rank. Errors as in make_program().
std::vector<Program> make_programs(const Blueprint& blueprint, bool forward);

}  // namespace weft
