// plan/make_plan: asks what is remembered, and tunes what is not.

#include "weft/plan/make_plan.hpp"

#include <optional>
#include <utility>

#include "weft/base/log.hpp"
#include "weft/choose/remembering.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/plan/tuning.hpp"

namespace weft {

namespace {

// On rank 0. Collective, as writing may fail there.
template <class Text>
void warn(const Communicator& comm, const Text& text) {
  agree(comm, [&] {
    if (comm.rank() == 0) log_line(LogLevel::warn, text);
  });
}

// Whether `body`, which is collective, could read and write the file; if not, the log says so.
template <class Body>
bool can_remember(const Communicator& comm, const char* what, const Body& body) {
  try {
    body();
    return true;
  } catch (const Error& error) {
    if (error.code() != Error::io && error.code() != Error::invalid &&
        error.code() != Error::unsupported)
      throw;
    warn(comm, [&] { return fmt::format("{}: {}; {}", what, error.message(), error.hint()); });
    return false;
  }
}

}  // namespace

std::unique_ptr<PlanBody> make_plan(const std::shared_ptr<const Communicator>& comm,
                                    const Problem& problem, const Options& options) {
  if (options.effort != Effort::tune) return PlanBody::make(comm, problem, options, recalled);
  // All ranks have the same options once this is made.
  auto body = PlanBody::make_unreported(comm, problem, options, recalled);
  if (body->is_remembered() || !may_recall(options) || problem.input.is_of_parts()) {
    body->report();
    return body;
  }
  try {
    const bool remembers = can_remember(*comm, "what is tuned will not be remembered",
                                        [&] { require_rememberable(*comm); });
    const Tuned found = tuned(std::move(body), problem, options);
    if (remembers)
      can_remember(*comm, "what was tuned is not remembered",
                   [&] { remember(*comm, found.entry); });
    return make_known_plan(comm, problem, options, found.entry);
  } catch (const Error& error) {
    if (error.code() != Error::system) throw;
    warn(*comm, [&] { return fmt::format("a plan is not tuned: {}", error.message()); });
  }
  return PlanBody::make(comm, problem, options);
}

std::unique_ptr<PlanBody> make_known_plan(const std::shared_ptr<const Communicator>& comm,
                                          const Problem& problem, const Options& options,
                                          const WisdomEntry& entry) {
  return PlanBody::make(
      comm, problem, options,
      [&](const Communicator&, const Problem&, const Machine&,
          const Options&) -> std::optional<Remembered> { return as_remembered(entry, ""); });
}

}  // namespace weft
