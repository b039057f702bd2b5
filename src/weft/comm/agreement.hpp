// comm/agreement: turns an error on one rank into the same error on all ranks.
// Keeps: agreement - no rank continues when another has failed, so no rank waits forever.
#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/comm/communicator.hpp"

namespace weft {

/// Throws the error of the lowest failed rank on every rank, if any rank has failed. Collective.
void throw_together(const Communicator& comm, const std::optional<Error>& mine);

/// Runs `body` and returns the error that it throws, if any.
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

/// Runs `body`, which must not be collective, on every rank and returns its result. If `body`
/// throws on any rank, every rank throws the error of the lowest of these ranks. Collective.
template <class Body>
auto agree(const Communicator& comm, Body&& body) {
  using Result = std::invoke_result_t<Body>;
  if constexpr (std::is_void_v<Result>) {
    throw_together(comm, error_of(body));
  } else {
    std::optional<Result> result;
    throw_together(comm, error_of([&] { result.emplace(body()); }));
    return std::move(*result);
  }
}

/// Throws Error::mismatch on every rank, with both texts, if the `text` of any rank differs from
/// that of rank 0. Collective.
void require_same(const Communicator& comm, const std::string& text, const std::string& what);

}  // namespace weft
