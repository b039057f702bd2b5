// support/address_space: a limit on the memory that this process may ask the system for.
#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>

namespace weft::test {

/// The bytes of addresses that this process has taken.
inline std::int64_t taken_address_space() {
  std::int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * sysconf(_SC_PAGESIZE);
}

/// While this exists, the process may have at most `bytes` of addresses (ulimit -v).
class AddressSpaceLimit {
 public:
  explicit AddressSpaceLimit(std::int64_t bytes) {
    if (getrlimit(RLIMIT_AS, &before_) != 0) return;
    const rlimit limit{static_cast<rlim_t>(bytes), before_.rlim_max};
    rlimit told{};
    is_kept_ = setrlimit(RLIMIT_AS, &limit) == 0 && getrlimit(RLIMIT_AS, &told) == 0 &&
               told.rlim_cur == limit.rlim_cur;
  }
  ~AddressSpaceLimit() {
    if (is_kept_) setrlimit(RLIMIT_AS, &before_);
  }
  AddressSpaceLimit(const AddressSpaceLimit&) = delete;
  AddressSpaceLimit& operator=(const AddressSpaceLimit&) = delete;

  /// False where the system does not keep the limit, as an emulator of other processors.
  bool is_kept() const { return is_kept_; }

 private:
  rlimit before_{};
  bool is_kept_ = false;
};

}  // namespace weft::test
