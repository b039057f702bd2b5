// base/recent: what the system tells, asked again only after a while.
#pragma once

#include <chrono>
#include <optional>

namespace weft {

/// A value that takes time to ask for and rarely changes, like a limit of a control group. Not
/// thread-safe: each thread has one of its own.
template <class Value>
class Recent {
 public:
  /// What `ask()` returned within the last second; if it was not called then, what it returns now.
  template <class Ask>
  Value get(const Ask& ask) {
    const auto now = std::chrono::steady_clock::now();
    if (!value_ || now - asked_ >= std::chrono::seconds(1)) {
      value_ = ask();
      asked_ = now;
    }
    return *value_;
  }

 private:
  std::optional<Value> value_;
  std::chrono::steady_clock::time_point asked_;
};

}  // namespace weft
