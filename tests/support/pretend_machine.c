// tests/support/pretend_machine: preloaded, tells a process of other caches and cores than there
// are. Why: a test that holds on one machine must hold on all, and few machines are at hand. Loaded
// by the tests only (CMake's WEFT_TEST_PRETEND_CACHES and WEFT_TEST_PRETEND_CORES), never by weft.
//   PRETEND_CACHES=F  caches of levels 2 and 3 are F times as large: what Linux tells below /sys to
//                     those who open it with fopen, as C++ streams do, and what sysconf guesses
//   PRETEND_CORES=N   the process may run on cores 0 to N-1
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef FILE* Open(const char* path, const char* mode);

// The next function of this name: the C library's.
#define NEXT(name)               \
  static __typeof__(name)* next; \
  if (!next) *(void**)&next = dlsym(RTLD_NEXT, #name)

static double number_in(const char* variable) {
  const char* text = getenv(variable);
  return text ? strtod(text, NULL) : 0;
}

static int is_size_of_a_cache(const char* path) {
  const char* name = strrchr(path, '/');
  return strncmp(path, "/sys/devices/system/cpu/cpu", 27) == 0 && strstr(path, "/cache/index") &&
         name && strcmp(name, "/size") == 0;
}

// `file`, which holds a line like "32768K", or another in its place with a line F times as large.
static FILE* scaled(FILE* file, double factor) {
  long size = 0;
  char unit = 0;
  if (fscanf(file, "%ld%c", &size, &unit) != 2) {
    rewind(file);
    return file;
  }
  fclose(file);
  // Not fmemopen: C++ streams read from the descriptor.
  FILE* other = fdopen(memfd_create("pretended", 0), "w+");
  if (other) {
    fprintf(other, "%ld%c\n", (long)((double)size * factor), unit);
    rewind(other);
  }
  return other;
}

static FILE* open_with(Open* open_file, const char* path, const char* mode) {
  FILE* file = open_file(path, mode);
  const double factor = number_in("PRETEND_CACHES");
  return file && factor > 0 && is_size_of_a_cache(path) ? scaled(file, factor) : file;
}

FILE* fopen(const char* path, const char* mode) {
  NEXT(fopen);
  return open_with(next, path, mode);
}

FILE* fopen64(const char* path, const char* mode) {
  NEXT(fopen64);
  return open_with(next, path, mode);
}

long sysconf(int name) {
  NEXT(sysconf);
  const long told = next(name);
  const double factor = number_in("PRETEND_CACHES");
  const int is_cache = name == _SC_LEVEL2_CACHE_SIZE || name == _SC_LEVEL3_CACHE_SIZE;
  return is_cache && factor > 0 ? (long)((double)told * factor) : told;
}

// Whether `cores` was filled.
static int pretends_cores(size_t bytes, cpu_set_t* cores) {
  const int count = (int)number_in("PRETEND_CORES");
  if (count <= 0) return 0;
  memset(cores, 0, bytes);
  for (int core = 0; core < count; ++core) CPU_SET_S((size_t)core, bytes, cores);
  return 1;
}

int sched_getaffinity(pid_t process, size_t bytes, cpu_set_t* cores) {
  NEXT(sched_getaffinity);
  return pretends_cores(bytes, cores) ? 0 : next(process, bytes, cores);
}

int pthread_getaffinity_np(pthread_t thread, size_t bytes, cpu_set_t* cores) {
  NEXT(pthread_getaffinity_np);
  return pretends_cores(bytes, cores) ? 0 : next(thread, bytes, cores);
}
