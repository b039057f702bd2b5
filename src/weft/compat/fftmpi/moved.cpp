// compat/fftmpi/moved: two numbers are a complex one; other numbers are along an axis of their own.

#include "weft/compat/fftmpi/moved.hpp"

#include <algorithm>

#include "weft/compat/fftmpi/bricks.hpp"

namespace weft::bricks {

namespace {

/// Moves the bricks of all ranks so that their grid begins at 0, and tells how large it is.
Extents grid_of(MPI_Comm comm, Box& in, Box& out) {
  constexpr int most = 3;
  const std::int64_t none = std::numeric_limits<std::int64_t>::min();
  std::int64_t mine[2 * most], all[2 * most];  // the greatest -lo and hi
  std::fill_n(mine, 2 * most, none);
  for (const Box* const brick : {&in, &out})
    for (int a = 0; a < brick->axes() && !brick->empty(); ++a) {
      mine[a] = std::max(mine[a], -brick->lo[a]);
      mine[most + a] = std::max(mine[most + a], brick->hi[a]);
    }
  MPI_Allreduce(mine, all, 2 * most, MPI_INT64_T, MPI_MAX, comm);
  Extents extents;
  for (int a = 0; a < in.axes(); ++a) {
    if (all[a] == none) throw Error(Error::invalid, "no rank has a point to remap");
    extents.push_back(all[most + a] + all[a]);
    for (Box* const brick : {&in, &out})
      brick->set(a, {brick->lo[a] + all[a], brick->hi[a] + all[a]});
  }
  return extents;
}

Box with_numbers(Box brick, int numbers) {
  brick.lo.push_back(0);
  brick.hi.push_back(numbers);
  return brick;
}

}  // namespace

Problem problem_of(MPI_Comm comm, const Movement& movement) {
  Box in = movement.in, out = movement.out;
  const int axes = in.axes(), numbers = movement.numbers;
  if (numbers < 1) throw Error(Error::invalid, "nqty is " + std::to_string(numbers), "1 or more");
  if (movement.permute < 0 || movement.permute >= axes)
    throw Error(Error::invalid, "permute is " + std::to_string(movement.permute),
                "0 to " + std::to_string(axes - 1));
  Problem problem;
  problem.precision = movement.precision;
  problem.axes = Axes::none();
  problem.in_place = true;
  problem.extents = grid_of(comm, in, out);
  problem.input = side_of(in, 0);
  problem.output = side_of(out, movement.permute);
  if (numbers == 2) return problem;
  problem.kind = Kind::r2r;
  if (numbers == 1) return problem;
  problem.extents.push_back(numbers);
  auto input = side_of(with_numbers(in, numbers), 0),
       output = side_of(with_numbers(out, numbers), 0);
  output.storage.order = problem.output.storage.order;
  output.storage.order.push_back(axes);
  problem.input = input;
  problem.output = output;
  return problem;
}

}  // namespace weft::bricks
