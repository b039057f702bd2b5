// compat/fftw-mpi/serial: what serial_*.cpp or wrapped_*.cpp, whichever is linked, tells the other
// files. What makes plans asks for it, so that the functions that take plans are linked where plans
// are made.
#pragma once

namespace weft::compat::fftw {

/// How the program calls FFTW's functions, and those of its serial library that others are made of
/// here.
struct Serial {
  /// Whether this library must come before FFTW's for the program to call its functions.
  bool needs_order;
  /// FFTW's functions if they are linked, which the dynamic linker does not know; else null.
  char* (*export_wisdom_to_string)();
  int (*import_wisdom_from_string)(const char*);
  void (*cleanup)();
};

}  // namespace weft::compat::fftw
