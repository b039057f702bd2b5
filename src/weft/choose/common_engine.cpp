// choose/common_engine: every rank tells which engines apply on it.

#include "weft/choose/common_engine.hpp"

#include <tuple>
#include <utility>

#include "weft/comm/agreement.hpp"
#include "weft/device/driver.hpp"
#include "weft/fft/engine.hpp"
#include "weft/planning/strategy.hpp"

namespace weft {

// Devices compute where they are named, but for one that is pretended.
EngineInquiry::EngineInquiry(std::string asked) : asked_(std::move(asked)) {
  for (const DriverEntry& entry : device_drivers())
    if (asked_ == entry.name || (asked_.empty() && entry.is_usual))
      candidates_.push_back({entry.name, entry.applies});
  for (const EngineEntry& entry : engines())
    if (asked_.empty() || asked_ == entry.name) candidates_.push_back({entry.name, entry.applies});
  ensure(candidates_.size() <= std::tuple_size_v<Numbers>, candidates_.size());
}

EngineInquiry::Numbers EngineInquiry::numbers(const Communicator& comm) const {
  Numbers refusing{};
  for (std::size_t c = 0; c < candidates_.size(); ++c)
    if (candidates_[c].applies().has_value()) refusing.at(c) = comm.size() - comm.rank();
  return refusing;
}

std::vector<std::string> EngineInquiry::applicable(const Numbers& largest) const {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < candidates_.size(); ++c)
    if (largest.at(c) == 0) names.push_back(candidates_[c].name);
  return names;
}

std::string EngineInquiry::common(const Communicator& comm, const Numbers& largest) const {
  for (std::size_t c = 0; c < candidates_.size(); ++c)
    if (largest.at(c) == 0) return candidates_[c].name;
  // The ranks meet for reasons only where there is no engine.
  std::string reasons;
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    const Candidate& candidate = candidates_[c];
    const int rank = comm.size() - static_cast<int>(largest.at(c));  // the lowest that refuses
    const std::string why =
        agree_on_text(comm, rank, [&] { return candidate.applies().value_or(""); });
    agree(comm, [&] {
      reasons += fmt::format("{}the engine '{}' does not apply on rank {}: {}",
                             reasons.empty() ? "" : "; ", candidate.name, rank, why);
    });
  }
  if (reasons.empty()) find_engine(asked_);  // throws, as there is no such engine
  throw Error(Error::unsupported, reasons,
              asked_.empty() ? "run on processors of one kind, or build weft with FFTW or oneMKL"
                             : "name no engine: then one is taken that applies on all ranks");
}

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
  EngineInquiry inquiry;
  const auto largest = agree_on_largest(comm, [&] {
    inquiry = EngineInquiry(asked);
    return inquiry.numbers(comm);
  });
  return inquiry.common(comm, largest);
}

std::vector<std::string> common_engines(const Communicator& comm) {
  EngineInquiry inquiry;
  const auto largest = agree_on_largest(comm, [&] {
    inquiry = EngineInquiry("");
    return inquiry.numbers(comm);
  });
  return agree(comm, [&] {
    std::vector<std::string> names = inquiry.applicable(largest);
    std::erase_if(names, [](const std::string& name) { return is_driver(name); });
    return names;
  });
}

}  // namespace weft
