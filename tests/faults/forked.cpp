// tests/faults/forked: forks a child that ends with exit() while weft's thread makes progress; for
// test_forked.py. The child holds a plan in a static variable, whose destructor it runs.

#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <optional>

#include "weft/weft.hpp"

namespace {

std::optional<weft::AnyPlan> plan;

}  // namespace

int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  weft::Options options;
  options.threads = 1;
  options.progress = weft::Progress::by_thread;
  plan.emplace(MPI_COMM_WORLD, weft::c2c({16, 16, 16}), options);
  const auto u = plan->allocate(plan->input().elements * 16);
  const auto v = plan->allocate(plan->output().elements * 16);
  plan->forward(u.get(), v.get());
  auto ticket = plan->start_forward(u.get(), v.get());
  const pid_t child = fork();
  if (child == 0) std::exit(5);
  ticket.wait();
  int status = 0;
  waitpid(child, &status, 0);
  plan->backward(v.get(), u.get());
  plan.reset();
  MPI_Finalize();
  std::printf("the child ended with %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}
