// comm/forked: a handler that fork() calls in the child.

#include "weft/comm/forked.hpp"

#include <pthread.h>

#include <atomic>

#include "weft/base/ensure.hpp"

namespace weft {

namespace {

std::atomic<bool> is_used{false}, is_child{false};

void note_child() { is_child = is_used.load(); }

}  // namespace

void note_use_of_process() {
  static const int registered = pthread_atfork(nullptr, nullptr, note_child);
  static_cast<void>(registered);
  is_used = true;
}

void require_no_fork() {
  if (is_forked_child())
    throw Error(Error::invalid, "this process is a forked child of one that uses weft",
                "transform in the parent, or let the child execute a program of its own");
}

bool is_forked_child() { return is_child.load(std::memory_order_relaxed); }

}  // namespace weft
