// compat/fftw-mpi/wisdom: sends it as text.

#include "weft/compat/fftw-mpi/wisdom.hpp"

#include <cstdlib>
#include <string>

#include "weft/compat/fftw-mpi/original.hpp"

namespace weft::compat::fftw {

namespace {

std::string known_to(const WisdomFunctions& functions) {
  if (functions.exported == nullptr) return {};
  char* const text = functions.exported();
  if (text == nullptr) return {};
  std::string known(text);
  std::free(text);
  return known;
}

void learn(const WisdomFunctions& functions, const std::string& text) {
  if (functions.imported != nullptr && !text.empty()) functions.imported(text.c_str());
}

constexpr int tag = 0;

}  // namespace

WisdomFunctions WisdomFunctions::of(const char* prefix) {
  const std::string name(prefix);
  return {original_of<char*()>((name + "export_wisdom_to_string").c_str()),
          original_of<int(const char*)>((name + "import_wisdom_from_string").c_str())};
}

void broadcast_wisdom(MPI_Comm comm, const WisdomFunctions& functions) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  std::string text = rank == 0 ? known_to(functions) : std::string();
  int letters = static_cast<int>(text.size());
  MPI_Bcast(&letters, 1, MPI_INT, 0, comm);
  text.resize(static_cast<std::size_t>(letters));
  MPI_Bcast(text.data(), letters, MPI_CHAR, 0, comm);
  if (rank != 0) learn(functions, text);
}

void gather_wisdom(MPI_Comm comm, const WisdomFunctions& functions) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  if (rank != 0) {
    const std::string text = known_to(functions);
    MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, tag, comm);
    return;
  }
  for (int from = 1; from < ranks; ++from) {
    MPI_Status status;
    int letters = 0;
    MPI_Probe(from, tag, comm, &status);
    MPI_Get_count(&status, MPI_CHAR, &letters);
    std::string text(static_cast<std::size_t>(letters), ' ');
    MPI_Recv(text.data(), letters, MPI_CHAR, from, tag, comm, MPI_STATUS_IGNORE);
    learn(functions, text);
  }
}

}  // namespace weft::compat::fftw
