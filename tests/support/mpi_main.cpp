// support/mpi_main: main() of the tests that run on several ranks.
// Keeps: a test that fails on any rank fails the program; only rank 0 reports what passes.

#include <gtest/gtest.h>
#include <mpi.h>

#include "support/chosen_file.hpp"
#include "support/preferred_engine.hpp"

// The thread level that a test wants, if it defines this function.
[[gnu::weak]] int wanted_thread_level();

// Of programs that have the late device.
[[gnu::weak]] void use_late_device();

int main(int argc, char** argv) {
  int granted = MPI_THREAD_SINGLE;
  if (wanted_thread_level != nullptr)
    MPI_Init_thread(&argc, &argv, wanted_thread_level(), &granted);
  else
    MPI_Init(&argc, &argv);
  ::testing::InitGoogleTest(&argc, argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
  if (rank != 0) {
    struct FailuresOnly : ::testing::EmptyTestEventListener {
      int rank;
      explicit FailuresOnly(int rank_) : rank(rank_) {}
      void OnTestPartResult(const ::testing::TestPartResult& result) override {
        if (result.failed())
          std::fprintf(stderr, "rank %d: %s:%d: %s\n", rank,
                       result.file_name() != nullptr ? result.file_name() : "?",
                       result.line_number(), result.message());
      }
    };
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailuresOnly(rank));
  }
  if (use_late_device != nullptr) use_late_device();
  weft::test::prefer_engine_of_environment();
  const int mine = weft::test::choose_file(argc, argv) ? RUN_ALL_TESTS() : 1;
  int any = 0;
  MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return any;
}
