// compat/fftw-mpi/original: FFTW's own functions, where this library has functions of the same
// names in front of them. Keeps: only what the program has loaded is found; nothing is loaded.
#pragma once

#include <mpi.h>

namespace weft::compat::fftw {

/// FFTW's function of this name: the next one after this library's in the order in which the
/// program was linked or its libraries preloaded, or that of an FFTW that a module of the program
/// has brought. Null if there is none.
void* original(const char* name);
/// The same as a pointer to a function of type F.
template <class F>
F* original_of(const char* name) {
  return reinterpret_cast<F*>(original(name));
}
/// The same for a function that must be there, as the program has a plan that only FFTW can have
/// made; `caller` is where it returns to. A module that was loaded for itself alone may have an
/// FFTW of its own, of any file name: what such a module calls is looked for there, if nothing
/// comes next to this library. Without a function it says so and ends the program.
void* required_original(const char* name, const void* caller);

/// Empty if the program's `name`, a function that takes plans, is this library's; else the file
/// that has taken its place, since it was linked first. Plans of weft would be given to FFTW then.
const char* taken_by(const char* name);

/// One line on stderr, from rank 0 of `comm`.
void say(MPI_Comm comm, const char* function, const char* sentence);

}  // namespace weft::compat::fftw
