// choose/common_engine: every rank tells which engines apply on it.

#include "weft/choose/common_engine.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "weft/comm/agreement.hpp"
#include "weft/fft/engine.hpp"

namespace weft {

namespace {

// At least as many as the table of engines has.
constexpr std::size_t most_engines = 8;

// For every engine of the table, the lowest rank on which it does not apply; -1 if there is none.
std::array<int, most_engines> lowest_refusals(const Communicator& comm) {
  const auto largest = agree_on_largest(comm, [&] {
    ensure(engines().size() <= most_engines, engines().size());
    std::array<std::int64_t, most_engines> refusing{};
    for (std::size_t e = 0; e < engines().size(); ++e)
      if (engines()[e].applies().has_value()) refusing.at(e) = comm.size() - comm.rank();
    return refusing;
  });
  std::array<int, most_engines> lowest{};
  for (std::size_t e = 0; e < lowest.size(); ++e)
    lowest.at(e) = largest.at(e) == 0 ? -1 : comm.size() - static_cast<int>(largest.at(e));
  return lowest;
}

}  // namespace

std::string common_engine(const Communicator& comm, const std::string& asked) {
  const auto refusals = lowest_refusals(comm);
  const auto is_asked = [&](const EngineEntry& entry) {
    return asked.empty() || entry.name == asked;
  };
  for (std::size_t e = 0; e < engines().size(); ++e)
    if (is_asked(engines()[e]) && refusals.at(e) < 0) return engines()[e].name;
  // The ranks meet for reasons only where there is no engine.
  std::string reasons;
  for (std::size_t e = 0; e < engines().size(); ++e) {
    const EngineEntry& entry = engines()[e];
    if (!is_asked(entry)) continue;
    const int rank = refusals.at(e);
    const std::string why = agree_on_text(comm, rank, [&] { return entry.applies().value_or(""); });
    agree(comm, [&] {
      reasons += fmt::format("{}the engine '{}' does not apply on rank {}: {}",
                             reasons.empty() ? "" : "; ", entry.name, rank, why);
    });
  }
  if (reasons.empty()) find_engine(asked);  // throws, as there is no such engine
  throw Error(Error::unsupported, reasons,
              asked.empty() ? "run on processors of one kind, or build weft with FFTW or oneMKL"
                            : "name no engine: then one is taken that applies on all ranks");
}

std::vector<std::string> common_engines(const Communicator& comm) {
  const auto refusals = lowest_refusals(comm);
  return agree(comm, [&] {
    std::vector<std::string> names;
    for (std::size_t e = 0; e < engines().size(); ++e)
      if (refusals.at(e) < 0) names.push_back(engines()[e].name);
    return names;
  });
}

}  // namespace weft
