// compat/p3dfft2/transforms: plans of weft for the transforms of a setup, and what P3DFFT does to
// Chebyshev coefficients itself.
#include "transforms.hpp"

#include <mpi.h>

#include <complex>
#include <cstring>
#include <string>
#include <vector>

#include <weft/error.hpp>

namespace weft::p3dfft2 {

namespace {

std::string text(const std::array<std::int64_t, 3>& n) {
  return std::to_string(n[0]) + "x" + std::to_string(n[1]) + "x" + std::to_string(n[2]);
}

void check(const Grid& grid, int ranks) {
  for (std::size_t a = 0; a < 3; ++a)
    if (grid.points[a] < 1 || grid.modes[a] < 1 || grid.modes[a] > grid.points[a])
      throw Error(
          Error::invalid,
          "a grid of " + text(grid.points) + " points cannot have " + text(grid.modes) + " modes",
          "nxcut, nycut and nzcut are at least 1, and no more than nx, ny and nz");
  if (grid.dims[0] < 1 || grid.dims[1] < 1 || grid.dims[0] * grid.dims[1] != ranks)
    throw Error(Error::invalid,
                "a process grid of " + std::to_string(grid.dims[0]) + "x" +
                    std::to_string(grid.dims[1]) + " has not " + std::to_string(ranks) + " ranks",
                "MPI_Dims_create divides them");
}

// Whether the memory of both has bytes in common.
bool overlap(const std::byte* a, std::int64_t a_bytes, const std::byte* b, std::int64_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

}  // namespace

Transforms::Transforms(MPI_Comm comm, const Grid& grid) : comm_(comm), grid_(grid) {
  int ranks = 1;
  MPI_Comm_rank(comm, &rank_);
  MPI_Comm_size(comm, &ranks);
  check(grid, ranks);
}

std::int64_t Transforms::bytes(Side side) const {
  const std::int64_t real = (grid_.layout & single_precision) != 0 ? 4 : 8;
  return side == Side::real_space ? real : 2 * real;
}

Problem Transforms::problem(char along_z) const {
  const auto& n = grid_.points;
  Problem problem;
  problem.extents = {n[2], n[1], n[0]};
  problem.kind = Kind::r2c;
  problem.precision = (grid_.layout & single_precision) != 0 ? Precision::single_precision
                                                             : Precision::double_precision;
  problem.norm = Norm::none;
  problem.input = Distribution::of_my_boxes({grid_.box(Side::real_space, rank_)});
  if (along_z == 'x') {
    problem.axes = {2};
    problem.output = Distribution::of_my_boxes({grid_.box_of_half_spectrum(rank_)});
    return problem;
  }
  if (along_z == 'n') problem.axes = {1, 2};
  if (along_z == 'c') problem.bases = {Basis::dct1, Basis::fourier, Basis::fourier};
  if (along_z == 's') problem.bases = {Basis::dst1, Basis::fourier, Basis::fourier};
  const auto& m = grid_.modes;
  if (m != n) problem.modes = {m[2], m[1], m[0]};
  problem.output = Distribution::of_my_boxes({grid_.box(Side::spectrum, rank_)});
  if ((grid_.layout & z_contiguous) != 0) problem.output.storage = Storage::column_major(3);
  return problem;
}

AnyPlan& Transforms::plan(char along_z, bool is_many) {
  auto& kept = plans_[{along_z, is_many}];
  if (!kept) {
    if (along_z == 'n' && grid_.modes[2] != grid_.points[2])
      throw Error(Error::invalid,
                  "nothing is transformed along z, so that all " + std::to_string(grid_.points[2]) +
                      " points are kept, not " + std::to_string(grid_.modes[2]),
                  "a setup with nzcut = nz");
    Options options;
    options.effort = Effort::estimate;
    options.arrays = Arrays::any;
    options.in_flight = is_many ? 2 : 1;
    kept = std::make_unique<AnyPlan>(comm_.get(), problem(along_z), options);
  }
  return *kept;
}

void Transforms::run(bool is_forward, Fields<const std::byte> from, Fields<std::byte> to, int count,
                     char along_z, double scale) {
  AnyPlan& plan = this->plan(along_z, count > 1);
  const Share& source = is_forward ? plan.input() : plan.output();
  const Share& target = is_forward ? plan.output() : plan.input();
  const Side from_side = is_forward ? Side::real_space : Side::spectrum;
  const Side to_side = is_forward ? Side::spectrum : Side::real_space;
  const std::int64_t field = source.elements * bytes(from_side);
  std::int64_t from_step = from.step * bytes(from_side);
  const std::int64_t to_step = to.step * bytes(to_side);
  // Other ranks need not know whether this one has both in the same memory.
  std::vector<std::byte> copy;
  if (overlap(from.first, (count - 1) * from_step + field, to.first,
              (count - 1) * to_step + target.elements * bytes(to_side))) {
    copy.resize(static_cast<std::size_t>(count * field));
    for (int i = 0; i < count && field > 0; ++i)
      std::memcpy(copy.data() + i * field, from.first + i * from_step,
                  static_cast<std::size_t>(field));
    from.first = copy.data();
    from_step = field;
  }
  std::vector<Ticket> tickets;
  for (int i = 0; i < count; ++i) {
    const AnySource source_array(from.first + i * from_step);
    const AnyTarget target_array(to.first + i * to_step);
    tickets.push_back(is_forward ? plan.start_forward(source_array, target_array, scale)
                                 : plan.start_backward(source_array, target_array, scale));
  }
  for (Ticket& ticket : tickets) ticket.wait();
}

void Transforms::forward(Fields<const std::byte> from, Fields<std::byte> to, int count,
                         char along_z) {
  run(true, from, to, count, along_z, 1);
}

void Transforms::backward(Fields<const std::byte> from, Fields<std::byte> to, int count,
                          char along_z) {
  run(false, from, to, count, along_z, 1);
}

void Transforms::forward_along_x(const std::byte* from, std::byte* to) {
  run(true, {from, 0}, {to, 0}, 1, 'x', 1);
}

void Transforms::chebyshev(Fields<const std::byte> from, Fields<std::byte> to, int count,
                           double length) {
  const auto& n = grid_.points;
  if (n[2] < 2 || grid_.modes[2] != n[2] || !(length > 0))
    throw Error(Error::invalid,
                "Chebyshev polynomials need 2 or more points along z, all of which are kept, and "
                "an interval, not " +
                    std::to_string(n[2]) + " points, " + std::to_string(grid_.modes[2]) +
                    " modes and a length of " + std::to_string(length));
  // Sums of cosines become coefficients of polynomials: divided by n - 1, and the first and the
  // last one by 2.
  const double points =
      static_cast<double>(n[0]) * static_cast<double>(n[1]) * static_cast<double>(n[2] - 1);
  run(true, from, to, count, 'c', 1 / points);
  for (int i = 0; i < count; ++i) {
    std::byte* const field = to.first + i * to.step * bytes(Side::spectrum);
    if ((grid_.layout & single_precision) != 0)
      differentiate<float>(field, 2 / length);
    else
      differentiate<double>(field, 2 / length);
  }
}

// b_(k-1) = b_(k+1) + 2k a_k, and half of it for k = 1, where the a are the coefficients of a
// polynomial and the b those of its derivative on the interval from -1 to 1.
template <class Real>
void Transforms::differentiate(std::byte* field, double factor) const {
  const Box mine = grid_.box(Side::spectrum, rank_);
  const std::int64_t depth = mine.extent(0), columns = mine.extent(1) * mine.extent(2);
  const bool is_z_contiguous = (grid_.layout & z_contiguous) != 0;
  const std::int64_t step = is_z_contiguous ? 1 : columns, next = is_z_contiguous ? depth : 1;
  for (std::int64_t column = 0; column < columns; ++column) {
    auto* const a = reinterpret_cast<std::complex<Real>*>(field) + column * next;
    std::complex<double> two_above = 0, above = 0;  // b_(k+1) and b_k
    for (std::int64_t k = depth - 1; k >= 0; --k) {
      const std::complex<double> mine_now(a[k * step]);
      const double half = k == depth - 1 ? 0.5 : 1;  // of a_(n-1); that of a_0 does not count
      a[k * step] = std::complex<Real>((k == 0 ? 0.5 : 1) * factor * above);
      const auto below = two_above + 2.0 * static_cast<double>(k) * half * mine_now;
      two_above = above;
      above = below;
    }
  }
}

}  // namespace weft::p3dfft2
