// comm/duplicates: keeps the duplicate as an attribute of the user's communicator.

#include "weft/comm/duplicates.hpp"

#include <utility>

#include "weft/base/simulation.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/mpi_comm.hpp"

namespace weft {

namespace {

// The attribute's value. What is kept may hold the duplicate, so it goes first.
struct Held {
  std::shared_ptr<Communicator> comm;
  std::shared_ptr<void> kept;
};

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

// Null if there is none.
Held* held_by(CommHandle user) {
  void* found = nullptr;
  int is_set = 0;
  // Simulated ranks are threads of one process, so an attribute might be common to all of them.
  if (is_simulated || !mpi_is_running() || user.is_none()) return nullptr;
  check_mpi(MPI_Comm_get_attr(user, key(), static_cast<void*>(&found), &is_set),
            "MPI_Comm_get_attr");
  return is_set != 0 ? static_cast<Held*>(found) : nullptr;
}

}  // namespace

std::shared_ptr<const Communicator> shared_duplicate(CommHandle user) {
  if (mpi_is_running()) require_mpi_thread();
  if (is_simulated) return std::make_shared<Communicator>(user);
  if (const Held* held = held_by(user)) return held->comm;
  // The communicator comes first, as it is what the ranks agree on failures with.
  Communicator comm(user);
  std::shared_ptr<Communicator> made;
  bool is_kept = false;
  try {
    agree(comm, [&] {
      auto held = std::make_unique<Held>(
          Held{std::make_shared<Communicator>(Communicator::alone()), nullptr});
      made = held->comm;
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

std::shared_ptr<void>* kept_with(CommHandle user) {
  Held* held = held_by(user);
  return held == nullptr ? nullptr : &held->kept;
}

}  // namespace weft
