// A user's program of the library weft::machines: other numbers for the ranks, and a plan on these.
#include <cstdio>

#include "weft/reordered.hpp"
#include "weft/weft.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    const weft::Problem problem = weft::c2c({16, 16, 16});
    weft::ReorderedRanks ranks = weft::reordered(MPI_COMM_WORLD, problem, "cluster-100g", 0);
    weft::AnyPlan(ranks.comm, problem);
    MPI_Comm_free(&ranks.comm);
    std::printf("no error: the order is %s\n", ranks.order.c_str());
  } catch (const weft::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  MPI_Finalize();
}
