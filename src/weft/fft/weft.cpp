// fft/weft: the engines that use weft's own lanes where they are faster, and libraries for other
// lines.

#include <algorithm>
#include <utility>
#include <vector>

#include "weft/base/ensure.hpp"
#include "weft/fft/engine.hpp"
#include "weft/fft/lanes/lanes.hpp"
#include "weft/fft/mkl_accuracy.hpp"

namespace weft {

namespace {

class Weft : public Engine {
 public:
  // Lanes of the first of these widths, in bits, that are worthwhile.
  explicit Weft(std::vector<int> widths) : widths_(std::move(widths)) {}
  std::unique_ptr<Kernel> make(const Lines& lines, void* in, void* out, Effort effort) override {
    auto lanes = make_own(lines);
    return lanes != nullptr ? std::move(lanes) : library_for(lines).make(lines, in, out, effort);
  }
  std::unique_ptr<Kernel> make_own(const Lines& lines) override {
    for (const int bits : widths_)
      if (auto lanes = make_lanes(lines, bits)) return lanes;
    return nullptr;
  }
  bool keeps_columns(std::int64_t n, Basis sums) const override {
    return std::any_of(widths_.begin(), widths_.end(),
                       [&](int bits) { return are_lanes_worthwhile(n, bits, sums); });
  }

 private:
  Engine& library_for(const Lines& lines) {
    const bool takes_mkl = mkl_ != nullptr && lines.kind != LineKind::r2r && is_mkl_best(lines.n);
    return takes_mkl ? *mkl_ : *fftw_;
  }

  std::vector<int> widths_;
  std::unique_ptr<Engine> fftw_ = fftw_entry().make();
  std::unique_ptr<Engine> mkl_ = mkl_entry().make();  // none in a build without oneMKL
};

template <int bits>
std::optional<std::string> applies() {
  if (auto reason = no_lanes(bits)) return reason;
  return fftw_entry().applies();
}

template <int bits>
EngineEntry entry_of() {
  return {fmt::format("weft{}", bits),
          fmt::format(
              "transforms of weft's own with {} bits; for other lines FFTW 3, and oneMKL at primes "
              "from 100 on",
              bits),
          applies<bits>,
          [] { return fftw_entry().version(); },
          [] { return fftw_entry().caveat(); },
          []() -> std::unique_ptr<Engine> { return std::make_unique<Weft>(std::vector{bits}); }};
}

}  // namespace

EngineEntry weft_entry() {
  EngineEntry entry = entry_of<0>();
  entry.name = "weft";
  entry.summary =
      "transforms of weft's own for AVX-512 and AVX2; for other lines FFTW 3, and oneMKL at primes "
      "from 100 on";
  entry.applies = []() -> std::optional<std::string> {
    if (usual_lane_width() == 0) return no_lanes(256).value_or("this processor has no AVX2");
    return fftw_entry().applies();
  };
  entry.make = []() -> std::unique_ptr<Engine> {
    // Narrower lanes need less of the cache for lines that are too long for wide ones.
    constexpr int narrower = 256;
    std::vector<int> widths{usual_lane_width()};
    if (widths.front() > narrower) widths.push_back(narrower);
    return std::make_unique<Weft>(std::move(widths));
  };
  return entry;
}
EngineEntry weft512_entry() { return entry_of<512>(); }
EngineEntry weft256_entry() { return entry_of<256>(); }
EngineEntry weft128_entry() { return entry_of<128>(); }

}  // namespace weft
