// tests/faults/unfinished: starts a transform and calls MPI_Finalize while its ticket is open,
// which completes the transform.

#include <mpi.h>

#include <cstdio>

#include "weft/weft.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool is_right = true;
  {
    weft::Options options;
    options.exchange = "p2p";
    options.chunks = 4;
    weft::Plan plan(MPI_COMM_WORLD, weft::c2c({16, 14, 12}), options);
    auto u = plan.make_input();
    auto v = plan.make_output(), expected = plan.make_output();
    for (auto [at, x] : u.points()) x = {static_cast<double>(at[0] - at[2]), 1.0};
    plan.forward(u, expected);
    auto ticket = plan.start_forward(u, v);
    MPI_Finalize();
    is_right = ticket.test();
    auto other = expected.points().begin();
    for (auto [k, x] : v.points()) {
      is_right = is_right && x == (*other).value;
      ++other;
    }
    try {
      plan.forward(u, v);
      is_right = false;
    } catch (const weft::Error& error) {
      std::fprintf(stderr, "%s\n", error.message().c_str());
    }
  }
  std::printf(is_right ? "the transform has ended\n" : "something is wrong\n");
  return is_right ? 0 : 1;
}
