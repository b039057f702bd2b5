// comm/agreement: turns an error on one rank into the same error on all ranks.
// Keeps: agreement - no rank continues when another has failed, so no rank waits forever.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "weft/base/ensure.hpp"
#include "weft/base/error_record.hpp"
#include "weft/base/fingerprint.hpp"
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

/// The same for numbers of several meanings: each part is a std::int64_t or a std::array of them.
template <class... Parts>
std::tuple<Parts...> largest_together(const Communicator& comm, const ErrorRecord& mine,
                                      std::tuple<Parts...> numbers) {
  constexpr std::size_t each = sizeof(std::int64_t);
  static_assert((std::is_trivially_copyable_v<Parts> && ...));
  std::array<std::int64_t, (sizeof(Parts) + ...) / each> all{};
  std::size_t at = 0;
  std::apply(
      [&](const auto&... part) {
        ((std::memcpy(all.data() + at, &part, sizeof part), at += sizeof part / each), ...);
      },
      numbers);
  all = largest_together(comm, mine, all);
  at = 0;
  std::apply(
      [&](auto&... part) {
        ((std::memcpy(&part, all.data() + at, sizeof part), at += sizeof part / each), ...);
      },
      numbers);
  return numbers;
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

/// As agree(), for a body that returns a std::array of std::int64_t, or a std::tuple of numbers and
/// such arrays: returns the largest of each of its numbers on any rank, in the call of MPI that
/// agree() needs anyway. Collective.
template <class Body>
auto agree_on_largest(const Communicator& comm, Body&& body) {
  std::invoke_result_t<Body> mine{};
  const ErrorRecord failure = record_of([&] { mine = body(); });
  return largest_together(comm, failure, mine);
}

/// What a rank tells the others in gather_together().
template <class Value>
struct Told {
  Value value;
  std::int64_t has_failed;
};

/// Fills `all`, by rank, with what `body`, which must not be collective, returns on every rank:
/// plain data. If it throws on any rank, every rank throws the error of the lowest of these ranks.
/// One call of MPI, so `all` must have room for all ranks before. Collective.
template <class Value, class Body>
void gather_together(const Communicator& comm, std::vector<Told<Value>>& all, Body&& body) {
  static_assert(std::is_trivially_copyable_v<Value>);
  Told<Value> mine{};
  const ErrorRecord failure = record_of([&] { mine.value = body(); });
  mine.has_failed = failure.has_error() ? 1 : 0;
  comm.gather(&mine, static_cast<int>(sizeof mine), all.data());
  const auto failed =
      std::ranges::find_if(all, [](const auto& one) { return one.has_failed != 0; });
  throw_of_rank(comm, failed - all.begin(), failure);
}

/// The text that `make_text` returns on rank `root`, on every rank; it is not called on others. If
/// it throws, every rank throws its error. Collective.
template <class MakeText>
SentText sent_text(const Communicator& comm, int root, MakeText&& make_text) {
  std::string text;
  ErrorRecord failure;
  if (comm.rank() == root) failure = record_of([&] { text = make_text(); });
  return SentText(comm, text, root, failure);
}
template <class MakeText>
std::string agree_on_text(const Communicator& comm, int root, MakeText&& make_text) {
  const SentText sent = sent_text(comm, root, make_text);
  return agree(comm, [&] { return sent.get(); });
}

/// Throws Error::mismatch on every rank, with both texts, if the `text` of any rank differs from
/// that of rank 0; before that the error of throw_together(), if a rank has a `failure`.
/// Collective: one call of MPI, if all is well.
void require_same(const Communicator& comm, const std::string& text, const char* what,
                  const ErrorRecord& failure = {});

/// What ranks compare of a text; and the rest of require_same(), if `largest` has the largest of
/// each of these numbers on any rank. Collective if texts differ.
using TextBounds = std::array<std::int64_t, 2 * std::tuple_size_v<Fingerprint>>;
TextBounds bounds_of(const std::string& text) noexcept;
void require_same(const Communicator& comm, const std::string& text, const char* what,
                  const TextBounds& largest);

/// The same for the text that `make_text` returns. If `make_text` throws on any rank, every rank
/// throws its error.
template <class MakeText, class = std::invoke_result_t<MakeText>>
void require_same(const Communicator& comm, MakeText&& make_text, const char* what) {
  std::string text;
  const ErrorRecord failure = record_of([&] { text = make_text(); });
  require_same(comm, text, what, failure);
}

}  // namespace weft
