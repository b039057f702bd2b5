// compat/fftw-mpi/blocks: blocks of equal size, the last one smaller.

#include "weft/compat/fftw-mpi/blocks.hpp"

#include <algorithm>
#include <cmath>

namespace weft::compat::fftw {

namespace {

std::int64_t rounded_up(std::int64_t n, std::int64_t divisor) {
  return (n + divisor - 1) / divisor;
}

bool is_prime(std::int64_t n) {
  for (std::int64_t i = 2; i * i <= n; ++i)
    if (n % i == 0) return false;
  return n > 1;
}

// A single axis of n = r m points is transformed as a field of m x r: its blocks consist of whole
// lines of that field.
std::int64_t radix(const OneAxis& one, int ranks) {
  std::int64_t r = one.n / ranks;
  if (one.n % ranks != 0 || r < ranks) {
    r = static_cast<std::int64_t>(std::sqrt(static_cast<double>(one.n)));
    while (r * r > one.n) --r;
    while (one.n % r != 0) ++r;
  }
  if (r == 1 || r == one.n) return 0;
  return one.sign == -1 ? r : one.n / r;
}

Axis divided_by_lines(const OneAxis& one, std::int64_t r, int ranks) {
  const std::int64_t m = one.n / r;
  const std::int64_t of_columns = r * default_block(m, ranks),
                     of_rows = m * default_block(r, ranks);
  return {one.n, one.is_scrambled_in ? of_rows : of_columns,
          one.is_scrambled_out ? of_columns : of_rows};
}

// With the blocks that are asked for, or defaults; all points are on rank 0 if their number is
// prime.
Axis divided_as_asked(const OneAxis& one, int ranks) {
  if (is_prime(one.n)) return {one.n, one.n, one.n};
  const std::int64_t usual = default_block(one.n, ranks);
  return {one.n, one.block_in != 0 ? one.block_in : usual,
          one.block_out != 0 ? one.block_out : usual};
}

bool is_whole(const Axis& axis) { return axis.in >= axis.n && axis.out >= axis.n; }

std::int64_t product(const std::vector<std::int64_t>& n, std::size_t from) {
  std::int64_t points = 1;
  for (std::size_t axis = from; axis < n.size(); ++axis) points *= n[axis];
  return points;
}

}  // namespace

std::int64_t blocks(std::int64_t n, std::int64_t block) { return rounded_up(n, block); }

std::int64_t default_block(std::int64_t n, int ranks) { return rounded_up(n, ranks); }

Part part(std::int64_t n, std::int64_t block, std::int64_t rank) {
  if (block <= 0 || rank >= blocks(n, block)) return {};
  return {std::min(block, n - rank * block), rank * block};
}

std::optional<Axis> blocks_of_plan(const OneAxis& one, int ranks) {
  const Axis asked = divided_as_asked(one, ranks);
  if (blocks(one.n, asked.in) > ranks || blocks(one.n, asked.out) > ranks) return {};
  const bool is_scrambled = one.is_scrambled_in || one.is_scrambled_out;
  if (!is_scrambled && (is_whole(asked) || one.howmany >= ranks)) return asked;
  const std::int64_t r =
      is_prime(one.n) || (one.is_scrambled_in && one.is_scrambled_out) ? 0 : radix(one, ranks);
  if (r == 0) return {};
  return divided_by_lines(one, r, ranks);
}

LocalSize local_size(const OneAxis& one, int ranks, int rank) {
  Axis axis = divided_as_asked(one, ranks);
  LocalSize size;
  size.elements = 1;
  if (one.howmany >= ranks && !one.is_scrambled_in && !one.is_scrambled_out) {
    const std::int64_t fields = part(one.howmany, default_block(one.howmany, ranks), rank).n;
    size.elements = std::max(size.elements, rounded_up(one.n * fields, one.howmany));
  } else if (const std::int64_t r = radix(one, ranks)) {
    axis = divided_by_lines(one, r, ranks);
    const std::int64_t m = one.n / r;
    if (!one.is_scrambled_in) size.elements = std::max(size.elements, m * default_block(r, ranks));
    if (!one.is_scrambled_out) size.elements = std::max(size.elements, r * default_block(m, ranks));
  }
  size.in = part(axis.n, axis.in, rank);
  size.out = part(axis.n, axis.out, rank);
  size.elements = std::max({size.elements, size.in.n, size.out.n}) * one.howmany;
  return size;
}

LocalSize local_size(const std::vector<std::int64_t>& n, std::int64_t howmany,
                     std::int64_t block_in, std::int64_t block_out, int ranks, int rank) {
  const bool is_transposed = block_out < n[1];
  if (block_in == 0) block_in = default_block(n[0], ranks);
  if (block_out == 0) block_out = default_block(n[1], ranks);
  LocalSize size;
  size.in = part(n[0], block_in, rank);
  size.out = is_transposed ? part(n[1], block_out, rank) : Part{size.in.n > 0 ? n[1] : 0, 0};
  const std::int64_t lines = product(n, 2);
  std::int64_t elements = std::max<std::int64_t>(
      {1, size.in.n * n[1] * lines, is_transposed ? size.out.n * n[0] * lines : 0});
  const bool is_divided_in = blocks(n[0], block_in) > 1;
  const bool is_divided_out = is_transposed ? blocks(n[1], block_out) > 1 : is_divided_in;
  if (is_divided_in && is_divided_out) {
    // FFTW's ways to transform divide the rest of a field, and an axis that neither side divides.
    const auto rest_of = [&](std::int64_t axis, std::int64_t rest) {
      const std::int64_t share = part(rest, default_block(rest, ranks), rank).n;
      elements = std::max(elements, rounded_up(axis * share, howmany));
    };
    rest_of(n[0], howmany * n[1] * lines);
    rest_of(n[1], howmany * n[0] * lines);
    if (!is_transposed)
      elements = std::max(elements, part(n[1], default_block(n[1], ranks), rank).n * n[0] * lines);
  }
  size.elements = elements * howmany;
  return size;
}

}  // namespace weft::compat::fftw
