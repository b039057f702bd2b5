// fft/fftw_guest: an application that uses FFTW itself and weft's engines notice nothing of each
// other: not the number of threads, not the wisdom, and not fftw_cleanup.

#include <fftw3.h>
#include <gtest/gtest.h>

#include <complex>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "weft/fft/engine.hpp"

using namespace weft;

namespace {

using Values = std::vector<std::complex<double>>;

std::string wisdom() {
  const std::unique_ptr<char, void (*)(void*)> text(fftw_export_wisdom_to_string(), fftw_free);
  return text.get();
}

int parallel_loops = 0;

// FFTW calls it where it would start threads.
void run_loop(void* (*work)(char*), char* jobs, std::size_t bytes, int count, void*) {
  ++parallel_loops;
  for (int i = 0; i < count; ++i) work(jobs + static_cast<std::size_t>(i) * bytes);
}

constexpr std::int64_t points = 128, lines = 512;

std::unique_ptr<Kernel> kernel_of(Engine& engine, Values& in, Values& out, Effort effort) {
  return engine.make(
      {LineKind::c2c, Precision::double_precision, -1, points, 1, 1, {{lines, points, points}}},
      in.data(), out.data(), effort);
}

// Checks the transform of one wave in every line.
void expect_right(Kernel& kernel, Values& in, Values& out) {
  for (std::int64_t i = 0; i < lines * points; ++i)
    in[static_cast<std::size_t>(i)] =
        std::polar(1.0, 2 * std::numbers::pi * static_cast<double>(3 * i % points) / points);
  PrefetchQueue no_prefetches;
  kernel.run(in.data(), out.data(), no_prefetches);
  for (std::int64_t i = 0; i < lines * points; ++i)
    ASSERT_NEAR(std::abs(out[static_cast<std::size_t>(i)] - (i % points == 3 ? 1.0 * points : 0.0)),
                0, 1e-11)
        << i;
}

class FftwGuest : public ::testing::TestWithParam<std::string> {
 protected:
  Values in_ = Values(lines * points), out_ = Values(lines * points);
  std::unique_ptr<Engine> engine_ = find_engine(GetParam()).make();
};

std::vector<std::string> engines_with_fftw() {
  std::vector<std::string> names;
  for (const char* name : {"fftw", "weft"})
    for (const EngineEntry& entry : engines())
      if (entry.name == name && !entry.applies()) names.push_back(name);
  return names;
}

fftw_plan plan_of_application(Values& in, Values& out) {
  const fftw_iodim64 n{points, 1, 1}, loop{lines, points, points};
  return fftw_plan_guru64_dft(1, &n, 1, &loop, reinterpret_cast<fftw_complex*>(in.data()),
                              reinterpret_cast<fftw_complex*>(out.data()), FFTW_FORWARD,
                              FFTW_ESTIMATE);
}

}  // namespace

TEST_P(FftwGuest, has_its_own_number_of_threads) {
  ASSERT_NE(fftw_init_threads(), 0);
  fftw_threads_set_callback(run_loop, nullptr);
  fftw_plan_with_nthreads(2);
  const fftw_plan theirs = plan_of_application(in_, out_);
  fftw_execute(theirs);
  EXPECT_GT(parallel_loops, 0) << "the application's own plan runs two threads";
  fftw_destroy_plan(theirs);
  parallel_loops = 0;
  for (Effort effort : {Effort::estimate, Effort::measure}) {
    const auto kernel = kernel_of(*engine_, in_, out_, effort);
    parallel_loops = 0;
    expect_right(*kernel, in_, out_);
    EXPECT_EQ(parallel_loops, 0);
    EXPECT_EQ(fftw_planner_nthreads(), 2);
  }
  fftw_cleanup_threads();
}

TEST_P(FftwGuest, leaves_no_wisdom_and_takes_none_away) {
  fftw_forget_wisdom();
  const std::string none = wisdom();
  const auto first = kernel_of(*engine_, in_, out_, Effort::measure);
  EXPECT_EQ(wisdom(), none);
  fftw_destroy_plan(plan_of_application(in_, out_));
  const std::string theirs = wisdom();
  EXPECT_NE(theirs, none);
  const auto second = kernel_of(*engine_, in_, out_, Effort::measure);
  EXPECT_EQ(wisdom(), theirs);
}

TEST_P(FftwGuest, survives_the_cleanup_of_the_application) {
  const auto caveat = find_engine(GetParam()).caveat();
  if (caveat) GTEST_SKIP() << *caveat;
  auto kernel = kernel_of(*engine_, in_, out_, Effort::measure);
  fftw_cleanup();
  expect_right(*kernel, in_, out_);
  kernel.reset();
  kernel = kernel_of(*engine_, in_, out_, Effort::estimate);
  expect_right(*kernel, in_, out_);
}

INSTANTIATE_TEST_SUITE_P(All, FftwGuest, ::testing::ValuesIn(engines_with_fftw()),
                         [](const auto& name) { return name.param; });
