// plan/neighbors: neighbourhood collectives know only the ranks that exchange with each other, and
// move every element to its place.

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "support/world.hpp"
#include "weft/weft.hpp"

using namespace weft;
using test::rank_of_world;
using test::ranks_of_world;

// ---- MPI's profiling interface: the graphs that are made, and which collectives are called.

namespace {
std::vector<std::pair<int, int>> degrees;  // in and out
int among_neighbors = 0, among_all = 0;
}  // namespace

extern "C" {
int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int indegree, const int* sources,
                                   const int* source_weights, int outdegree, const int* targets,
                                   const int* target_weights, MPI_Info info, int reorder,
                                   MPI_Comm* graph) {
  degrees.emplace_back(indegree, outdegree);
  return PMPI_Dist_graph_create_adjacent(comm, indegree, sources, source_weights, outdegree,
                                         targets, target_weights, info, reorder, graph);
}
int MPI_Ineighbor_alltoallv(const void* from, const int* sent, const int* starts, MPI_Datatype type,
                            void* to, const int* received, const int* received_starts,
                            MPI_Datatype received_type, MPI_Comm comm, MPI_Request* request) {
  ++among_neighbors;
  return PMPI_Ineighbor_alltoallv(from, sent, starts, type, to, received, received_starts,
                                  received_type, comm, request);
}
int MPI_Ialltoallv(const void* from, const int* sent, const int* starts, MPI_Datatype type,
                   void* to, const int* received, const int* received_starts,
                   MPI_Datatype received_type, MPI_Comm comm, MPI_Request* request) {
  ++among_all;
  return PMPI_Ialltoallv(from, sent, starts, type, to, received, received_starts, received_type,
                         comm, request);
}
}

namespace {

Options by_neighbors(int chunks = 1) {
  Options options;
  options.exchange = "neighbors";
  options.chunks = chunks;
  options.threads = 1;
  options.effort = Effort::estimate;
  return options;
}

// Ten elements for each rank, before; after, every rank has given its last five to the next one,
// which the last rank keeps.
Range before(int rank) { return {10 * rank, 10 * rank + 10}; }
Range after(int rank) {
  return {rank == 0 ? 0 : 10 * rank - 5,
          rank + 1 == ranks_of_world() ? 10 * rank + 10 : 10 * rank + 5};
}

Distribution with(const Range& mine) {
  return Distribution::of_my_boxes({Box{{mine.lo}, {mine.hi}}});
}

std::vector<double> numbers(const Range& range) {
  std::vector<double> all;
  for (std::int64_t i = range.lo; i < range.hi; ++i) all.push_back(static_cast<double>(i));
  return all;
}

}  // namespace

// All ranks are connected, but only the next one receives; the first rank receives nothing, and the
// last one sends nothing.
TEST(Neighbors, are_only_those_that_exchange_with_each_other) {
  const int rank = rank_of_world(), ranks = ranks_of_world();
  degrees.clear();
  among_neighbors = among_all = 0;
  const Range from = before(rank), to = after(rank);
  Reshape<double> shift(MPI_COMM_WORLD, {10 * ranks}, with(from), with(to), by_neighbors());
  if (ranks > 1) {
    const int receives = rank == 0 ? 0 : 1, sends = rank + 1 == ranks ? 0 : 1;
    ASSERT_EQ(degrees.size(), 2U) << "one for each direction";
    EXPECT_EQ(degrees[0], std::pair(receives, sends));
    EXPECT_EQ(degrees[1], std::pair(sends, receives));
  }
  for (int run = 0; run < 3; ++run) {
    const std::vector<double> u = numbers(from);
    std::vector<double> v(numbers(to).size()), w(u.size());
    shift.forward(u.data(), v.data());
    EXPECT_EQ(v, numbers(to));
    shift.backward(v.data(), w.data());
    EXPECT_EQ(w, u);
  }
  EXPECT_EQ(among_neighbors, ranks > 1 ? 6 : 0);
  EXPECT_EQ(among_all, 0);
}

TEST(Neighbors, give_the_bits_of_other_exchanges) {
  for (const Extents& extents : {Extents{12, 10, 9}, Extents{3, 5, 4}})
    for (const int chunks : {1, 3}) {
      Options other = by_neighbors(chunks);
      other.exchange = "p2p";
      Plan expected(MPI_COMM_WORLD, c2c(extents), other);
      Plan plan(MPI_COMM_WORLD, c2c(extents), by_neighbors(chunks));
      auto u = plan.make_input();
      auto v = plan.make_output(), w = plan.make_output();
      for (auto [at, x] : u.points()) x = static_cast<double>(at[0] * 7 % 5 + at[1] * at[2]);
      expected.forward(u, v);
      plan.forward(u, w);
      EXPECT_EQ(max_abs_difference(v, w), 0) << chunks << " chunks";
    }
}
