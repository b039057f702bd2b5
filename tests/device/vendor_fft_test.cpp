// device/vendor_fft, device/fft_layout: what cuFFT and hipFFT are told, with functions of no
// vendor; and whether cuFFT, where it is installed, has them.

#include "weft/device/vendor_fft.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace weft;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

// What the library was asked for, and what it answers.
struct Asked {
  std::vector<std::string> calls;
  int plans = 0;            // that there are
  bool is_entered = false;  // the context of the device
  std::string failing;      // the name of a function that fails
  int status = 0;           // with which it does
};
Asked asked;

int call(const std::string& name, const std::string& with) {
  asked.calls.push_back(name + with);
  if (!asked.is_entered) asked.calls.emplace_back("outside of the device's context");
  return asked.failing == name ? asked.status : 0;
}

struct Contexts {
  struct Entered {
    Entered() { asked.is_entered = true; }
    Entered(const Entered&) = delete;
    Entered& operator=(const Entered&) = delete;
    ~Entered() { asked.is_entered = false; }
  };
  static Entered enter() { return {}; }
  static Entered enter_quietly() { return {}; }
};

template <class Number>
int make_many(const char* name, int axes, const Number* points, const Number* in, const Number* out,
              const std::vector<Number>& numbers) {
  const auto list = [axes](const Number* from) {
    return fmt::format("{}", fmt::join(from, from + axes, "x"));
  };
  return call(name, fmt::format(" {} in {} out {}: {}", list(points), list(in), list(out),
                                fmt::join(numbers, ",")));
}

FftFunctions<int> functions() {
  FftFunctions<int> all;
  all.version = [](int* version) { return *version = 11203, 0; };
  all.create = [](int* plan) {
    const int status = call("create", "");
    if (status == 0) ++asked.plans;
    return *plan = 7, status;
  };
  all.destroy = [](int plan) {
    --asked.plans;
    return call("destroy", fmt::format(" {}", plan));
  };
  all.allocate_itself = [](int, int does) { return call("allocate", fmt::format(" {}", does)); };
  all.make = [](int, int axes, int* n, int* in, int in_stride, int in_distance, int* out,
                int out_stride, int out_distance, int type, int batch, std::size_t* bytes) {
    *bytes = 4096;
    return make_many<int>("make", axes, n, in, out,
                          {in_stride, in_distance, out_stride, out_distance, type, batch});
  };
  all.make_large = [](int, int axes, long long* n, long long* in, long long in_stride,
                      long long in_distance, long long* out, long long out_stride,
                      long long out_distance, int type, long long batch, std::size_t* bytes) {
    *bytes = std::size_t{1} << 40;
    return make_many<long long>("make_large", axes, n, in, out,
                                {in_stride, in_distance, out_stride, out_distance, type, batch});
  };
  all.use_workspace = [](int, void* memory) {
    return call("workspace", fmt::format(" {}", memory));
  };
  all.use_stream = [](int, void* stream) { return call("stream", fmt::format(" {}", stream)); };
  all.single_c2c = [](int, void* in, void* out, int sign) {
    return call("C2C", fmt::format(" {} {} {}", in, out, sign));
  };
  all.double_c2c = [](int, void* in, void* out, int sign) {
    return call("Z2Z", fmt::format(" {} {} {}", in, out, sign));
  };
  all.single_r2c = [](int, void*, void*) { return call("R2C", ""); };
  all.double_r2c = [](int, void*, void*) { return call("D2Z", ""); };
  all.single_c2r = [](int, void*, void*) { return call("C2R", ""); };
  all.double_c2r = [](int, void*, void*) { return call("Z2D", ""); };
  return all;
}

void* number(std::intptr_t value) { return reinterpret_cast<void*>(value); }

class AVendorFft : public testing::Test {
 protected:
  void SetUp() override { asked = {}; }
  template <class Body>
  static Error refusal(const Body& body) {
    try {
      body();
    } catch (const Error& error) {
      return error;
    }
    return Error(Error::bug, "no error");
  }

  Contexts contexts;
  VendorFft<int, Contexts> fft{{"cufft", {}, 1000, true}, functions(), contexts};
};

// 2 fields of 4 x 5 x 6 real points, whose rows have room for their spectra.
Lines padded_fields() {
  Lines lines;
  lines.kind = LineKind::r2c;
  lines.n = 6;
  lines.more_axes = {{4, 40, 20}, {5, 8, 4}};
  lines.loops = {{2, 160, 80}};
  return lines;
}

}  // namespace

TEST_F(AVendorFft, plans_once_in_a_stream_and_transforms_in_it) {
  Lines lines;
  lines.n = 6;
  lines.sign = 1;
  lines.more_axes = {{5, 6, 6}};
  {
    const auto transform = fft.make(lines, {number(0x11)});
    EXPECT_EQ(transform->workspace_bytes(), 4096);
    transform->use_workspace(number(0x22));
    transform->enqueue(number(0x30), number(0x40));
  }
  EXPECT_THAT(asked.calls,
              ElementsAre("create", "allocate 0", "make 5x6 in 5x6 out 5x6: 1,30,1,30,105,1",
                          "stream 0x11", "workspace 0x22", "Z2Z 0x30 0x40 1", "destroy 7"));
  EXPECT_EQ(asked.plans, 0);
}

TEST_F(AVendorFft, tells_the_strides_of_padded_rows) {
  fft.make(padded_fields(), {number(1)})->enqueue(nullptr, nullptr);
  EXPECT_EQ(asked.calls.at(2), "make 4x5x6 in 4x5x8 out 4x5x4: 1,160,1,80,106,2");
  EXPECT_EQ(asked.calls.at(4), "D2Z");
}

TEST_F(AVendorFft, knows_all_kinds_and_precisions) {
  const auto used = [&](LineKind kind, Precision precision) {
    asked.calls.clear();
    Lines lines;
    lines.kind = kind;
    lines.precision = precision;
    lines.n = 8;
    fft.make(lines, {number(1)})->enqueue(nullptr, nullptr);
    return asked.calls.at(2).substr(asked.calls.at(2).find(": ")) + " " +
           asked.calls.at(4).substr(0, 3);
  };
  const Precision single = Precision::single_precision, both = Precision::double_precision;
  EXPECT_EQ(used(LineKind::c2c, single), ": 1,8,1,8,41,1 C2C");
  EXPECT_EQ(used(LineKind::r2c, single), ": 1,8,1,5,42,1 R2C");
  EXPECT_EQ(used(LineKind::c2r, single), ": 1,5,1,8,44,1 C2R");
  EXPECT_EQ(used(LineKind::c2r, both), ": 1,5,1,8,108,1 Z2D");
}

TEST_F(AVendorFft, takes_other_functions_for_large_numbers) {
  Lines lines;
  lines.n = 1024;
  lines.loops = {{std::int64_t{3} << 20, 1024, 1024}};
  EXPECT_EQ(fft.make(lines, {number(1)})->workspace_bytes(), std::int64_t{1} << 40);
  EXPECT_THAT(asked.calls.at(2), HasSubstr("make_large 1024"));
}

TEST_F(AVendorFft, names_the_status_and_leaves_no_plan) {
  for (const char* const failing : {"allocate", "make", "stream"}) {
    asked = {};
    asked.failing = failing;
    asked.status = 2;
    const Error error = refusal([&] { fft.make(padded_fields(), {number(1)}); });
    EXPECT_EQ(error.code(), Error::system);
    EXPECT_EQ(error.message(),
              "cufft: cannot plan 2 transforms of 4x5x6 points: CUFFT_ALLOC_FAILED (2)");
    EXPECT_EQ(asked.plans, 0) << failing;
  }
  asked.status = 16;
  EXPECT_EQ(refusal([&] { fft.make(padded_fields(), {number(1)}); }).code(), Error::unsupported);
  asked.failing = "D2Z";
  asked.status = 99;
  const auto transform = fft.make(padded_fields(), {number(1)});
  EXPECT_EQ(refusal([&] { transform->enqueue(nullptr, nullptr); }).message(),
            "cufft: cannot enqueue a transform: status 99");
}

// What both libraries say where they have no such transform, and hipFFT where rocFFT has no plan.
TEST_F(AVendorFft, that_has_no_such_transform_has_not_failed) {
  for (const int status : {4, 8, 12, 14, 16}) EXPECT_TRUE(fft_refuses(status)) << status;
  for (const int status : {1, 2, 5, 6, 7, 20, 99}) EXPECT_FALSE(fft_refuses(status)) << status;
  EXPECT_EQ(fft_status("hipfft", 12), "HIPFFT_PARSE_ERROR (12)");
  asked.failing = "create";
  asked.status = 5;
  EXPECT_EQ(refusal([&] { fft.make(padded_fields(), {number(1)}); }).message(),
            "cufft: cannot make a plan: CUFFT_INTERNAL_ERROR (5)");
  EXPECT_EQ(asked.plans, 0);
}

// hipFFT counts versions otherwise, and may overwrite what it loads.
TEST_F(AVendorFft, is_one_or_the_other) {
  EXPECT_EQ(fft.version(), "11.2.3");
  EXPECT_TRUE(fft.keeps_source(LineKind::c2c) && fft.keeps_source(LineKind::r2c));
  EXPECT_FALSE(fft.keeps_source(LineKind::c2r));
  FftFunctions<int> others = functions();
  others.version = [](int* version) { return *version = 10027, 0; };
  const VendorFft<int, Contexts> hip({"hipfft", {}, 10000, false}, others, contexts);
  EXPECT_EQ(hip.version(), "1.0.27");
  for (const LineKind kind : {LineKind::c2c, LineKind::r2c, LineKind::c2r})
    EXPECT_FALSE(hip.keeps_source(kind));
}

TEST_F(AVendorFft, has_no_transform_of_what_it_cannot_be_told) {
  Lines lines = padded_fields();
  lines.more_axes.front().in_stride = 41;  // no number of rows
  EXPECT_EQ(refusal([&] { fft.make(lines, {}); }).code(), Error::unsupported);
  lines = padded_fields();
  lines.loops.push_back({3, 1000, 1000});
  EXPECT_FALSE(fft_layout(lines));
  lines = padded_fields();
  lines.more_axes.push_back({2, 8, 4});
  EXPECT_FALSE(fft_layout(lines));
  EXPECT_THAT(asked.calls, testing::IsEmpty());
}

TEST_F(AVendorFft, finds_the_functions_of_cufft) {
  void* const library = dlopen("libcufft.so.12", RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) GTEST_SKIP() << "cuFFT 12 is not installed";
  EXPECT_EQ(FftFunctions<int>().find_in(library, "cufft"), "");
}

TEST_F(AVendorFft, loads_what_works_with_the_driver) {
  const auto load = [&](int driver) {
    return refusal([&] {
             load_fft<int>({"cufft", {{"libnothing.so.2", 9}, {"libnothing.so.1", 8}}, 1000, true},
                           driver, contexts);
           })
        .message();
  };
  EXPECT_EQ(load(9), "cufft (libnothing.so.2, libnothing.so.1) is not installed");
  EXPECT_EQ(load(8), "cufft (libnothing.so.1) is not installed");
  EXPECT_EQ(load(7), "cufft needs a newer driver");
}
