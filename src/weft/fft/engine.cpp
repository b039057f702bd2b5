// fft/engine: the table of engines.

#include "weft/fft/engine.hpp"

#include "weft/base/table.hpp"

namespace weft {

namespace {

#if !defined(WEFT_HAVE_FFTW) || !defined(WEFT_HAVE_MKL)
EngineRow absent(const char* name, const char* summary, std::optional<std::string> (*reason)()) {
  return {name, summary, reason, [] { return std::string(); },
          []() -> std::unique_ptr<Engine> { return nullptr; }};
}
#endif

}  // namespace

#ifndef WEFT_HAVE_FFTW
EngineRow fftw_row() {
  return absent("fftw", "FFTW 3", []() -> std::optional<std::string> {
    return "this build has no FFTW (Debian: libfftw3-dev)";
  });
}
#endif

#ifndef WEFT_HAVE_MKL
EngineRow mkl_row() {
  return absent("mkl", "oneMKL", []() -> std::optional<std::string> {
    return "this build has no oneMKL (PyPI: mkl-devel)";
  });
}
#endif

const std::vector<EngineRow>& engines() {
  static const std::vector<EngineRow> table{weft_row(), fftw_row(), mkl_row()};
  return table;
}

const EngineRow& find_engine(const std::string& name) {
  return find_row(engines(), name, "engine", [](const EngineRow& row) { return row.applies(); });
}

}  // namespace weft
