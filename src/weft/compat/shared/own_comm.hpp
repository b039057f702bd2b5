// compat/shared/own_comm: a face's own duplicate of a communicator, which the program may free.
#pragma once

#include <mpi.h>

#include <stdexcept>
#include <string>

namespace weft::compat {

/// std::runtime_error with MPI's text unless `status` is that of success.
inline void check_mpi(int status, const char* call) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(status, text, &length);
  throw std::runtime_error(std::string(call) + " failed: " + text);
}

/// A duplicate of a communicator, which is freed at the end of its life, unless MPI has ended.
class OwnComm {
 public:
  /// Collective. std::runtime_error if MPI fails.
  explicit OwnComm(MPI_Comm users) { check_mpi(MPI_Comm_dup(users, &comm_), "MPI_Comm_dup"); }
  OwnComm(const OwnComm&) = delete;
  OwnComm& operator=(const OwnComm&) = delete;
  ~OwnComm() {
    int has_ended = 0;
    MPI_Finalized(&has_ended);
    if (has_ended == 0) MPI_Comm_free(&comm_);
  }
  MPI_Comm get() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace weft::compat
