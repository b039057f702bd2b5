// held: what this process holds, for tests that look whether anything is left.
#include <dirent.h>
#include <malloc.h>
#include <mpi.h>

/// The number that MPI gives the next communicator. Open MPI takes the first that is free, so that
/// it is higher if one is left; other MPIs do not, and have 0. Collective.
int held_next_communicator(void) {
#ifdef OMPI_MAJOR_VERSION
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const int next = MPI_Comm_c2f(comm);
  MPI_Comm_free(&comm);
  return next;
#else
  return 0;
#endif
}

/// The number of open descriptors.
int held_descriptors(void) {
  DIR* folder = opendir("/proc/self/fd");
  int count = 0;
  if (folder == 0) return -1;
  while (readdir(folder) != 0) ++count;
  closedir(folder);
  return count;
}

/// The bytes of the heap that are in use.
long long held_bytes(void) {
  struct mallinfo2 heap = mallinfo2();
  return (long long)(heap.uordblks + heap.hblkhd);
}
