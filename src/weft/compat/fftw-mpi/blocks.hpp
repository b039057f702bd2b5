// compat/fftw-mpi/blocks: which block of a field each rank has, and how much memory it allocates,
// as FFTW-MPI says it. Pure: no MPI, no memory. Keeps: all numbers are those of FFTW 3.3.10, which
// a test compares.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace weft::compat::fftw {

/// An axis of `n` points, which each side of a transform divides into blocks: rank r has block r.
struct Axis {
  std::int64_t n = 1;
  std::int64_t in = 0, out = 0;  ///< points of a block of the input and of the output
};

/// The points of one rank along an axis.
struct Part {
  std::int64_t n = 0, start = 0;
};

/// How many blocks of `block` points there are.
std::int64_t blocks(std::int64_t n, std::int64_t block);
/// The points of a block where nobody says it: n divided by the ranks, rounded up.
std::int64_t default_block(std::int64_t n, int ranks);
/// Part `rank` of `n` points in blocks of `block`; none: 0 points from 0 on.
Part part(std::int64_t n, std::int64_t block, std::int64_t rank);

/// What a transform along a single axis is asked to do, which decides on its blocks.
struct OneAxis {
  std::int64_t n = 1, howmany = 1;
  std::int64_t block_in = 0, block_out = 0;  ///< 0: the default
  int sign = -1;
  bool is_scrambled_in = false, is_scrambled_out = false;
};
/// The blocks of a complex transform along a single axis on so many ranks; nothing where FFTW has
/// no such plan.
std::optional<Axis> blocks_of_plan(const OneAxis& one, int ranks);

/// What local_size answers: the parts of a rank, and the elements that it allocates.
struct LocalSize {
  Part in, out;
  std::int64_t elements = 0;
};
/// For a transform along a single axis.
LocalSize local_size(const OneAxis& one, int ranks, int rank);
/// For a field of two axes or more, of which the input is divided along axis 0 into blocks of
/// `block_in`, and the output along axis 1 into blocks of `block_out`, or like the input where that
/// is n[1] or more; 0: default blocks.
LocalSize local_size(const std::vector<std::int64_t>& n, std::int64_t howmany,
                     std::int64_t block_in, std::int64_t block_out, int ranks, int rank);

}  // namespace weft::compat::fftw
