// injection/events: functions of the C and C++ libraries, of FFTW and of MPI, replaced by ones that
// may fail. CMake's --wrap replaces those of the C library and of FFTW in weft's own code only.

#include "injection/events.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdlib>
#include <new>

#ifdef WEFT_HAVE_FFTW
#include <fftw3.h>
#endif

namespace weft::test {

const std::array<const char*, event_count> event_names{
    "operator new",  "aligned_alloc",  "memfd_create", "ftruncate", "mmap",
    "open",          "pthread_create", "pidfd_open",   "FFTW plan", "MPI call while running",
    "step of a run", "callback",       "placement"};

namespace {

std::array<std::atomic<long>, event_count> counts;
std::atomic<int> watches{0};
std::atomic<bool> fired{false};
Fault expected;

}  // namespace

void expect(const Fault& fault) {
  for (auto& count : counts) count = 0;
  fired = false;
  expected = fault;
}

std::array<long, event_count> occurrences() {
  std::array<long, event_count> all{};
  for (std::size_t e = 0; e < all.size(); ++e) all[e] = counts[e];
  return all;
}

bool has_fired() { return fired; }

bool fails(Event event) noexcept {
  if (watches == 0) return false;
  const long before = counts[event]++;
  if (expected.event != event) return false;
  if (before != expected.at && !(expected.stays && before > expected.at)) return false;
  fired = true;
  if (expected.kills) raise(SIGKILL);
  return true;
}

Watch::Watch() { ++watches; }
Watch::~Watch() { --watches; }

namespace {

void* allocated(std::size_t bytes, std::size_t alignment) {
  void* memory = nullptr;
  if (fails(allocation) || posix_memalign(&memory, alignment, bytes > 0 ? bytes : 1) != 0)
    throw std::bad_alloc();
  return memory;
}

int with_error(int error) {
  errno = error;
  return -1;
}

}  // namespace

}  // namespace weft::test

using namespace weft::test;

// ---- C++

void* operator new(std::size_t bytes) { return allocated(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocated(bytes, static_cast<std::size_t>(alignment));
}
// std::stable_sort asks so; a sanitizer has one of its own, whose memory is not free()'s.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return fails(allocation) ? nullptr : std::malloc(bytes > 0 ? bytes : 1);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

extern "C" {

// ---- the C library

void* __real_aligned_alloc(size_t alignment, size_t bytes);
void* __wrap_aligned_alloc(size_t alignment, size_t bytes) {
  return fails(large_memory) ? nullptr : __real_aligned_alloc(alignment, bytes);
}

int __real_memfd_create(const char* name, unsigned flags);
int __wrap_memfd_create(const char* name, unsigned flags) {
  return fails(shared_memory) ? with_error(EMFILE) : __real_memfd_create(name, flags);
}

int __real_ftruncate(int file, off_t bytes);
int __wrap_ftruncate(int file, off_t bytes) {
  return fails(file_size) ? with_error(ENOSPC) : __real_ftruncate(file, bytes);
}

void* __real_mmap(void* at, size_t bytes, int access, int flags, int file, off_t offset);
void* __wrap_mmap(void* at, size_t bytes, int access, int flags, int file, off_t offset) {
  if (!fails(mapping)) return __real_mmap(at, bytes, access, flags, file, offset);
  errno = ENOMEM;
  return reinterpret_cast<void*>(-1);
}

// weft opens no file that it would have to make, so there is no third argument.
int __real_open(const char* path, int flags);
int __wrap_open(const char* path, int flags) {
  return fails(opening) ? with_error(ENFILE) : __real_open(path, flags);
}

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...) {
  if (number == SYS_pidfd_open && fails(process_watch)) return with_error(EMFILE);
  std::va_list list;
  va_start(list, number);
  long argument[6];
  for (long& one : argument) one = va_arg(list, long);
  va_end(list);
  return __real_syscall(number, argument[0], argument[1], argument[2], argument[3], argument[4],
                        argument[5]);
}

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WEFT_FAULTS_UNDER_TSAN
// What clang's thread sanitizer puts in the place of pthread_create; a thread that it does not know
// of crashes.
int __interceptor_pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*),
                                 void*) noexcept;
#endif
#endif

// Called by the C++ library, where --wrap has no effect.
int pthread_create(pthread_t* made, const pthread_attr_t* attributes, void* (*body)(void*),
                   void* argument) noexcept {
  if (fails(thread)) return EAGAIN;
#ifdef WEFT_FAULTS_UNDER_TSAN
  const auto next = &__interceptor_pthread_create;
#else
  static const auto next =
      reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
#endif
  return next(made, attributes, body, argument);
}

// ---- FFTW

#ifdef WEFT_HAVE_FFTW
#ifdef WEFT_OWN_FFTW  // weft's own copy has other names
#define __real_fftw_plan_guru64_dft __real_weft_own_fftw_plan_guru64_dft
#define __wrap_fftw_plan_guru64_dft __wrap_weft_own_fftw_plan_guru64_dft
#endif
fftw_plan __real_fftw_plan_guru64_dft(int rank, const fftw_iodim64* n, int loops,
                                      const fftw_iodim64* loop, fftw_complex* in, fftw_complex* out,
                                      int sign, unsigned flags);
fftw_plan __wrap_fftw_plan_guru64_dft(int rank, const fftw_iodim64* n, int loops,
                                      const fftw_iodim64* loop, fftw_complex* in, fftw_complex* out,
                                      int sign, unsigned flags) {
  if (fails(fft_plan)) return nullptr;
  return __real_fftw_plan_guru64_dft(rank, n, loops, loop, in, out, sign, flags);
}
#endif

// ---- MPI's profiling interface

int MPI_Isend(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
              MPI_Request* request) {
  if (fails(message)) return MPI_ERR_OTHER;
  return PMPI_Isend(data, count, type, peer, tag, comm, request);
}
int MPI_Irecv(void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
              MPI_Request* request) {
  if (fails(message)) return MPI_ERR_OTHER;
  return PMPI_Irecv(data, count, type, peer, tag, comm, request);
}
int MPI_Start(MPI_Request* request) {
  if (fails(message)) return MPI_ERR_OTHER;
  return PMPI_Start(request);
}
int MPI_Iallreduce(const void* mine, void* all, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request* request) {
  if (fails(message)) return MPI_ERR_OTHER;
  return PMPI_Iallreduce(mine, all, count, type, op, comm, request);
}
int MPI_Ialltoallv(const void* from, const int* sent, const int* starts, MPI_Datatype type,
                   void* to, const int* received, const int* received_starts,
                   MPI_Datatype received_type, MPI_Comm comm, MPI_Request* request) {
  if (fails(message)) return MPI_ERR_OTHER;
  return PMPI_Ialltoallv(from, sent, starts, type, to, received, received_starts, received_type,
                         comm, request);
}
int MPI_Ialltoallw(const void* from, const int* sent, const int* starts, const MPI_Datatype* types,
                   void* to, const int* received, const int* received_starts,
                   const MPI_Datatype* received_types, MPI_Comm comm, MPI_Request* request) {
  if (fails(message)) return MPI_ERR_OTHER;
  return PMPI_Ialltoallw(from, sent, starts, types, to, received, received_starts, received_types,
                         comm, request);
}
}
