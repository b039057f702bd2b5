// tests/support/leak_check: separates weft's leaks from MPI's, in sanitizer builds only.
// Why: MPI opens plug-ins, asks them and closes them again; what these keep then has no name to
// suppress it by. So nothing is closed here, and leaks are looked for just before MPI ends instead
// of at exit.
#include <mpi.h>
#include <sanitizer/lsan_interface.h>

int dlclose(void* library) {
  (void)library;
  return 0;
}

int MPI_Finalize(void) {
  __lsan_do_leak_check();  // ends the process if there are leaks; the check at exit is off from
                           // here on
  return PMPI_Finalize();
}
