// compat/fftw-mpi/wisdom: sends it as text.

#include "weft/compat/fftw-mpi/wisdom.hpp"

#include <cstdlib>
#include <string>
#include <vector>

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

// Messages would be mixed up with those of the program, as the communicator is its own.
void gather_wisdom(MPI_Comm comm, const WisdomFunctions& functions) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const std::string mine = rank == 0 ? std::string() : known_to(functions);
  const int letters = static_cast<int>(mine.size());
  std::vector<int> lengths(static_cast<std::size_t>(ranks)), begins(lengths.size());
  MPI_Gather(&letters, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, comm);
  for (std::size_t from = 1; from < begins.size(); ++from)
    begins[from] = begins[from - 1] + lengths[from - 1];
  std::string texts(static_cast<std::size_t>(begins.back() + lengths.back()), ' ');
  MPI_Gatherv(mine.data(), letters, MPI_CHAR, texts.data(), lengths.data(), begins.data(), MPI_CHAR,
              0, comm);
  if (rank != 0) return;
  for (std::size_t from = 1; from < begins.size(); ++from)
    learn(functions, texts.substr(static_cast<std::size_t>(begins[from]),
                                  static_cast<std::size_t>(lengths[from])));
}

}  // namespace weft::compat::fftw
