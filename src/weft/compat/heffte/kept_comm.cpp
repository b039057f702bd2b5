// compat/heffte/kept_comm: the duplicate is an attribute of the user's communicator.

#include "kept_comm.hpp"

#include <mpi.h>

#include <stdexcept>
#include <string>

namespace heffte::over_weft {

namespace {

using Held = std::shared_ptr<const KeptComm>;

void check(int status, const char* call) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(status, text, &length);
  throw std::runtime_error(std::string("heffte: ") + call + " failed: " + text);
}

int let_go(MPI_Comm /*user*/, int /*key*/, void* held, void* /*extra*/) {
  delete static_cast<Held*>(held);
  return MPI_SUCCESS;
}

// Duplicates that the application makes do not inherit the attribute.
int key() {
  static const int made = [] {
    int number = MPI_KEYVAL_INVALID;
    check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, let_go, &number, nullptr),
          "MPI_Comm_create_keyval");
    return number;
  }();
  return made;
}

}  // namespace

KeptComm::KeptComm(MPI_Comm user) { check(MPI_Comm_dup(user, &comm_), "MPI_Comm_dup"); }

KeptComm::~KeptComm() {
  int has_ended = 0;
  MPI_Finalized(&has_ended);
  if (has_ended == 0) MPI_Comm_free(&comm_);
}

std::shared_ptr<const KeptComm> kept_comm(MPI_Comm user) {
  if (user == MPI_COMM_NULL)
    throw std::invalid_argument("heffte: the communicator of a plan is MPI_COMM_NULL");
  void* found = nullptr;
  int is_set = 0;
  check(MPI_Comm_get_attr(user, key(), static_cast<void*>(&found), &is_set), "MPI_Comm_get_attr");
  if (is_set != 0) return *static_cast<Held*>(found);
  auto held = std::make_unique<Held>(std::make_shared<const KeptComm>(user));
  check(MPI_Comm_set_attr(user, key(), held.get()), "MPI_Comm_set_attr");
  return *held.release();  // let_go() frees it
}

}  // namespace heffte::over_weft
