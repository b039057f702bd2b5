// comm/agreement: turns an error on one rank into the same error on all ranks.
// Keeps: agreement - no rank continues when another has failed, so no rank waits forever.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "weft/base/ensure.hpp"
#include "weft/base/error_record.hpp"
#include "weft/comm/communicator.hpp"

namespace weft {

/// Throws the error of the lowest failed rank on every rank, if any rank has failed. Collective.
void throw_together(const Communicator& comm, const ErrorRecord& mine);

/// The second half of throw_together(): throws the error `mine` of rank `failed` on every rank, or
/// nothing if `failed` is not a rank. The same on all ranks. Collective if it is one.
void throw_of_rank(const Communicator& comm, std::int64_t failed, const ErrorRecord& mine);

/// The largest of each of the `numbers` of all ranks, or the error of throw_together(), in one
/// call of MPI. Collective.
template <std::size_t n>
std::array<std::int64_t, n> largest_together(const Communicator& comm, const ErrorRecord& mine,
                                             const std::array<std::int64_t, n>& numbers) {
  // The largest of the last number tells the lowest rank that failed.
  std::array<std::int64_t, n + 1> all{};
  std::copy(numbers.begin(), numbers.end(), all.begin());
  all[n] = mine.has_error() ? comm.size() - comm.rank() : 0;
  comm.max_each(all);
  throw_of_rank(comm, comm.size() - all[n], mine);
  std::array<std::int64_t, n> largest{};
  std::copy_n(all.begin(), n, largest.begin());
  return largest;
}
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

/// As agree(), for a body that returns a std::array of std::int64_t: returns the largest of each of
/// its numbers on any rank, in the call of MPI that agree() needs anyway. Collective.
template <class Body>
auto agree_on_largest(const Communicator& comm, Body&& body) {
  std::invoke_result_t<Body> mine{};
  const ErrorRecord failure = record_of([&] { mine = body(); });
  return largest_together(comm, failure, mine);
}

/// The text that `make_text` returns on rank `root`, on every rank; it is not called on others. If
/// it throws, every rank throws its error. Collective.
template <class MakeText>
std::string agree_on_text(const Communicator& comm, int root, MakeText&& make_text) {
  std::string text;
  ErrorRecord failure;
  if (comm.rank() == root) failure = record_of([&] { text = make_text(); });
  return comm.broadcast(text, root, failure);
}

/// Throws Error::mismatch on every rank, with both texts, if the `text` of any rank differs from
/// that of rank 0; before that the error of throw_together(), if a rank has a `failure`.
/// Collective: one call of MPI, if all is well.
void require_same(const Communicator& comm, const std::string& text, const char* what,
                  const ErrorRecord& failure = {});

/// The same for the text that `make_text` returns. If `make_text` throws on any rank, every rank
/// throws its error.
template <class MakeText, class = std::invoke_result_t<MakeText>>
void require_same(const Communicator& comm, MakeText&& make_text, const char* what) {
  std::string text;
  const ErrorRecord failure = record_of([&] { text = make_text(); });
  require_same(comm, text, what, failure);
}

}  // namespace weft
