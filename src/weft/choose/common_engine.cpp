// choose/common_engine: every rank tells which engines apply on it.

#include "weft/choose/common_engine.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "weft/comm/agreement.hpp"
#include "weft/device/driver.hpp"
#include "weft/fft/engine.hpp"
#include "weft/planning/strategy.hpp"

namespace weft {

namespace {

// What may compute: an engine, or the driver of devices.
struct Candidate {
  std::string name;
  std::optional<std::string> (*applies)();
};

// Those that may be what is asked for, in order of preference. Devices compute where they are
// named, but for one that is pretended.
std::vector<Candidate> candidates_for(const std::string& asked) {
  std::vector<Candidate> all;
  for (const DriverEntry& entry : device_drivers())
    if (asked == entry.name || (asked.empty() && entry.is_usual))
      all.push_back({entry.name, entry.applies});
  for (const EngineEntry& entry : engines())
    if (asked.empty() || asked == entry.name) all.push_back({entry.name, entry.applies});
  return all;
}

// At least as many as either table has.
constexpr std::size_t most_candidates = 8;

// Lists the candidates, and for each the lowest rank on which it does not apply; -1 if there is
// none.
std::array<int, most_candidates> lowest_refusals(const Communicator& comm, const std::string& asked,
                                                 std::vector<Candidate>& candidates) {
  const auto largest = agree_on_largest(comm, [&] {
    candidates = candidates_for(asked);
    ensure(candidates.size() <= most_candidates, candidates.size());
    std::array<std::int64_t, most_candidates> refusing{};
    for (std::size_t c = 0; c < candidates.size(); ++c)
      if (candidates[c].applies().has_value()) refusing.at(c) = comm.size() - comm.rank();
    return refusing;
  });
  std::array<int, most_candidates> lowest{};
  for (std::size_t c = 0; c < lowest.size(); ++c)
    lowest.at(c) = largest.at(c) == 0 ? -1 : comm.size() - static_cast<int>(largest.at(c));
  return lowest;
}

}  // namespace

std::string asked_engine(const Options& options) {
  std::string asked = options.engine;
  if (!options.strategy.empty()) {
    const std::string named = parse_strategy(options.strategy).engine;
    if (asked.empty() || asked == fastest_engine_name || is_driver(named) || is_driver(asked))
      asked = named;
  }
  if (const DriverEntry* const driver = driver_of_library(asked)) asked = driver->name;
  if (options.device < 0 || asked == fastest_engine_name) return asked;
  if (asked.empty()) return find_driver("").name;
  if (!is_driver(asked))
    throw Error(Error::invalid,
                fmt::format("device {} is asked for, but the engine {} does not use devices",
                            options.device, asked),
                "leave one of them out; `weft engines` lists the drivers of devices");
  return asked;
}

std::string common_driver(const Communicator& comm, std::string& why_not) {
  for (const DriverEntry& entry : device_drivers()) {
    try {
      return common_engine(comm, entry.name);
    } catch (const Error& error) {  // the same on all ranks
      if (error.code() != Error::unsupported) throw;
      why_not += (why_not.empty() ? "" : "; ") + error.message();
    }
  }
  if (why_not.empty()) why_not = "this build has no driver of devices";
  return {};
}

std::string known_engine(const std::string& name) {
  if (name == fastest_engine_name)
    throw Error(Error::unsupported,
                "the engine 'fastest' compares processors with the devices that are here, as only "
                "plans of single transforms do",
                "name the engine; `weft engines` lists them");
  return is_driver(name) ? name : find_engine(name).name;
}

std::string common_engine(const Communicator& comm, const std::string& asked) {
  std::vector<Candidate> candidates;
  const auto refusals = lowest_refusals(comm, asked, candidates);
  for (std::size_t c = 0; c < candidates.size(); ++c)
    if (refusals.at(c) < 0) return candidates[c].name;
  // The ranks meet for reasons only where there is no engine.
  std::string reasons;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const Candidate& candidate = candidates[c];
    const int rank = refusals.at(c);
    const std::string why =
        agree_on_text(comm, rank, [&] { return candidate.applies().value_or(""); });
    agree(comm, [&] {
      reasons += fmt::format("{}the engine '{}' does not apply on rank {}: {}",
                             reasons.empty() ? "" : "; ", candidate.name, rank, why);
    });
  }
  if (reasons.empty()) find_engine(asked);  // throws, as there is no such engine
  throw Error(Error::unsupported, reasons,
              asked.empty() ? "run on processors of one kind, or build weft with FFTW or oneMKL"
                            : "name no engine: then one is taken that applies on all ranks");
}

std::vector<std::string> common_engines(const Communicator& comm) {
  std::vector<Candidate> candidates;
  const auto refusals = lowest_refusals(comm, "", candidates);
  return agree(comm, [&] {
    std::vector<std::string> names;
    for (std::size_t c = 0; c < candidates.size(); ++c)
      if (refusals.at(c) < 0 && !is_driver(candidates[c].name)) names.push_back(candidates[c].name);
    return names;
  });
}

}  // namespace weft
