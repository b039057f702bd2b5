// bench/gpu/device_bench: times weft's passes on a device, beside copies of as many bytes and
// cuFFT's own plan, in turn in one run.
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

#include "device_peers.hpp"
#include "device_plan.hpp"
#include "weft/device/late.hpp"
#include "weft/error.hpp"

using namespace weft;
using namespace weft::bench;
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
  return problem;
}

// A field with one wave: its spectrum is a single number, which every wrong step changes.
template <class Real>
std::vector<std::byte> wave(const Problem& problem, const Extents& k) {
  const bool is_complex = problem.input_scalar().is_complex;
  std::vector<Real> values;
  const std::int64_t points = volume(problem.extents);
  for (std::int64_t i = 0; i < points; ++i) {
    double turns = 0;
    std::int64_t rest = i;
    for (int a = problem.extents.size() - 1; a >= 0; --a) {
      const std::int64_t n = problem.extents[a];
      turns += static_cast<double>(rest % n * k[a] % n) / static_cast<double>(n);
      rest /= n;
    }
    const std::complex<double> value = std::polar(1.0, 2 * M_PI * turns);
    values.push_back(static_cast<Real>(value.real()));
    if (is_complex) values.push_back(static_cast<Real>(value.imag()));
  }
  std::vector<std::byte> bytes(values.size() * sizeof(Real));
  std::memcpy(bytes.data(), values.data(), bytes.size());
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

Json measured(DeviceDriver& driver, const std::string& field, int runs) {
  const Problem problem = problem_of(field);
  const bool is_single = problem.precision == Precision::single_precision;
  const DevicePlan plan(driver, problem, true);
  const DeviceStream stream = driver.make_stream(0);

  // First whether it is right.
  Extents k = problem.extents;
  for (int a = 0; a < k.size(); ++a)
    k[a] = std::min<std::int64_t>(a + 1, (problem.extents[a] - 1) / 2);
  const std::vector<std::byte> in = is_single ? wave<float>(problem, k) : wave<double>(problem, k);
  std::vector<std::byte> out(static_cast<std::size_t>(plan.target_bytes()));
  driver.copy(stream, plan.source(), in.data(), plan.source_bytes());
  for (std::size_t p = 0; p < plan.passes(); ++p) plan.enqueue(stream, p);
  driver.copy(stream, out.data(), plan.target(), plan.target_bytes());
  driver.await(stream);
  const double error =
      is_single ? error_of<float>(problem, k, out) : error_of<double>(problem, k, out);

  std::string why_not;
  const bool has_peer = dynamic_cast<LateDriver*>(&driver) == nullptr;
  const auto cufft = has_peer ? CufftPlan::of(problem, why_not) : nullptr;
  const std::int64_t copied = std::min(plan.source_bytes(), plan.target_bytes());
  std::vector<double> copies, all, peers;
  std::vector<std::vector<double>> passes(plan.passes());
  for (int run = 0; run < runs + 1; ++run) {
    const bool counts = run > 0;  // the first run is a rehearsal
    const auto note = [&](std::vector<double>& times, const std::function<void()>& enqueue) {
      const double time = milliseconds_of(driver, stream, enqueue);
      if (counts) times.push_back(time);
    };
    note(copies, [&] { driver.copy(stream, plan.target(), plan.source(), copied); });
    note(all, [&] {
      for (std::size_t p = 0; p < plan.passes(); ++p) plan.enqueue(stream, p);
    });
    for (std::size_t p = 0; p < plan.passes(); ++p)
      note(passes[p], [&] { plan.enqueue(stream, p); });
    if (cufft) note(peers, [&] { cufft->enqueue(stream, plan.source(), plan.target()); });
  }
  driver.destroy(stream);

  const auto rate = [](std::int64_t bytes, double time) {
    return static_cast<double>(bytes) / time / 1e6;
  };
  const double copy_rate = rate(2 * copied, median(copies));
  Json json{{"field", field}, {"error", error}, {"runs", runs}, {"copy_gb_per_s", copy_rate}};
  json["milliseconds"] = median(all);
  std::int64_t bytes = 0;
  for (std::size_t p = 0; p < plan.passes(); ++p) {
    bytes += plan.bytes_of(p);
    const double time = median(passes[p]), speed = rate(plan.bytes_of(p), time);
    json["passes"].push_back({{"name", plan.name_of(p)},
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
    LateDriver late({});
    DeviceDriver& driver = name == "late" ? late : find_driver(name).get();
    const DeviceTraits traits = driver.traits(driver.selected());
    std::cout << Json{{"device", traits.name},
                      {"memory_bytes", traits.memory_bytes},
                      {"processors", traits.processors},
                      {"shared_bytes", traits.shared_bytes}}
              << std::endl;
    int failed = 0;
    for (const std::string& field : fields) {
      try {
        const Json json = measured(driver, field, runs);
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
