// comm/agreement: an error on one rank is the same error on all.
// Keeps: agreement - no rank goes on alone, so nothing hangs.
#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/comm/communicator.hpp"

namespace weft {

/// Throws the lowest failed rank's error on every rank, if any rank has one. Collective.
void throw_together(const Communicator& comm, const std::optional<Error>& mine);

/// What `body` throws, if anything.
template <class Body>
std::optional<Error> error_of(Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    return error;
  } catch (const std::exception& error) {
    return Error(Error::system, error.what());
  }
  return std::nullopt;
}

/// Runs `body`, which is not collective, on every rank, and returns its result; if it throws on
/// any rank, every rank throws the lowest one's error. Collective.
template <class Body>
auto together(const Communicator& comm, Body&& body) {
  using Result = std::invoke_result_t<Body>;
  if constexpr (std::is_void_v<Result>) {
    throw_together(comm, error_of(body));
  } else {
    std::optional<Result> result;
    throw_together(comm, error_of([&] { result.emplace(body()); }));
    return std::move(*result);
  }
}

/// Error::mismatch on every rank, with both texts, if a rank's `text` is not that of rank 0.
/// Collective.
void require_same(const Communicator& comm, const std::string& text, const std::string& what);

}  // namespace weft
