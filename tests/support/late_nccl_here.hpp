// support/late_nccl_here: the library of late devices while a test runs.
#pragma once

#include <cstdlib>

#include "weft/device/late_nccl.hpp"

namespace weft::test {

/// Late devices have a library like NCCL while this lives, and nothing is wrong with it at first.
class LateNcclHere {
 public:
  explicit LateNcclHere(LateDriver& driver) {
    late_nccl_faults() = {};
    pretend_nccl("late", late_nccl(driver));
  }
  LateNcclHere(const LateNcclHere&) = delete;
  LateNcclHere& operator=(const LateNcclHere&) = delete;
  ~LateNcclHere() {
    late_nccl_faults() = {};
    pretend_nccl("late", nullptr);
  }
};

/// What WEFT_DEVICE_MESSAGES says while this lives.
class AskedRoute {
 public:
  explicit AskedRoute(const char* word) { setenv("WEFT_DEVICE_MESSAGES", word, 1); }
  AskedRoute(const AskedRoute&) = delete;
  AskedRoute& operator=(const AskedRoute&) = delete;
  ~AskedRoute() { unsetenv("WEFT_DEVICE_MESSAGES"); }
};

}  // namespace weft::test
