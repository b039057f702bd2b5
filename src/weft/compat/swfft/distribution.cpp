// compat/swfft/distribution: the functions of distribution_c.h.
#include <mpi.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <weft/error.hpp>
#include <weft/reshape.hpp>

#include "distribution_c.h"
#include "layout.hpp"
#include "moves.hpp"
#include "weft/compat/shared/ending.hpp"

using weft::Box;
using weft::Distribution;
using weft::Error;
using weft::Extents;
using weft::Reshape;
using weft::Storage;
using weft::compat::or_end;
using weft::swfft::comm_of;
using weft::swfft::Grid;
using weft::swfft::Layout;
using weft::swfft::Moves;
using weft::swfft::place_in_order;
using weft::swfft::place_in_pencils;
using weft::swfft::rank_in_pencils;
using weft::swfft::Triple;

namespace weft::swfft {

Box box_of(const process_topology_t& grid) {
  Box box;
  for (int a = 0; a < 3; ++a) {
    box.lo.push_back(std::int64_t{grid.self[a]} * grid.n[a]);
    box.hi.push_back(std::int64_t{grid.self[a] + 1} * grid.n[a]);
  }
  return box;
}

}  // namespace weft::swfft

namespace {

Moves& moves_of(const distribution_t* d) { return *static_cast<Moves*>(d->weft); }

Triple triple(const int* n) { return {n[0], n[1], n[2]}; }

void fill(process_topology_t& topology, MPI_Comm comm, const Grid& grid, const Triple& self) {
  for (std::size_t a = 0; a < 3; ++a) {
    topology.nproc[a] = grid.ranks[a];
    topology.period[a] = 1;
    topology.self[a] = self[a];
    topology.n[a] = grid.points[a];
  }
  MPI_Cart_create(comm, 3, topology.nproc, topology.period, 0, &topology.cart);
}

void begin(MPI_Comm comm, const int n[], distribution_t* d, bool debug, const Layout& layout) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  d->debug = debug;
  std::copy(n, n + 3, d->n);
  d->parent = comm;
  auto moves = std::make_unique<Moves>();
  moves->layout = layout;
  fill(d->process_topology_1, comm, layout.slabs, place_in_order(layout.slabs.ranks, rank));
  fill(d->process_topology_3, comm, layout.cubes, place_in_order(layout.cubes.ranks, rank));
  process_topology_t* const pencils[3] = {&d->process_topology_2_x, &d->process_topology_2_y,
                                          &d->process_topology_2_z};
  for (int a = 0; a < 3; ++a)
    fill(*pencils[a], comm, layout.pencils[static_cast<std::size_t>(a)],
         place_in_pencils(layout, a, rank));
  d->weft = moves.release();
  if (!debug || rank != 0) return;
  for (const process_topology_t* of :
       {&d->process_topology_1, &d->process_topology_3, pencils[2], pencils[0], pencils[1]})
    std::fprintf(stderr, "distribution [%d:%d:%d]\n", of->nproc[0], of->nproc[1], of->nproc[2]);
}

const process_topology_t& pencils_of(const distribution_t* d, int axis) {
  if (axis == 0) return d->process_topology_2_x;
  if (axis == 1) return d->process_topology_2_y;
  if (axis == 2) return d->process_topology_2_z;
  throw Error(Error::invalid, "pencils lie along the axes 0, 1 and 2, not " + std::to_string(axis));
}

std::unique_ptr<Reshape<std::complex<double>>> made(const distribution_t* d,
                                                    const process_topology_t& other,
                                                    const std::vector<int>& order) {
  Distribution to = Distribution::of_my_boxes({weft::swfft::box_of(other)});
  to.storage.order = order;
  weft::Options options;
  options.effort = weft::Effort::estimate;
  options.arrays = weft::Arrays::any;
  return std::make_unique<Reshape<std::complex<double>>>(
      comm_of(d), Extents{d->n[0], d->n[1], d->n[2]},
      Distribution::of_my_boxes({weft::swfft::box_of(d->process_topology_3)}), to, options);
}

Reshape<std::complex<double>>& slabs(distribution_t* d) {
  auto& kept = moves_of(d).slabs;
  distribution_assert_commensurate(d);
  if (!kept) kept = made(d, d->process_topology_1, {0, 1, 2});
  return *kept;
}

Reshape<std::complex<double>>& pencils(distribution_t* d, int axis) {
  static const std::vector<int> orders[3] = {{2, 1, 0}, {0, 2, 1}, {0, 1, 2}};
  const process_topology_t& grid = pencils_of(d, axis);
  auto& kept = moves_of(d).pencils[static_cast<std::size_t>(axis)];
  if (!kept) kept = made(d, grid, orders[axis]);
  return *kept;
}

// SWFFT's z of x and y pencils runs downwards: turns it round, blocks of points that lie together.
void turn_z(const distribution_t* d, int axis, complex_t* field) {
  if (axis == 2) return;
  const process_topology_t& grid = pencils_of(d, axis);
  const std::int64_t depth = grid.n[2],
                     block = axis == 0 ? std::int64_t{grid.n[1]} * grid.n[0] : grid.n[1];
  const std::int64_t groups = axis == 0 ? 1 : grid.n[0];
  for (std::int64_t g = 0; g < groups; ++g) {
    complex_t* const first = field + g * depth * block;
    for (std::int64_t k = 0; k < depth / 2; ++k)
      std::swap_ranges(first + k * block, first + (k + 1) * block, first + (depth - 1 - k) * block);
  }
}

void coordinates(const distribution_t* d, int axis, int rank, int* coord) {
  or_end(comm_of(d), [&] {
    const Triple place = place_in_pencils(moves_of(d).layout, axis, rank);
    std::copy(place.begin(), place.end(), coord);
  });
}

}  // namespace

void distribution_init(MPI_Comm comm, const int n[], const int*, distribution_t* d, bool debug) {
  or_end(comm, [&] {
    int ranks = 1;
    MPI_Comm_size(comm, &ranks);
    begin(comm, n, d, debug, weft::swfft::choose_layout(ranks, triple(n)));
  });
}

void distribution_init_explicit(MPI_Comm comm, const int n[], const int*, int nproc_1d[],
                                int nproc_2d_x[], int nproc_2d_y[], int nproc_2d_z[],
                                int nproc_3d[], distribution_t* d, bool debug) {
  or_end(comm, [&] {
    int ranks = 1;
    MPI_Comm_size(comm, &ranks);
    for (const int* grid : {nproc_1d, nproc_2d_x, nproc_2d_y, nproc_2d_z, nproc_3d})
      if (grid[0] * grid[1] * grid[2] != ranks)
        throw Error(Error::invalid, "a process grid has " +
                                        std::to_string(grid[0] * grid[1] * grid[2]) +
                                        " ranks, and the communicator " + std::to_string(ranks));
    begin(
        comm, n, d, debug,
        weft::swfft::explicit_layout(triple(n), triple(nproc_1d), triple(nproc_3d),
                                     {triple(nproc_2d_x), triple(nproc_2d_y), triple(nproc_2d_z)}));
  });
}

void distribution_fini(distribution_t* d) {
  delete static_cast<Moves*>(d->weft);
  d->weft = nullptr;
  int is_finalized = 0;
  MPI_Finalized(&is_finalized);
  if (is_finalized) return;
  for (process_topology_t* grid :
       {&d->process_topology_1, &d->process_topology_2_x, &d->process_topology_2_y,
        &d->process_topology_2_z, &d->process_topology_3})
    MPI_Comm_free(&grid->cart);
}

void distribution_assert_commensurate(distribution_t* d) {
  or_end(comm_of(d), [&] {
    if (d->n[0] % d->process_topology_1.nproc[0] != 0)
      throw Error(Error::invalid, std::to_string(d->n[0]) + " planes do not divide among " +
                                      std::to_string(d->process_topology_1.nproc[0]) +
                                      " ranks, as slabs");
  });
}

void distribution_1_to_3(const complex_t* a, complex_t* b, distribution_t* d) {
  or_end(comm_of(d), [&] { slabs(d).backward(a, b); });
}

void distribution_3_to_1(const complex_t* a, complex_t* b, distribution_t* d) {
  or_end(comm_of(d), [&] { slabs(d).forward(a, b); });
}

void distribution_2_to_3(const complex_t* a, complex_t* b, distribution_t* d, int dim_z) {
  or_end(comm_of(d), [&] {
    auto& move = pencils(d, dim_z);
    std::vector<complex_t> turned;
    if (dim_z != 2) {
      turned.assign(a, a + move.to_elements());
      turn_z(d, dim_z, turned.data());
      a = turned.data();
    }
    move.backward(a, b);
  });
}

void distribution_3_to_2(const complex_t* a, complex_t* b, distribution_t* d, int dim_z) {
  or_end(comm_of(d), [&] {
    pencils(d, dim_z).forward(a, b);
    turn_z(d, dim_z, b);
  });
}

void Coord_x_pencils(int myrank, int coord[], distribution_t* d) {
  coordinates(d, 0, myrank, coord);
}
void Coord_y_pencils(int myrank, int coord[], distribution_t* d) {
  coordinates(d, 1, myrank, coord);
}
void Coord_z_pencils(int myrank, int coord[], distribution_t* d) {
  coordinates(d, 2, myrank, coord);
}
void Rank_x_pencils(int* myrank, int coord[], distribution_t* d) {
  *myrank = rank_in_pencils(moves_of(d).layout, 0, triple(coord));
}
void Rank_y_pencils(int* myrank, int coord[], distribution_t* d) {
  *myrank = rank_in_pencils(moves_of(d).layout, 1, triple(coord));
}
void Rank_z_pencils(int* myrank, int coord[], distribution_t* d) {
  *myrank = rank_in_pencils(moves_of(d).layout, 2, triple(coord));
}
