// compat/heffte/kept_comm: the duplicate is an attribute of the user's communicator.

#include "kept_comm.hpp"

#include <mpi.h>

#include <memory>
#include <stdexcept>

namespace heffte::over_weft {

using weft::compat::check_mpi;
using weft::compat::OwnComm;

namespace {

using Held = std::shared_ptr<const OwnComm>;

int let_go(MPI_Comm /*user*/, int /*key*/, void* held, void* /*extra*/) {
  delete static_cast<Held*>(held);
  return MPI_SUCCESS;
}

// Duplicates that the application makes do not inherit the attribute.
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

std::shared_ptr<const OwnComm> kept_comm(MPI_Comm user) {
  if (user == MPI_COMM_NULL)
    throw std::invalid_argument("heffte: the communicator of a plan is MPI_COMM_NULL");
  void* found = nullptr;
  int is_set = 0;
  check_mpi(MPI_Comm_get_attr(user, key(), static_cast<void*>(&found), &is_set),
            "MPI_Comm_get_attr");
  if (is_set != 0) return *static_cast<Held*>(found);
  auto held = std::make_unique<Held>(std::make_shared<const OwnComm>(user));
  check_mpi(MPI_Comm_set_attr(user, key(), held.get()), "MPI_Comm_set_attr");
  return *held.release();  // let_go() frees it
}

}  // namespace heffte::over_weft
