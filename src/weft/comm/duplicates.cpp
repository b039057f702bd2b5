// comm/duplicates: keeps the duplicate as an attribute of the user's communicator.

#include "weft/comm/duplicates.hpp"

#include <utility>

#include "weft/base/simulation.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/mpi_comm.hpp"

namespace weft {

namespace {

using Held = std::shared_ptr<Communicator>;

int let_go(MPI_Comm /*user*/, int /*key*/, void* held, void* /*extra*/) {
  delete static_cast<Held*>(held);
  return MPI_SUCCESS;
}

// The key of the attribute. Duplicates that the user makes do not inherit it.
int key() {
  static const int made = [] {
    int number = MPI_KEYVAL_INVALID;
    check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, let_go, &number, nullptr),
              "MPI_Comm_create_keyval");
    return number;
  }();
  return made;
}

}  // namespace

std::shared_ptr<const Communicator> shared_duplicate(CommHandle user) {
  void* found = nullptr;
  int is_set = 0;
  if (mpi_is_running()) require_mpi_thread();
  // Simulated ranks are threads of one process, so an attribute might be common to all of them.
  if (is_simulated) return std::make_shared<Communicator>(user);
  if (mpi_is_running() && !user.is_none())
    check_mpi(MPI_Comm_get_attr(user, key(), static_cast<void*>(&found), &is_set),
              "MPI_Comm_get_attr");
  if (is_set != 0) return *static_cast<Held*>(found);
  // The communicator comes first, as it is what the ranks agree on failures with.
  Communicator comm(user);
  Held made;
  bool is_kept = false;
  try {
    agree(comm, [&] {
      auto held = std::make_unique<Held>(std::make_shared<Communicator>(Communicator::alone()));
      made = *held;
      check_mpi(MPI_Comm_set_attr(user, key(), held.get()), "MPI_Comm_set_attr");
      static_cast<void>(held.release());  // let_go() frees it
      is_kept = true;
    });
  } catch (...) {
    if (is_kept) MPI_Comm_delete_attr(user, key());
    throw;
  }
  *made = std::move(comm);
  return made;
}

}  // namespace weft
