// comm/at_finalize: uses an attribute of MPI_COMM_SELF, which MPI_Finalize deletes before it does
// anything else (MPI 3.1, 8.7.1).

#include "weft/comm/at_finalize.hpp"

#include <mpi.h>

#include <atomic>
#include <mutex>

#include "weft/comm/communicator.hpp"

namespace weft {

void before_finalize(void (*action)()) {
  static std::atomic<void (*)()> the_action = nullptr;
  static std::once_flag is_registered;
  // Several threads may plan at the same time.
  std::call_once(is_registered, [&] {
    the_action = action;
    int key = MPI_KEYVAL_INVALID;
    const auto deleted = [](MPI_Comm, int, void*, void*) -> int {
      the_action.load()();
      return MPI_SUCCESS;
    };
    check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleted, &key, nullptr),
              "MPI_Comm_create_keyval");
    check_mpi(MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr), "MPI_Comm_set_attr");
    check_mpi(MPI_Comm_free_keyval(&key), "MPI_Comm_free_keyval");
  });
}

}  // namespace weft
