// tests/faults/forked: forks children that end with exit() while weft's thread sleeps and while it
// makes progress; for test_threads_and_forks.py. A child may not take transforms further, and runs
// the destructor of a static plan.

#include <mpi.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <thread>

#include "weft/weft.hpp"

namespace {

std::optional<weft::AnyPlan> plan;

// -1: it has not ended by itself.
int status_of_child() {
  const pid_t child = fork();
  if (child == 0) {
    try {
      weft::progress();
      std::exit(6);
    } catch (const weft::Error&) {
      std::exit(5);
    }
  }
  int status = 0;
  for (int tries = 0; tries < 1000; ++tries) {
    if (waitpid(child, &status, WNOHANG) == child) return WEXITSTATUS(status);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return -1;
}

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
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the thread falls asleep
  int status = status_of_child();
  if (status == 5) {
    auto ticket = plan->start_forward(u.get(), v.get());
    status = status_of_child();
    ticket.wait();
  }
  plan->backward(v.get(), u.get());
  plan.reset();
  MPI_Finalize();
  std::printf("the child ended with %d\n", status);
}
