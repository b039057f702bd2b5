// comm/agreement: turns an error on one rank into the same error on all ranks.
// Keeps: agreement - no rank continues when another has failed, so no rank waits forever.
#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/error_record.hpp"
#include "weft/comm/communicator.hpp"

namespace weft {

/// Throws the error of the lowest failed rank on every rank, if any rank has failed. Collective.
void throw_together(const Communicator& comm, const ErrorRecord& mine);
void throw_together(const Communicator& comm, const std::optional<Error>& mine);

/// Runs `body` and returns the error that it throws, if any.
template <class Body>
std::optional<Error> error_of(Body&& body) {
  const ErrorRecord record = record_of(body);
  return record.has_error() ? std::optional(record.error()) : std::nullopt;
}

/// Runs `body`, which must not be collective, on every rank and returns its result. If `body`
/// throws on any rank, every rank throws the error of the lowest of these ranks. Collective.
///
/// Whatever may fail on one rank alone belongs into a body, even an allocation of a few bytes:
/// between two collective calls a rank must not throw, as the others would wait for it for ever.
template <class Body>
auto agree(const Communicator& comm, Body&& body) {
  using Result = std::invoke_result_t<Body>;
  if constexpr (std::is_void_v<Result>) {
    throw_together(comm, record_of(body));
  } else {
    std::optional<Result> result;
    throw_together(comm, record_of([&] { result.emplace(body()); }));
    return std::move(*result);
  }
}

/// Throws Error::mismatch on every rank, with both texts, if the `text` of any rank differs from
/// that of rank 0. Collective.
void require_same(const Communicator& comm, const std::string& text, const char* what);

/// The same for the text that `make_text` returns. If `make_text` throws on any rank, every rank
/// throws its error.
template <class MakeText, class = std::invoke_result_t<MakeText>>
void require_same(const Communicator& comm, MakeText&& make_text, const char* what) {
  require_same(comm, agree(comm, make_text), what);
}

}  // namespace weft
