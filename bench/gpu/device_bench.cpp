// bench/gpu/device_bench: times weft's plans of one process on a device, and of each of their axes
// alone, beside copies of as many bytes and cuFFT's own plan, in turn in one run.
//
//   device_bench [--driver cuda|late] [--runs N] FIELD...
//
// FIELD is 256x256x256, with -r2c, -single or both behind it. Prints a JSON object for each field,
// a line each: milliseconds (the median of N runs), gigabytes per second, ratios. Ends with 1 if a
// result is wrong or a field failed.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "weft/any_plan.hpp"
#include "weft/base/ensure.hpp"
#include "weft/device/device_buffer.hpp"
#include "weft/device/device_fft.hpp"
#include "weft/device/late.hpp"
#include "weft/error.hpp"
#include "weft/fft/whole_lines.hpp"

using namespace weft;
using Json = nlohmann::ordered_json;

namespace {

Problem problem_of(std::string text) {
  Problem problem;
  const auto takes = [&](const std::string& end) {
    if (!text.ends_with(end)) return false;
    text.resize(text.size() - end.size());
    return true;
  };
  if (takes("-single")) problem.precision = Precision::single_precision;
  if (takes("-r2c")) problem.kind = Kind::r2c;
  for (const char* at = text.c_str(); *at != '\0';) {
    std::int64_t points = 0;
    const auto [end, error] = std::from_chars(at, text.c_str() + text.size(), points);
    if (error != std::errc() || points < 1 || (*end != 'x' && *end != '\0'))
      throw Error(Error::invalid, fmt::format("'{}' is not a field", text),
                  "for example 256x256x256-r2c-single");
    problem.extents.push_back(points);
    at = *end == 'x' ? end + 1 : end;
  }
  problem.output.form = Distribution::same;
  return problem;
}

// The transforms of one axis that `problem` consists of, in the order in which they are run.
std::vector<Problem> axes_of(const Problem& problem) {
  std::vector<Problem> all;
  for (int a = problem.extents.size() - 1; a >= 0; --a) {
    Problem one = problem;
    one.axes = {a};
    one.in_place = !all.empty();
    if (problem.kind == Kind::r2c && !all.empty()) {
      one.kind = Kind::c2c;
      const int last = problem.extents.size() - 1;
      one.extents[last] = one.extents[last] / 2 + 1;
    }
    all.push_back(one);
  }
  return all;
}

// A plan of this process, and its arrays in memory of the device.
class Timed {
 public:
  Timed(const Problem& problem, const std::string& driver, DeviceStream stream)
      : plan_(problem, options_for(driver, stream)) {
    source_ = plan_.allocate(source_bytes(), Memory::device);
    target_ = problem.in_place ? source_ : plan_.allocate(target_bytes(), Memory::device);
  }

  std::int64_t source_bytes() const { return bytes_of(plan_.input()); }
  std::int64_t target_bytes() const { return bytes_of(plan_.output()); }
  std::byte* source() const { return source_.get(); }
  std::byte* target() const { return target_.get(); }
  void enqueue() { plan_.forward(source(), target()); }

 private:
  static Options options_for(const std::string& driver, DeviceStream stream) {
    Options options;
    options.engine = driver;
    options.stream = stream.handle;
    options.effort = Effort::estimate;  // nothing but weft's own kernels
    return options;
  }
  static std::int64_t bytes_of(const Share& share) { return share.elements * share.scalar.bytes(); }

  AnyPlan plan_;
  std::shared_ptr<std::byte> source_, target_;
};

// The plan of the vendor's library for a whole field, forward.
class Peer {
 public:
  // Error::unsupported without a library, or where it has no such transform.
  Peer(const Problem& problem, DeviceDriver& driver, DeviceStream stream) {
    WholeBox box;
    box.precision = problem.precision;
    box.real_extents = box.spectral_extents = problem.extents;
    for (int a = 0; a < problem.extents.size(); ++a) box.axes.push_back(a);
    if (problem.kind == Kind::r2c) {
      box.half_axis = problem.extents.size() - 1;
      box.spectral_extents.back() = problem.extents.back() / 2 + 1;
    }
    box.source_strides = Layout::packed(box.real_extents).strides;
    box.target_strides = Layout::packed(box.spectral_extents).strides;
    transform_ = driver.fft().make(whole_lines(box), stream);
    workspace_ = DeviceBuffer(driver, transform_->workspace_bytes());
    if (workspace_.bytes() > 0) transform_->use_workspace(workspace_.data());
  }
  void enqueue(void* source, void* target) { transform_->enqueue(source, target); }

 private:
  DeviceBuffer workspace_;
  std::unique_ptr<DeviceTransform> transform_;
};

// A field with one wave: its spectrum is a single number, which every wrong step changes. A point
// is a product of roots of unity, one for each axis.
template <class Real>
std::vector<std::byte> wave(const Problem& problem, const Extents& k) {
  using Complex = std::complex<double>;
  std::vector<Complex> values{1};
  for (int a = 0; a < problem.extents.size(); ++a) {
    const std::int64_t n = problem.extents[a];
    std::vector<Complex> roots, longer;
    for (std::int64_t i = 0; i < n; ++i)
      roots.push_back(
          std::polar(1.0, 2 * M_PI * static_cast<double>(i * k[a] % n) / static_cast<double>(n)));
    longer.reserve(values.size() * roots.size());
    for (const Complex& value : values)
      for (const Complex& root : roots) longer.push_back(value * root);
    values = std::move(longer);
  }
  const bool is_complex = problem.input_scalar().is_complex;
  std::vector<std::byte> bytes(values.size() * sizeof(Real) * (is_complex ? 2 : 1));
  std::byte* at = bytes.data();
  for (const Complex& value : values) {
    const Real parts[] = {static_cast<Real>(value.real()), static_cast<Real>(value.imag())};
    std::memcpy(at, parts, sizeof(Real) * (is_complex ? 2 : 1));
    at += sizeof(Real) * (is_complex ? 2 : 1);
  }
  return bytes;
}

// The largest error of the spectrum of a wave, relative to its largest number.
template <class Real>
double error_of(const Problem& problem, const Extents& k, const std::vector<std::byte>& result) {
  Extents spectrum = problem.extents;
  const int last = spectrum.size() - 1;
  const bool is_real = problem.kind == Kind::r2c;
  if (is_real) spectrum[last] = spectrum[last] / 2 + 1;
  std::int64_t at = 0;
  for (int a = 0; a <= last; ++a) at = at * spectrum[a] + k[a];
  const double peak = static_cast<double>(volume(problem.extents)) / (is_real ? 2 : 1);
  double error = 0;
  for (std::int64_t i = 0; i < volume(spectrum); ++i) {
    std::complex<Real> value;
    std::memcpy(&value, result.data() + i * static_cast<std::int64_t>(sizeof value), sizeof value);
    const double off = std::abs(std::complex<double>(value) - (i == at ? peak : 0.0)) / peak;
    if (!std::isnan(error) && !(off <= error)) error = off;
  }
  return error;
}

double milliseconds_of(DeviceDriver& driver, DeviceStream stream,
                       const std::function<void()>& enqueue) {
  driver.await(stream);
  const auto begin = std::chrono::steady_clock::now();
  enqueue();
  driver.await(stream);
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

Extents wave_numbers(const Problem& problem) {
  Extents k = problem.extents;
  for (int a = 0; a < k.size(); ++a)
    k[a] = std::min<std::int64_t>(a + 1, (problem.extents[a] - 1) / 2);
  return k;
}

template <class Real>
double error_of(Timed& whole, const Problem& problem, DeviceDriver& driver, DeviceStream stream) {
  const Extents k = wave_numbers(problem);
  const std::vector<std::byte> in = wave<Real>(problem, k);
  weft::copy(in.data(), whole.source(), whole.source_bytes());
  whole.enqueue();
  driver.await(stream);
  std::vector<std::byte> out(static_cast<std::size_t>(whole.target_bytes()));
  weft::copy(whole.target(), out.data(), whole.target_bytes());
  return error_of<Real>(problem, k, out);
}

Json measured(const std::string& name, DeviceDriver& driver, const std::string& field, int runs) {
  const Problem problem = problem_of(field);
  const DeviceStream stream = driver.make_stream(0);
  Timed whole(problem, name, stream);
  const double error = problem.precision == Precision::single_precision
                           ? error_of<float>(whole, problem, driver, stream)
                           : error_of<double>(whole, problem, driver, stream);
  std::vector<Timed> axes;
  for (const Problem& one : axes_of(problem)) axes.emplace_back(one, name, stream);

  std::string why_not;
  std::optional<Peer> cufft;
  try {
    cufft.emplace(problem, driver, stream);
  } catch (const Error& refusal) {
    why_not = refusal.message();
  }
  const std::int64_t copied = std::min(whole.source_bytes(), whole.target_bytes());
  std::vector<double> copies, all, peers;
  std::vector<std::vector<double>> each(axes.size());
  for (int run = 0; run < runs + 1; ++run) {
    const bool counts = run > 0;  // the first run is a rehearsal
    const auto note = [&](std::vector<double>& times, const std::function<void()>& enqueue) {
      const double time = milliseconds_of(driver, stream, enqueue);
      if (counts) times.push_back(time);
    };
    note(copies, [&] { driver.copy(stream, whole.target(), whole.source(), copied); });
    note(all, [&] { whole.enqueue(); });
    for (std::size_t a = 0; a < axes.size(); ++a) note(each[a], [&] { axes[a].enqueue(); });
    if (cufft) note(peers, [&] { cufft->enqueue(whole.source(), whole.target()); });
  }

  const auto rate = [](std::int64_t bytes, double time) {
    return static_cast<double>(bytes) / time / 1e6;
  };
  const double copy_rate = rate(2 * copied, median(copies));
  Json json{{"field", field}, {"error", error}, {"runs", runs}, {"copy_gb_per_s", copy_rate}};
  json["milliseconds"] = median(all);
  std::int64_t bytes = 0;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const std::int64_t walked = axes[a].source_bytes() + axes[a].target_bytes();
    const double time = median(each[a]), speed = rate(walked, time);
    bytes += walked;
    json["passes"].push_back({{"name", fmt::format("axis {}", axes.size() - 1 - a)},
                              {"milliseconds", time},
                              {"gb_per_s", speed},
                              {"of_copy", speed / copy_rate}});
  }
  json["floor_milliseconds"] = static_cast<double>(bytes) / copy_rate / 1e6;
  if (cufft) json["cufft_milliseconds"] = median(peers);
  if (cufft) json["of_cufft"] = median(all) / median(peers);
  if (!why_not.empty()) json["no_cufft"] = why_not;
  return json;
}

}  // namespace

int main(int argc, char** argv) {
  std::string name = "cuda";
  int runs = 10;
  std::vector<std::string> fields;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--driver" && i + 1 < argc)
      name = argv[++i];
    else if (word == "--runs" && i + 1 < argc)
      runs = std::max(1, std::atoi(argv[++i]));
    else
      fields.push_back(word);
  }
  try {
    if (name == "late") pretend_driver(late_entry(1));
    DeviceDriver& driver = find_driver(name).get();
    const DeviceTraits traits = driver.traits(driver.selected());
    std::cout << Json{{"device", traits.name},
                      {"memory_bytes", traits.memory_bytes},
                      {"processors", traits.processors},
                      {"shared_bytes", traits.shared_bytes}}
              << std::endl;
    int failed = 0;
    for (const std::string& field : fields) {
      try {
        const Json json = measured(name, driver, field, runs);
        std::cout << json << std::endl;
        const double limit = field.ends_with("-single") ? 1e-5 : 1e-12;
        if (!(json["error"].is_number() && json["error"].get<double>() <= limit)) ++failed;
      } catch (const std::exception& error) {
        std::cout << Json{{"field", field}, {"failed", error.what()}} << std::endl;
        ++failed;
      }
    }
    return failed == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
