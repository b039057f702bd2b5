// fft/engine: the table of engines.

#include "weft/fft/engine.hpp"

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

const std::vector<EngineEntry>& engines() {
  static const std::vector<EngineEntry> table{weft_entry(),    fftw_entry(),    mkl_entry(),
                                              weft512_entry(), weft256_entry(), weft128_entry()};
  return table;
}

const EngineEntry& find_engine(const std::string& name) {
  return find_entry(engines(), name, "engine",
                    [](const EngineEntry& entry) { return entry.applies(); });
}

}  // namespace weft
