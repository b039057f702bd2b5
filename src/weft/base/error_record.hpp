// base/error_record: an error as plain data of a fixed size, to be sent or kept in shared memory.
// Keeps: making a record allocates nothing, so that a lack of memory can be reported, too.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "weft/base/printable.hpp"
#include "weft/error.hpp"

namespace weft {

/// A text of fewer than `bytes` bytes; a longer one is cut off. Zeroed memory is an empty text.
template <std::size_t bytes>
struct FixedText {
  std::array<char, bytes> letters;
  void set(std::string_view text) noexcept {
    const std::string_view kept = start_of(text, bytes - 1);
    std::memcpy(letters.data(), kept.data(), kept.size());
    letters[kept.size()] = 0;
  }
  std::string_view view() const { return {letters.data(), strnlen(letters.data(), bytes)}; }
  std::string get() const { return std::string(view()); }
};

/// An error, or none; zeroed memory is none. Smaller than what MPI libraries send at once.
struct ErrorRecord {
  std::int32_t status = 0;  ///< 0: no error, else 1 + its code
  FixedText<2304> message{};
  FixedText<640> hint{}, context{};

  ErrorRecord() = default;
  explicit ErrorRecord(const Error& error) noexcept;
  /// The record of the exception that is being handled, whatever its type is.
  static ErrorRecord of_current_exception() noexcept;

  bool has_error() const { return status != 0; }
  /// The error, which there must be.
  Error error() const;
};

/// Runs `body`, and returns a record of what it throws, if it throws.
template <class Body>
ErrorRecord record_of(Body&& body) noexcept {
  try {
    body();
  } catch (...) {
    return ErrorRecord::of_current_exception();
  }
  return {};
}

}  // namespace weft
