// device/late_fft: line by line, in packed copies of the arrays.

#include "weft/device/late_fft.hpp"

#include <complex>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "weft/base/ensure.hpp"
#include "weft/device/fft_layout.hpp"
#include "weft/device/vendor_fft.hpp"

namespace weft {

namespace {

using Complex = std::complex<double>;

void check(int status, const char* what) {
  if (status == 0) return;
  throw Error(fft_refuses(status) ? Error::unsupported : Error::system,
              fmt::format("latefft: {}: {}", what, fft_status("latefft", status)));
}

// Calls visit(number in row-major order, element) for the points of one transform of a batch.
template <class Visit>
void visit_points(const std::array<std::int64_t, 3>& points, int axes, const FftLayout::Side& side,
                  std::int64_t begin, const Visit& visit) {
  std::int64_t all = 1;
  for (int a = 0; a < axes; ++a) all *= points.at(static_cast<std::size_t>(a));
  for (std::int64_t number = 0; number < all; ++number) {
    std::int64_t rest = number, element = 0, step = side.stride;
    for (int a = axes - 1; a >= 0; --a) {
      const auto at = static_cast<std::size_t>(a);
      element += rest % points.at(at) * step;
      rest /= points.at(at);
      step *= side.held.at(at);
    }
    visit(number, begin + element);
  }
}

// Transforms all lines along an axis of packed points.
void transform_along(std::vector<Complex>& numbers, std::int64_t n, std::int64_t stride, int sign) {
  Lines lines;
  lines.sign = sign;
  lines.n = n;
  std::vector<Complex> in(static_cast<std::size_t>(n)), out(in.size());
  const auto kernel = find_engine("").make()->make(lines, in.data(), out.data(), Effort::estimate);
  PrefetchQueue nothing;
  for (std::size_t first = 0; first < numbers.size(); ++first) {
    if (static_cast<std::int64_t>(first) / stride % n != 0) continue;
    for (std::size_t i = 0; i < in.size(); ++i)
      in[i] = numbers[first + i * static_cast<std::size_t>(stride)];
    kernel->run(in.data(), out.data(), nothing);
    for (std::size_t i = 0; i < in.size(); ++i)
      numbers[first + i * static_cast<std::size_t>(stride)] = out[i];
  }
}

// Whether points, or rows of points that are halved, lie at the same bytes on both sides.
bool is_in_place(const Lines& lines, const FftLayout& layout) {
  const bool from_real = lines.kind == LineKind::r2c, to_real = lines.kind == LineKind::c2r;
  const int in_numbers = from_real ? 1 : 2, out_numbers = to_real ? 1 : 2;  // of an element
  if (in_numbers == out_numbers && layout.in.stride != layout.out.stride) return false;
  std::int64_t in = layout.in.stride * in_numbers, out = layout.out.stride * out_numbers;
  for (int a = layout.axes - 1; a > 0; --a) {
    in *= layout.in.held.at(static_cast<std::size_t>(a));
    out *= layout.out.held.at(static_cast<std::size_t>(a));
    if (in != out) return false;
  }
  return layout.batch == 1 || layout.in.distance * in_numbers == layout.out.distance * out_numbers;
}

// All transforms of a layout, in numbers of type Real.
template <class Real>
void transform(const Lines& lines, const FftLayout& layout, void* in, void* out) {
  const auto last = static_cast<std::size_t>(layout.axes - 1);
  std::array<std::int64_t, 3> half = layout.points;
  half.at(last) = half.at(last) / 2 + 1;
  const bool from_half = lines.kind == LineKind::c2r, to_half = lines.kind == LineKind::r2c;
  std::int64_t all = 1;
  for (std::size_t a = 0; a <= last; ++a) all *= layout.points.at(a);
  std::vector<std::vector<Complex>> batch;
  // All is loaded before anything is stored: the arrays may be one.
  for (std::int64_t b = 0; b < layout.batch; ++b) {
    std::vector<Complex>& numbers = batch.emplace_back(static_cast<std::size_t>(all));
    visit_points(from_half ? half : layout.points, layout.axes, layout.in, b * layout.in.distance,
                 [&](std::int64_t number, std::int64_t element) {
                   if (to_half) {
                     numbers[static_cast<std::size_t>(number)] =
                         static_cast<double>(static_cast<Real*>(in)[element]);
                     return;
                   }
                   auto& value = static_cast<std::complex<Real>*>(in)[element];
                   // The other half is the conjugate, at the opposite wave numbers.
                   if (!from_half) {
                     numbers[static_cast<std::size_t>(number)] = value;
                   } else {
                     const std::int64_t n = layout.points.at(last), k = number % half.at(last);
                     std::int64_t rows = number / half.at(last), mirror = 0, step = 1;
                     numbers[static_cast<std::size_t>(rows * n + k)] = value;
                     for (std::size_t a = last; a-- > 0;) {
                       const std::int64_t extent = layout.points.at(a), at = rows % extent;
                       mirror += (extent - at) % extent * step;
                       rows /= extent;
                       step *= extent;
                     }
                     if (k > 0 && 2 * k != n)
                       numbers[static_cast<std::size_t>(mirror * n + n - k)] = std::conj(value);
                     const Real nan = std::numeric_limits<Real>::quiet_NaN();
                     if (in != out) value = {nan, nan};
                   }
                 });
    std::int64_t stride = 1;
    for (std::size_t a = last + 1; a-- > 0;) {
      transform_along(numbers, layout.points.at(a), stride, lines.sign);
      stride *= layout.points.at(a);
    }
  }
  for (std::int64_t b = 0; b < layout.batch; ++b) {
    const std::vector<Complex>& numbers = batch[static_cast<std::size_t>(b)];
    const std::int64_t n = layout.points.at(last), stored = to_half ? half.at(last) : n;
    visit_points(to_half ? half : layout.points, layout.axes, layout.out, b * layout.out.distance,
                 [&](std::int64_t number, std::int64_t element) {
                   const Complex value =
                       numbers[static_cast<std::size_t>(number / stored * n + number % stored)];
                   if (from_half)
                     static_cast<Real*>(out)[element] = static_cast<Real>(value.real());
                   else
                     static_cast<std::complex<Real>*>(out)[element] = std::complex<Real>(value);
                 });
  }
}

}  // namespace

class LateFft::Transform : public DeviceTransform {
 public:
  Transform(LateFft& fft, const Lines& lines, DeviceStream stream)
      : fft_(fft), lines_(lines), stream_(stream) {
    const std::optional<FftLayout> layout = fft_layout(lines);
    if (!layout) throw Error(Error::unsupported, "latefft has no transform of such lines");
    layout_ = *layout;
    std::int64_t bytes = number_bytes() * layout_.batch;
    for (int a = 0; a < layout_.axes; ++a) bytes *= layout_.points.at(static_cast<std::size_t>(a));
    workspace_bytes_ = fft.settings_.workspace_factor * bytes;
  }

  std::int64_t workspace_bytes() const override { return workspace_bytes_; }
  void use_workspace(void* workspace) override { workspace_ = workspace; }
  void enqueue(void* in, void* out) override {
    check(fft_.settings_.status_of_runs, "cannot enqueue a transform");
    ensure(workspace_ != nullptr || workspace_bytes_ == 0);
    for (const void* const array : {in, out})
      ensure(reinterpret_cast<std::uintptr_t>(array) % number_bytes() == 0, "it is not aligned");
    ensure(in != out || is_in_place(lines_, layout_), "it works in place, with other strides");
    ++fft_.enqueued_;
    fft_.driver_.enqueue(stream_, [this, in, out] {
      std::memset(workspace_, 0xff, static_cast<std::size_t>(workspace_bytes_));
      if (lines_.precision == Precision::single_precision)
        transform<float>(lines_, layout_, in, out);
      else
        transform<double>(lines_, layout_, in, out);
    });
  }

 private:
  std::int64_t number_bytes() const { return Scalar{lines_.precision, true}.bytes(); }

  LateFft& fft_;
  Lines lines_;
  FftLayout layout_;
  DeviceStream stream_;
  std::int64_t workspace_bytes_ = 0;
  void* workspace_ = nullptr;
};

std::unique_ptr<DeviceTransform> LateFft::make(const Lines& lines, DeviceStream stream) {
  check(settings_.status_of_plans, "cannot make a plan");
  ++made_;
  return std::make_unique<Transform>(*this, lines, stream);
}

}  // namespace weft
