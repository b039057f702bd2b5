// choose/common_engine: an engine that every rank can use, although their processors may differ.
// Keeps: agreement - all ranks take the same engine, or throw the same error.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/options.hpp"

namespace weft {

/// The engine that asks for processors or devices, whichever are predicted to be faster.
inline constexpr const char* fastest_engine_name = "fastest";

/// The engine, or driver of devices, that `options` ask for, or fastest_engine_name; empty: any.
/// The library of a driver asks for that driver. A strategy that is given says whether devices
/// compute, and so does Options::device. Error::invalid if the engine uses no devices, and one is
/// asked for; errors of parse_strategy and find_driver. Not collective.
std::string asked_engine(const Options& options);

/// The question which engines apply on all ranks.
class EngineInquiry {
 public:
  EngineInquiry() = default;
  /// Of `asked`, an engine or a driver of devices; empty: of all that may be taken then.
  explicit EngineInquiry(std::string asked);

  /// What ranks compare: for each of these, how far this rank is from the end if it does not apply
  /// here; else 0. At least as many as there are.
  using Numbers = std::array<std::int64_t, 8>;
  Numbers numbers(const Communicator& comm) const;
  /// The names of those that apply on all ranks; `largest` has the largest of each of the numbers()
  /// of all ranks.
  std::vector<std::string> applicable(const Numbers& largest) const;
  /// The first of them; errors as of common_engine(). Collective.
  std::string common(const Communicator& comm, const Numbers& largest) const;

 private:
  struct Candidate {
    std::string name;
    std::optional<std::string> (*applies)();
  };
  std::string asked_;
  std::vector<Candidate> candidates_;  // in order of preference
};

/// The name of the first engine that applies on all ranks, or `asked`, an engine or a driver of
/// devices, if it is not empty.
/// Collective. Errors: Error::unsupported, with the lowest rank on which `asked` does not apply, or
/// with the ranks on which each engine does not apply if no engine applies on all ranks;
/// Error::invalid if there is no engine called `asked`.
std::string common_engine(const Communicator& comm, const std::string& asked);

/// The first driver of devices that applies on all ranks. Empty if there is none: then `why_not`
/// has the reasons. Collective.
std::string common_driver(const Communicator& comm, std::string& why_not);

/// `name`, if it is that of a driver of devices; else the name of the engine that it means, as
/// find_engine(), whose errors it has; Error::unsupported for fastest_engine_name, which only plans
/// resolve. Not collective.
std::string known_engine(const std::string& name);

/// The names of the engines that apply on all ranks, in the order of the table. Collective.
std::vector<std::string> common_engines(const Communicator& comm);

}  // namespace weft
