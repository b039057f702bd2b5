// fft/lanes/end_factors: walks over the ends of the lines.

#include "weft/fft/lanes/end_factors.hpp"

#include <utility>

namespace weft {

namespace {

// One side of the lines, with strides in real numbers.
struct End {
  std::int64_t offset;  // from the first value of a line
  double factor;
  bool of_input;
};

template <class Real>
class EndFactors : public Kernel {
 public:
  EndFactors(std::unique_ptr<Kernel> kernel, const Lines& lines)
      : kernel_(std::move(kernel)), loops_(lines.loops) {
    const LineTransform& line = lines.real;
    const std::int64_t last = lines.n - 1;
    for (const End& end :
         {End{0, line.first_in, true}, End{last * lines.in_stride, line.last_in, true},
          End{0, line.first_out, false}, End{last * lines.out_stride, line.last_out, false}})
      if (end.factor != 1) ends_.push_back(end);
  }

  void run(void* in, void* out, PrefetchQueue& queue) override {
    multiply(static_cast<Real*>(in), true);
    kernel_->run(in, out, queue);
    multiply(static_cast<Real*>(out), false);
  }
  bool suits(const void* in, const void* out) const override { return kernel_->suits(in, out); }

 private:
  void multiply(Real* values, bool of_input) const {
    for (const End& end : ends_)
      if (end.of_input == of_input)
        multiply(values + end.offset, static_cast<Real>(end.factor), of_input, 0);
  }
  void multiply(Real* values, Real factor, bool of_input, std::size_t level) const {
    if (level == loops_.size()) {
      *values *= factor;
      return;
    }
    const Lines::Loop& loop = loops_[level];
    const std::int64_t stride = of_input ? loop.in_stride : loop.out_stride;
    for (std::int64_t i = 0; i < loop.count; ++i)
      multiply(values + i * stride, factor, of_input, level + 1);
  }

  std::unique_ptr<Kernel> kernel_;
  std::vector<Lines::Loop> loops_;
  std::vector<End> ends_;
};

}  // namespace

std::unique_ptr<Kernel> with_end_factors(std::unique_ptr<Kernel> kernel, const Lines& lines) {
  const LineTransform& line = lines.real;
  const bool has_factors =
      line.first_in != 1 || line.last_in != 1 || line.first_out != 1 || line.last_out != 1;
  if (lines.kind != LineKind::r2r || !has_factors) return kernel;
  if (lines.precision == Precision::single_precision)
    return std::make_unique<EndFactors<float>>(std::move(kernel), lines);
  return std::make_unique<EndFactors<double>>(std::move(kernel), lines);
}

}  // namespace weft
