// held: what this process holds, for tests that look whether anything is left.
#include <dirent.h>
#include <malloc.h>

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
