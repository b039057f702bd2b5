// tests/support/mpich_yield: lets MPICH's ranks take turns when there are more of them than cores.
// Why: MPICH 4.0 over UCX waits without ever giving up the core, so 200 barriers of 12 ranks on 2
// cores took 18 s; with this preloaded they take 0.7 s. Open MPI yields by itself. Loaded by the
// tests only, never by weft.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

unsigned ucp_worker_progress(void* worker) {
  static unsigned (*progress)(void*);
  if (!progress) *(void**)&progress = dlsym(RTLD_NEXT, "ucp_worker_progress");
  // Python loads libraries so that no others find what is in them.
  if (!progress)
    *(void**)&progress =
        dlsym(dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD), "ucp_worker_progress");
  const unsigned events = progress(worker);
  if (events == 0) sched_yield();
  return events;
}
