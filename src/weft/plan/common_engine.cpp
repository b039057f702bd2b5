// plan/common_engine: every rank tells which engines apply on it.

#include "weft/plan/common_engine.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "weft/comm/agreement.hpp"
#include "weft/fft/engine.hpp"

namespace weft {

namespace {

// For every engine of the table, the lowest rank on which it does not apply; -1 if there is none.
std::vector<std::int64_t> lowest_refusals(const Communicator& comm) {
  const auto mine = agree(comm, [] {
    std::vector<std::int64_t> refusals;
    for (const EngineEntry& entry : engines())
      refusals.push_back(entry.applies().has_value() ? 1 : 0);
    return refusals;
  });
  const auto all = comm.gather_all(mine);
  auto lowest = agree(comm, [&] { return std::vector<std::int64_t>(mine.size(), -1); });
  for (std::size_t e = 0; e < mine.size(); ++e)
    for (std::size_t rank = 0; rank < all.size() && lowest[e] < 0; ++rank)
      if (all[rank][e] != 0) lowest[e] = static_cast<std::int64_t>(rank);
  return lowest;
}

}  // namespace

std::string common_engine(const Communicator& comm, const std::string& asked) {
  const std::vector<std::int64_t> refusals = lowest_refusals(comm);
  std::string reasons;
  for (std::size_t e = 0; e < refusals.size(); ++e) {
    const EngineEntry& entry = engines()[e];
    if (!asked.empty() && entry.name != asked) continue;
    if (refusals[e] < 0) return entry.name;
    const int rank = static_cast<int>(refusals[e]);
    const std::string mine = agree(comm, [&]() -> std::string {
      return comm.rank() == rank ? entry.applies().value_or("") : "";
    });
    const std::string why = comm.broadcast(mine, rank);
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
  const std::vector<std::int64_t> refusals = lowest_refusals(comm);
  return agree(comm, [&] {
    std::vector<std::string> names;
    for (std::size_t e = 0; e < refusals.size(); ++e)
      if (refusals[e] < 0) names.push_back(engines()[e].name);
    return names;
  });
}

}  // namespace weft
