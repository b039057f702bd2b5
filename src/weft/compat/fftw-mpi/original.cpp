// compat/fftw-mpi/original: asks the dynamic linker.

#include "weft/compat/fftw-mpi/original.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace weft::compat::fftw {

namespace {

// Those of a module that was loaded for itself alone, as Python's are, do not come next to this
// library.
constexpr const char* libraries[] = {"libfftw3.so.3", "libfftw3f.so.3", "libfftw3_mpi.so.3",
                                     "libfftw3f_mpi.so.3"};

const char* file_of(const void* address, void** begins_at) {
  Dl_info info;
  void* map = nullptr;
  if (dladdr1(address, &info, &map, RTLD_DL_LINKMAP) == 0) return "";
  *begins_at = info.dli_fbase;
  return static_cast<const link_map*>(map)->l_name;  // empty: the program itself
}

}  // namespace

void* original(const char* name) {
  if (void* const next = dlsym(RTLD_NEXT, name)) return next;
  for (const char* const library : libraries) {
    void* const loaded = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    if (loaded == nullptr) continue;
    void* const found = dlsym(loaded, name);
    dlclose(loaded);
    if (found != nullptr) return found;
  }
  return nullptr;
}

void* required_original(const char* name) {
  void* const found = original(name);
  if (found != nullptr) return found;
  std::fprintf(stderr,
               "weft: %s was given a plan that is not weft's, and the program has no FFTW that "
               "could take it\n"
               "  try: link FFTW's shared libraries after weft_fftw_mpi; see "
               "docs/compat/fftw-mpi.md for static ones\n",
               name);
  std::abort();
}

const char* taken_by(const char* name) {
  const void* const seen = dlsym(RTLD_DEFAULT, name);
  if (seen == nullptr) return "";
  void *mine = nullptr, *theirs = nullptr;
  file_of(reinterpret_cast<const void*>(&libraries), &mine);
  const char* const file = file_of(seen, &theirs);
  return mine == theirs ? "" : file;
}

void say(MPI_Comm comm, const char* function, const char* sentence) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank != 0) return;
  const bool is_weft = std::strncmp(sentence, "weft:", 5) == 0;
  std::fprintf(stderr, "weft: %s: %s\n", function, is_weft ? sentence + 6 : sentence);
}

}  // namespace weft::compat::fftw
