// compat/fftw-mpi/original: asks the dynamic linker.

#include "weft/compat/fftw-mpi/original.hpp"

#include <dlfcn.h>
#include <link.h>

#include <array>
#include <cstdint>
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

// The function of the caller's object or of the libraries that it was linked with. What was found
// stays loaded, as it may be called again.
void* of_callers(const char* name, const void* caller) {
  void *mine = nullptr, *theirs = nullptr, *callers = nullptr;
  const char* const file = file_of(caller, &callers);
  if (*file == 0) return nullptr;
  void* const object = dlopen(file, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  if (object == nullptr) return nullptr;
  void* const found = dlsym(object, name);
  dlclose(object);
  if (found == nullptr) return nullptr;
  file_of(reinterpret_cast<const void*>(&libraries), &mine);
  file_of(found, &theirs);
  return mine == theirs ? nullptr : found;
}

void* original_for(const char* name, const void* caller) {
  // The linker took the caller's planner from there, too, if it is there.
  if (void* const next = dlsym(RTLD_NEXT, name)) return next;
  if (void* const callers = of_callers(name, caller)) return callers;
  return original(name);
}

// Where a function of FFTW's was called, and what was found for it: asking takes microseconds.
struct Call {
  const char* name;
  const void* caller;
  void* found;
};

Call& slot_of(const char* name, const void* caller) {
  thread_local std::array<Call, 64> calls{};
  const auto mixed =
      reinterpret_cast<std::uintptr_t>(name) * 31 + reinterpret_cast<std::uintptr_t>(caller);
  return calls[(mixed * 0x9E3779B97F4A7C15U >> 32) % calls.size()];
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

void* required_original(const char* name, const void* caller) {
  Call& call = slot_of(name, caller);
  if (call.name == name && call.caller == caller) return call.found;
  if (void* const found = original_for(name, caller)) {
    call = {name, caller, found};
    return found;
  }
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
