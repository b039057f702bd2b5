// base/descriptor: the owner of a file descriptor.
#pragma once

#include <unistd.h>

#include <utility>

namespace weft {

/// Closes the file at the end of its life, which also ends a lock on it.
class [[nodiscard]] Descriptor {
 public:
  /// Takes what open() returned, also where open() failed.
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  /// The number, which the caller closes from now on.
  int keep() { return std::exchange(number_, -1); }

 private:
  int number_;
};

}  // namespace weft
