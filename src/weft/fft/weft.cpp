// fft/weft: the engine that uses weft's own lanes where they are faster, and FFTW for other lines.

#include "weft/fft/engine.hpp"
#include "weft/fft/lanes.hpp"

namespace weft {

namespace {

class Weft : public Engine {
 public:
  std::unique_ptr<Kernel> make(const Lines& lines, void* in, void* out, Effort effort) override {
    auto lanes = make_lanes(lines);
    return lanes != nullptr ? std::move(lanes) : fftw_->make(lines, in, out, effort);
  }
  bool keeps_columns(std::int64_t n) const override { return are_lanes_worthwhile(n); }

 private:
  std::unique_ptr<Engine> fftw_ = fftw_entry().make();
};

std::optional<std::string> applies() {
  if (const auto reason = no_lanes()) return reason;
  return fftw_entry().applies();
}

}  // namespace

EngineEntry weft_entry() {
  return {"weft",
          "FFTW 3, and transforms of weft's own for AVX-512",
          applies,
          [] { return fftw_entry().version(); },
          [] { return fftw_entry().caveat(); },
          []() -> std::unique_ptr<Engine> { return std::make_unique<Weft>(); }};
}

}  // namespace weft
