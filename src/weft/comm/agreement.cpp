// comm/agreement: sends the error of one rank to all.

#include "weft/comm/agreement.hpp"

#include <algorithm>
#include <string_view>

namespace weft {

namespace {

// The part of a text that is shown in an error: all of a short one; of a long one what surrounds
// the first difference from `other`.
std::string_view shown_part(std::string_view text, std::string_view other) {
  constexpr std::size_t most = 900, before = 200;
  if (text.size() <= most) return text;
  const auto differs = std::mismatch(text.begin(), text.end(), other.begin(), other.end()).first;
  const auto at = static_cast<std::size_t>(differs - text.begin());
  return text.substr(at > before ? at - before : 0, most);
}

}  // namespace

void throw_together(const Communicator& comm, const ErrorRecord& mine) {
  largest_together<0>(comm, mine, {});
}

void throw_of_rank(const Communicator& comm, std::int64_t failed, const ErrorRecord& mine) {
  if (failed < 0 || failed >= comm.size()) return;
  ErrorRecord sent = mine;
  comm.broadcast(&sent, static_cast<int>(sizeof sent), static_cast<int>(failed));
  throw sent.error();
}

void throw_together(const Communicator& comm, const std::optional<Error>& mine) {
  throw_together(comm, mine ? ErrorRecord(*mine) : ErrorRecord());
}

// If the largest is also the smallest, all are equal.
TextBounds bounds_of(const std::string& text) noexcept {
  const Fingerprint mine = fingerprint(text);
  TextBounds bounds{};
  for (std::size_t i = 0; i < mine.size(); ++i) {
    bounds[2 * i] = mine[i];
    bounds[2 * i + 1] = ~mine[i];
  }
  return bounds;
}

// Only if fingerprints differ, texts are sent.
void require_same(const Communicator& comm, const std::string& text, const char* what,
                  const TextBounds& largest) {
  bool are_equal = true;
  for (std::size_t i = 0; i < largest.size(); i += 2)
    are_equal = are_equal && largest[i] == ~largest[i + 1];
  if (are_equal) return;
  const std::string reference = comm.broadcast(text, 0);
  agree(comm, [&] {
    if (text == reference) return;
    throw Error(Error::mismatch,
                fmt::format("ranks disagree on the {}: rank {} has '{}', rank 0 has '{}'", what,
                            comm.rank(), shown_part(text, reference), shown_part(reference, text)),
                "pass the same value on every rank");
  });
}

void require_same(const Communicator& comm, const std::string& text, const char* what,
                  const ErrorRecord& failure) {
  require_same(comm, text, what, largest_together(comm, failure, bounds_of(text)));
}

}  // namespace weft
