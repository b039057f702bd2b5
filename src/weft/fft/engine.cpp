// fft/engine: the table of engines.

#include "weft/fft/engine.hpp"

#include <algorithm>

#include "weft/base/table.hpp"

namespace weft {

namespace {

#if !defined(WEFT_HAVE_FFTW) || !defined(WEFT_HAVE_MKL)
EngineEntry absent(const char* name, const char* summary, std::optional<std::string> (*reason)()) {
  return {name,
          summary,
          reason,
          [] { return std::string(); },
          []() -> std::optional<std::string> { return std::nullopt; },
          []() -> std::unique_ptr<Engine> { return nullptr; }};
}
#endif

}  // namespace

#ifndef WEFT_HAVE_FFTW
EngineEntry fftw_entry() {
  return absent("fftw", "FFTW 3", []() -> std::optional<std::string> {
    return "this build has no FFTW (Debian: libfftw3-dev)";
  });
}
#endif

#ifndef WEFT_HAVE_MKL
EngineEntry mkl_entry() {
  return absent("mkl", "oneMKL", []() -> std::optional<std::string> {
    return "this build has no oneMKL (PyPI: mkl-devel)";
  });
}
#endif

namespace {

std::vector<EngineEntry>& table() {
  static std::vector<EngineEntry> all{weft_entry(),    fftw_entry(),    mkl_entry(),
                                      weft512_entry(), weft256_entry(), weft128_entry()};
  return all;
}

}  // namespace

const std::vector<EngineEntry>& engines() { return table(); }

void pretend_preferred_engine(const std::string& name) {
  const EngineEntry& preferred = find_engine(name);
  const auto at = table().begin() + (&preferred - table().data());
  std::rotate(table().begin(), at, at + 1);
}

const EngineEntry& find_engine(const std::string& name) {
  return find_entry(engines(), name, "engine",
                    [](const EngineEntry& entry) { return entry.applies(); });
}

}  // namespace weft
