// injection/events: what can be made to fail, once or from some time on, at a chosen occurrence.
// Keeps: only what happens while a Watch lives is counted and fails, so that the tests' own code
// and other libraries are left alone.
#pragma once

#include <array>
#include <cstddef>

namespace weft::test {

/// What can fail. The names say what happens to weft.
enum Event {
  allocation,     ///< operator new throws std::bad_alloc
  large_memory,   ///< aligned_alloc returns null
  shared_memory,  ///< memfd_create fails: no descriptors left
  file_size,      ///< ftruncate fails: no space left
  mapping,        ///< mmap fails: no address space left
  opening,        ///< open fails: the other process's memory cannot be seen
  thread,         ///< pthread_create fails
  process_watch,  ///< pidfd_open fails
  fft_plan,       ///< FFTW makes no plan
  message,        ///< a non-blocking call of MPI fails, the vote included
  run_step,       ///< what is no std::exception is thrown before an item, a task, after a signal
  callback,       ///< a callback of the application throws
  placement,      ///< a function that places pieces throws
  event_count
};
extern const std::array<const char*, event_count> event_names;

/// Which occurrence of which event fails.
struct Fault {
  int event = -1;      ///< none
  long at = 0;         ///< occurrences before it
  bool stays = false;  ///< all later ones fail, too
  bool kills = false;  ///< it kills this process instead
};

/// Counts all events from 0 again, and lets `fault` happen.
void expect(const Fault& fault);
/// How often each event has happened since expect().
std::array<long, event_count> occurrences();
/// Whether the fault has happened.
bool has_fired();
/// Counts an occurrence, and returns whether it is to fail.
bool fails(Event event) noexcept;

/// Events count while one lives.
class [[nodiscard]] Watch {
 public:
  Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch();
};

}  // namespace weft::test
