// comm/agreement: sends the error of one rank to all.

#include "weft/comm/agreement.hpp"

namespace weft {

void throw_together(const Communicator& comm, const std::optional<Error>& mine) {
  const std::int64_t first = comm.min(std::int64_t{mine ? comm.rank() : comm.size()});
  if (first == comm.size()) return;
  const int root = static_cast<int>(first);
  const bool is_root = comm.rank() == root;
  const auto text = [&](const std::string& part) {
    return comm.broadcast(is_root ? part : "", root);
  };
  const Error empty(Error::bug, "");
  const Error& sent = is_root ? *mine : empty;
  const auto code = comm.max(std::int64_t{is_root ? sent.code() : 0});
  const std::string message = text(sent.message());
  const std::string hint = text(sent.hint());
  const std::string context = text(sent.context());
  Error error(static_cast<Error::Code>(code), message, hint);
  if (!context.empty()) error.add_context(context);
  throw error;
}

void require_same(const Communicator& comm, const std::string& text, const std::string& what) {
  const std::string reference = comm.broadcast(text, 0);
  agree(comm, [&] {
    if (text == reference) return;
    throw Error(Error::mismatch,
                fmt::format("ranks disagree on the {}: rank {} has '{}', rank 0 has '{}'", what,
                            comm.rank(), text, reference),
                "pass the same value on every rank");
  });
}

}  // namespace weft
