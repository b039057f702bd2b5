// device/late_fft: what cuFFT asks of its callers, and transforms line by line, in packed copies.

#include "weft/device/late_fft.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <cstring>
#include <limits>
#include <vector>

#include "weft/base/ensure.hpp"
#include "weft/fft/engine.hpp"

namespace weft {

namespace {

using Complex = std::complex<double>;

constexpr int success = 0, invalid_type = 3, invalid_value = 4, invalid_size = 8;

// The numbers of cufftType.
constexpr int complex_to_complex = 0x29, real_to_complex = 0x2a, complex_to_real = 0x2c,
              doubled = 0x40;

// Transforms all lines along an axis of packed points, of all transforms.
void transform_along(std::vector<std::vector<Complex>>& batch, std::int64_t n, std::int64_t stride,
                     int sign) {
  Lines lines;
  lines.sign = sign;
  lines.n = n;
  std::vector<Complex> in(static_cast<std::size_t>(n)), out(in.size());
  const auto kernel = find_engine("").make()->make(lines, in.data(), out.data(), Effort::estimate);
  PrefetchQueue nothing;
  for (std::vector<Complex>& numbers : batch)
    for (std::size_t first = 0; first < numbers.size(); ++first) {
      if (static_cast<std::int64_t>(first) / stride % n != 0) continue;
      for (std::size_t i = 0; i < in.size(); ++i)
        in[i] = numbers[first + i * static_cast<std::size_t>(stride)];
      kernel->run(in.data(), out.data(), nothing);
      for (std::size_t i = 0; i < in.size(); ++i)
        numbers[first + i * static_cast<std::size_t>(stride)] = out[i];
    }
}

}  // namespace

// Transforms, where their points are, and their arithmetic.
struct LateFftLayout {
  // Where an array has the points of transforms.
  struct Side {
    std::array<std::int64_t, 3> points{};  // that are stored, the slowest axis first
    std::array<std::int64_t, 3> held{};
    std::int64_t stride = 1, distance = 0;
    bool is_real = false;
  };

  int axes = 0, type = 0;
  std::array<std::int64_t, 3> points{};
  Side in, out;
  std::int64_t batch = 1;
  bool keeps_sources = true;

  bool is_single() const { return type < doubled; }
  int kind() const { return is_single() ? type : type - doubled; }
  std::int64_t real_bytes() const { return is_single() ? 4 : 8; }
  std::int64_t bytes_of(const Side& side) const { return (side.is_real ? 1 : 2) * real_bytes(); }
  // From the first byte of an array to the last one of its last point.
  std::int64_t span(const Side& side) const {
    std::int64_t last = (batch - 1) * side.distance, step = side.stride;
    for (auto a = static_cast<std::size_t>(axes); a-- > 0; step *= side.held.at(a))
      last += (side.points.at(a) - 1) * step;
    return (last + 1) * bytes_of(side);
  }

  // Whether points, or rows of points that are halved, lie at the same bytes on both sides.
  bool may_be_in_place() const {
    const bool is_complex = kind() == complex_to_complex;
    // Rows of real numbers are those of the spectra if points are adjacent.
    if (in.stride != out.stride || (!is_complex && in.stride != 1)) return false;
    std::int64_t in_step = in.stride * bytes_of(in), out_step = out.stride * bytes_of(out);
    for (auto a = static_cast<std::size_t>(axes - 1); a > 0; --a) {
      in_step *= in.held.at(a);
      out_step *= out.held.at(a);
      if (in_step != out_step) return false;
    }
    return batch == 1 || in.distance * bytes_of(in) == out.distance * bytes_of(out);
  }

  // Calls visit(transform, number in row-major order, element) for all points of a side.
  template <class Visit>
  void visit_points(const Side& side, const Visit& visit) const {
    std::int64_t all = 1;
    for (int a = 0; a < axes; ++a) all *= side.points.at(static_cast<std::size_t>(a));
    for (std::int64_t b = 0; b < batch; ++b)
      for (std::int64_t number = 0; number < all; ++number) {
        std::int64_t rest = number, element = b * side.distance, step = side.stride;
        for (auto a = static_cast<std::size_t>(axes); a-- > 0; step *= side.held.at(a)) {
          element += rest % side.points.at(a) * step;
          rest /= side.points.at(a);
        }
        visit(static_cast<std::size_t>(b), number, element);
      }
  }
  template <class Real>
  void spoil(const Side& side, Real* array) const {
    const Real nan = std::numeric_limits<Real>::quiet_NaN();
    visit_points(side, [&](std::size_t, std::int64_t, std::int64_t element) {
      if (side.is_real)
        array[element] = nan;
      else
        array[2 * element] = array[2 * element + 1] = nan;
    });
  }

  // The points of all transforms, all of them complex.
  template <class Real>
  std::vector<std::vector<Complex>> loaded(const Real* from) const {
    std::int64_t all = 1;
    for (int a = 0; a < axes; ++a) all *= points.at(static_cast<std::size_t>(a));
    std::vector<std::vector<Complex>> numbers(static_cast<std::size_t>(batch),
                                              std::vector<Complex>(static_cast<std::size_t>(all)));
    visit_points(in, [&](std::size_t b, std::int64_t number, std::int64_t element) {
      const auto at = [&](std::int64_t place) -> Complex& {
        return numbers[b][static_cast<std::size_t>(place)];
      };
      const Complex value = in.is_real ? Complex(static_cast<double>(from[element]))
                                       : Complex(static_cast<double>(from[2 * element]),
                                                 static_cast<double>(from[2 * element + 1]));
      if (kind() != complex_to_real) {
        at(number) = value;
        return;
      }
      // The other half is the conjugate, at the opposite wave numbers.
      const auto last = static_cast<std::size_t>(axes - 1);
      const std::int64_t n = points.at(last), k = number % in.points.at(last);
      std::int64_t rows = number / in.points.at(last), mirror = 0, step = 1;
      at(rows * n + k) = value;
      for (auto a = last; a-- > 0; step *= points.at(a)) {
        mirror += (points.at(a) - rows % points.at(a)) % points.at(a) * step;
        rows /= points.at(a);
      }
      if (k > 0 && 2 * k != n) at(mirror * n + n - k) = std::conj(value);
    });
    return numbers;
  }

  // Points of the target are lost before the first is stored, as are those of a source that may be
  // destroyed: a library stores between the steps of a transform.
  template <class Real>
  void run(Real* from, Real* to, int sign) const {
    if (from != to) spoil(out, to);
    std::vector<std::vector<Complex>> numbers = loaded(from);
    if (from == to || kind() == complex_to_real || !keeps_sources) spoil(in, from);
    std::int64_t stride = 1;
    for (auto a = static_cast<std::size_t>(axes); a-- > 0; stride *= points.at(a))
      transform_along(numbers, points.at(a), stride, sign);
    const auto last = static_cast<std::size_t>(axes - 1);
    visit_points(out, [&](std::size_t b, std::int64_t number, std::int64_t element) {
      const std::int64_t stored = out.points.at(last);
      const Complex value =
          numbers[b][static_cast<std::size_t>(number / stored * points.at(last) + number % stored)];
      if (out.is_real) {
        to[element] = static_cast<Real>(value.real());
        return;
      }
      to[2 * element] = static_cast<Real>(value.real());
      to[2 * element + 1] = static_cast<Real>(value.imag());
    });
  }
};

// What a handle is the address of.
struct LateFftPlan : LateFftLayout {
  LateFft* fft = nullptr;
  int device = 0;
  bool allocates_itself = true, is_made = false;
  std::int64_t workspace_bytes = 0;
  std::byte* workspace = nullptr;
  DeviceStream stream;
  int under_way = 0;  // transforms that its stream has not done

  // A library can be used only in the context of the plan's device.
  static LateFft& library() {
    ensure(LateFft::entered != nullptr, "latefft is called outside of a context");
    return *LateFft::entered;
  }
  static LateFftPlan& checked(LateFftPlan* plan) {
    ensure(plan != nullptr && &library() == plan->fft, "no plan of latefft");
    ensure(plan->fft->driver_.selected() == plan->device, "latefft: another device is selected");
    return *plan;
  }

  static int create(LateFftPlan** plan) {
    LateFft& fft = library();
    auto* const made = new LateFftPlan;
    made->fft = &fft;
    made->device = fft.driver_.selected();
    ++fft.plans_;
    return *plan = made, success;
  }
  static int destroy(LateFftPlan* plan) {
    ensure(checked(plan).under_way == 0, "latefft: a plan is destroyed before its transforms end");
    --plan->fft->plans_;
    delete plan;
    return success;
  }
  static int allocate_itself(LateFftPlan* plan, int does) {
    ensure(!checked(plan).is_made, "latefft: allocation is decided on after the plan is made");
    plan->allocates_itself = does != 0;
    return success;
  }

  // Where an array has its points, as callers tell it.
  template <class Number>
  struct Told {
    const Number* held;
    Number stride, distance;
  };
  template <class Number>
  static int set_side(const LateFftPlan& plan, const Told<Number>& told, Side& side) {
    std::copy_n(told.held, plan.axes, side.held.begin());
    side.stride = told.stride;
    side.distance = told.distance;
    side.points = plan.points;
    auto& last = side.points.at(static_cast<std::size_t>(plan.axes - 1));
    if (plan.kind() != complex_to_complex && !side.is_real) last = last / 2 + 1;
    if (side.stride < 1 || side.distance < 1) return invalid_value;
    for (std::size_t a = 0; a < static_cast<std::size_t>(plan.axes); ++a)
      if (side.points.at(a) < 1 || (a > 0 && side.held.at(a) < side.points.at(a)))
        return invalid_size;
    ensure(plan.span(side) / plan.bytes_of(side) <= std::numeric_limits<Number>::max(),
           "latefft: numbers of elements exceed their type");
    return success;
  }
  template <class Number>
  int make_with(const Told<Number>& from, const Told<Number>& to) {
    ensure(!is_made && !allocates_itself, "latefft: work areas are the caller's");
    // Without them, cuFFT disregards strides and distances.
    ensure(from.held != nullptr && to.held != nullptr, "latefft: extents of arrays are not given");
    if (kind() != complex_to_complex && kind() != real_to_complex && kind() != complex_to_real)
      return invalid_type;
    if (batch < 1) return invalid_size;
    in.is_real = kind() == real_to_complex;
    out.is_real = kind() == complex_to_real;
    if (const int status = set_side(*this, from, in); status != success) return status;
    if (const int status = set_side(*this, to, out); status != success) return status;
    const LateFft::Settings& settings = fft->settings_;
    if (settings.status_of_plans != success) return settings.status_of_plans;
    workspace_bytes = settings.workspace_factor * 2 * real_bytes() * batch;
    for (int a = 0; a < axes; ++a) workspace_bytes *= points.at(static_cast<std::size_t>(a));
    keeps_sources = settings.keeps_sources;
    is_made = true;
    return success;
  }
  template <class Number>
  static auto maker() {
    return [](LateFftPlan* plan, int axes, Number* points, Number* in, Number in_stride,
              Number in_distance, Number* out, Number out_stride, Number out_distance, int type,
              Number batch, std::size_t* workspace_bytes) {
      LateFftPlan& made = checked(plan);
      if (axes < 1 || axes > 3) return invalid_value;
      std::copy_n(points, axes, made.points.begin());
      made.axes = axes;
      made.type = type;
      made.batch = batch;
      const int status =
          made.make_with<Number>({in, in_stride, in_distance}, {out, out_stride, out_distance});
      *workspace_bytes = static_cast<std::size_t>(made.workspace_bytes);
      return status;
    };
  }

  static int use_stream(LateFftPlan* plan, void* stream) {
    const std::string why_not = checked(plan).fft->driver_.why_not_in({stream});
    ensure(why_not.empty(), "latefft: ", why_not);
    plan->stream = {stream};
    return success;
  }
  static int use_workspace(LateFftPlan* plan, void* memory) {
    LateFftPlan& used = checked(plan);
    ensure(used.is_made && used.workspace_bytes > 0, "latefft: no work area is needed");
    used.workspace = static_cast<std::byte*>(memory);
    ensure(reinterpret_cast<std::uintptr_t>(memory) % 256 == 0, "latefft: work area not aligned");
    used.require_on_device(used.workspace, used.workspace_bytes);
    return success;
  }

  void require_on_device(const std::byte* begin, std::int64_t bytes) const {
    for (const std::byte* const address : {begin, begin + bytes - 1}) {
      const MemoryPlace place = fft->driver_.place_of(address);
      ensure(place.kind == Memory::managed ||
                 (place.kind == Memory::device && fft->driver_.reaches(device, place.device)),
             "latefft works on memory that is not the device's", static_cast<int>(place.kind));
    }
  }

  int execute(int with, void* from, void* to, int sign) {
    ensure(is_made && stream.handle != nullptr, "latefft: a plan that is not complete");
    if (with != type) return invalid_type;
    ensure(sign == -1 || sign == 1, sign);
    ensure(workspace != nullptr || workspace_bytes == 0, "latefft has no work area");
    const auto* const begin = static_cast<const std::byte*>(from);
    const auto* const target = static_cast<const std::byte*>(to);
    for (const auto& [array, bytes] : {std::pair(begin, span(in)), std::pair(target, span(out))}) {
      ensure(
          reinterpret_cast<std::uintptr_t>(array) % static_cast<std::uintptr_t>(2 * real_bytes()) ==
              0,
          "latefft: an array is not aligned to complex numbers");
      require_on_device(array, bytes);
      ensure(array + bytes <= workspace || workspace + workspace_bytes <= array,
             "latefft: an array is in the work area");
    }
    ensure(from != to || may_be_in_place(), "latefft works in place, with other strides");
    if (const int status = fft->settings_.status_of_runs; status != success) return status;
    ++fft->enqueued_;
    // What is captured is under way only when somebody launches it.
    const int counted = fft->driver_.capture_of(stream) == Capture::none ? 1 : 0;
    under_way += counted;
    fft->driver_.enqueue(stream, [this, from, to, sign, counted] {
      if (workspace_bytes > 0)
        std::memset(workspace, 0xff, static_cast<std::size_t>(workspace_bytes));
      is_single() ? run(static_cast<float*>(from), static_cast<float*>(to), sign)
                  : run(static_cast<double*>(from), static_cast<double*>(to), sign);
      under_way -= counted;
    });
    return success;
  }
  template <int type>
  static int execute_complex(LateFftPlan* plan, void* in, void* out, int sign) {
    return checked(plan).execute(type, in, out, sign);
  }
  template <int type>
  static int execute_real(LateFftPlan* plan, void* in, void* out) {
    const bool is_forward = type == real_to_complex || type == real_to_complex + doubled;
    return checked(plan).execute(type, in, out, is_forward ? -1 : 1);
  }

  static FftFunctions<LateFftPlan*> functions() {
    FftFunctions<LateFftPlan*> all;
    all.version = [](int* version) { return *version = 12003, success; };
    all.create = create;
    all.destroy = destroy;
    all.allocate_itself = allocate_itself;
    all.make = maker<int>();
    all.make_large = maker<long long>();
    all.use_workspace = use_workspace;
    all.use_stream = use_stream;
    all.single_c2c = execute_complex<complex_to_complex>;
    all.double_c2c = execute_complex<complex_to_complex + doubled>;
    all.single_r2c = execute_real<real_to_complex>;
    all.double_r2c = execute_real<real_to_complex + doubled>;
    all.single_c2r = execute_real<complex_to_real>;
    all.double_c2r = execute_real<complex_to_real + doubled>;
    return all;
  }
};

LateFft::LateFft(LateDriver& driver, const Settings& settings)
    : driver_(driver),
      settings_(settings),
      library_({"latefft", {}, 1000, true}, LateFftPlan::functions(), contexts_) {}

}  // namespace weft
