// cli/session: everything from MPI_Init to MPI_Finalize.

#include "weft/cli/session.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <string>
#include <string_view>
#include <thread>

#include "weft/base/ensure.hpp"
#include "weft/base/error_record.hpp"
#include "weft/base/simulation.hpp"
#include "weft/base/trace.hpp"
#include "weft/cli/interruption.hpp"
#include "weft/comm/mpi_comm.hpp"

namespace weft::cli {

namespace {

// How long a failed rank waits for the others before it aborts them. A choice: longer than the time
// between the failures of any two ranks when all ranks fail.
constexpr double abort_after_seconds = 20;

struct Outcome {
  int status = 0;
  std::string message;
};

int exit_status(Error::Code code) {
  switch (code) {
    case Error::invalid:
    case Error::mismatch:
    case Error::unsupported:
    case Error::io:
      return 2;
    case Error::system:
    case Error::bug:
      return 1;
  }
  return 1;
}

Outcome outcome_of(const std::function<void()>& body) {
  const ErrorRecord failure = record_of(body);
  if (!failure.has_error()) return {};
  const Error error = failure.error();
  return {exit_status(error.code()), error.what()};
}

void print_error(const std::string& message) {
  std::fflush(stdout);
  std::fputs((message + "\n").c_str(), stderr);
  std::fflush(stderr);
}

// Looks for --progress thread, --mpi-threads, and `weft doctor`, which tells whether MPI allows
// threads. MPI starts before the command line is parsed, so that only one rank reports a parse
// error.
bool asks_for_thread(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "doctor") return true;
  return std::any_of(argv, argv + argc, [](const char* argument) {
    const std::string_view text = argument;
    return text == "thread" || text == "--progress=thread" || text == "--mpi-threads";
  });
}

// The exit status that all ranks agree on, after all have ended. A failed rank does not wait
// forever for the others.
int agreed_status(MPI_Comm comm, const Outcome& mine) {
  int rank = 0, size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  int votes[] = {mine.status, mine.status == 0 ? -size : -rank}, most[] = {0, 0};
  MPI_Request all = MPI_REQUEST_NULL;
  const bool blocks = blocks_in_collectives();
  if (blocks)
    MPI_Allreduce(votes, most, 2, MPI_INT, MPI_MAX, comm);
  else
    MPI_Iallreduce(votes, most, 2, MPI_INT, MPI_MAX, comm, &all);
  const double began = now();
  int is_done = 0;
  while (!blocks && MPI_Test(&all, &is_done, MPI_STATUS_IGNORE) == MPI_SUCCESS && is_done == 0) {
    if (mine.status != 0 && now() - began > abort_after_seconds) {
      print_error(
          fmt::format("{}\n  (only on rank {}, which stops the others)", mine.message, rank));
      MPI_Abort(comm, mine.status);
    }
    if (is_simulated) continue;  // simulated ranks take turns, so none may sleep
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  if (mine.status != 0 && most[1] == -rank) print_error(mine.message);
  return most[0];
}

}  // namespace

int run_under_mpi(int argc, char** argv, const std::function<void(const Communicator&)>& body) {
  int provided = 0;
  const int wanted = asks_for_thread(argc, argv) ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED;
  if (MPI_Init_thread(&argc, &argv, wanted, &provided) != MPI_SUCCESS) {
    print_error("weft: MPI_Init_thread failed\n  try:   start weft with the launcher of its MPI");
    return 1;
  }
  // `weft ... | head` must not end the program before it has written its files.
  std::signal(SIGPIPE, SIG_IGN);
  remove_files_when_interrupted();
  // A communicator of its own, so that this agreement cannot be mixed up with messages of `body`.
  MPI_Comm final_comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &final_comm);
  const int status =
      agreed_status(final_comm, outcome_of([&] { body(Communicator(MPI_COMM_WORLD)); }));
  MPI_Comm_free(&final_comm);
  MPI_Finalize();
  return status;
}

}  // namespace weft::cli
