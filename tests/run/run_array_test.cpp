// run/run_array: on a device, arrays are worked on where they are, or in a stand-in that copies in
// the stream of the run fill and empty; nothing between their points is touched.

#include "weft/run/run_array.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "weft/base/ensure.hpp"
#include "weft/device/late.hpp"
#include "weft/run/plan_arrays.hpp"

using namespace weft;

namespace {

constexpr double gap = -1;  // between points

// Reals in boxes of 3x2x4 points, in rows of 5, planes of 3 rows, and fields a little further
// apart; without gaps, one box after another.
struct Field {
  Share share;
  ArrayPoints points;

  explicit Field(bool has_gaps, std::int64_t fields = 2) {
    const Box box{Dims{0, 0, 0}, Dims{3, 2, 4}};
    share.boxes = {box};
    share.scalar = Scalar{Precision::double_precision, false};
    share.extents = Dims{3, 2, 4};
    share.fields = fields;
    const Dims strides = has_gaps ? Dims{15, 5, 1} : Dims{8, 4, 1};
    share.array = UserArray::strided(box, strides, fields, has_gaps ? 50 : 24);
    share.elements = share.array.elements;
    points = ArrayPoints(share);
  }
  std::int64_t bytes() const { return share.elements * 8; }

  // The numbers 1, 2, ... where points are, times `times`, and `between` elsewhere.
  std::vector<double> values(double times, double between) const {
    std::vector<double> all(static_cast<std::size_t>(share.elements), between);
    double number = 0;
    for (std::int64_t field = 0; field < share.fields; ++field)
      for (std::int64_t x = 0; x < 3; ++x)
        for (std::int64_t y = 0; y < 2; ++y)
          for (std::int64_t z = 0; z < 4; ++z) {
            const Layout& layout = share.array.layouts[0];
            const std::int64_t at = field * share.array.field_stride + layout.at({x, y, z});
            all[static_cast<std::size_t>(at)] = times * ++number;
          }
    return all;
  }
};

class RunArrayOnDevice : public testing::Test {
 protected:
  // It refuses to share one allocation, as drivers refuse what another process has made.
  class Refusing : public LateDriver {
   public:
    using LateDriver::LateDriver;
    DeviceMemoryHandle handle_of(void* memory) override {
      if (memory == refused) throw Error(Error::system, "this one is not shared");
      return LateDriver::handle_of(memory);
    }
    void* refused = nullptr;
  };

  RunArrayOnDevice() : driver_(settings()), stream_(driver_.make_stream(0)) {}
  static LateDriver::Settings settings() {
    LateDriver::Settings settings;
    settings.devices = 2;
    return settings;
  }
  Device device(int number = 0) { return {&driver_, number}; }
  std::vector<double> read(const void* memory, std::int64_t elements) {
    std::vector<double> numbers(static_cast<std::size_t>(elements));
    driver_.copy(stream_, numbers.data(), memory, elements * 8);
    driver_.await(stream_);
    return numbers;
  }
  void write(void* memory, const std::vector<double>& numbers) {
    driver_.copy(stream_, memory, numbers.data(), static_cast<std::int64_t>(numbers.size() * 8));
    driver_.await(stream_);
  }
  // Multiplies the array by 10 where the run works on it, as a run in place would, and expects the
  // result in `array`, which the device can copy, with `between` kept.
  void run(const Field& field, std::byte* array, StandIn& stand_in, bool is_shared) {
    const RunArray both(array, field.bytes(), field.points, &stand_in, is_shared);
    both.fill_stand_in(stream_);
    KernelLaunch launch;
    launch.threads = 1;
    driver_.launch(stream_, launch, [&](const LateGroup&, std::byte*) {
      auto* const numbers = reinterpret_cast<double*>(both.data());
      for (std::int64_t i = 0; i < field.share.elements; ++i)
        if (numbers[i] != gap) numbers[i] *= 10;
    });
    both.take_from_stand_in(stream_);
    driver_.await(stream_);
  }

  Refusing driver_;
  DeviceStream stream_;
};

std::byte* bytes_of(std::vector<double>& values) {
  return reinterpret_cast<std::byte*>(values.data());
}

}  // namespace

TEST_F(RunArrayOnDevice, works_on_device_memory_where_it_is) {
  const Field field(true);
  const DeviceBuffer memory(driver_, field.bytes());
  auto* const given = static_cast<std::byte*>(memory.data());
  StandIn stand_in(field.bytes(), device());
  const RunArray alone(given, field.bytes(), field.points, &stand_in, false);
  EXPECT_EQ(alone.kind(), Memory::device);
  EXPECT_FALSE(alone.is_copied());
  EXPECT_EQ(alone.data(), given);
  EXPECT_FALSE(alone.shared());
  const RunArray shared(given, field.bytes(), field.points, &stand_in, true);
  EXPECT_FALSE(shared.is_copied());
  ASSERT_TRUE(shared.shared());
  EXPECT_EQ(made_here(shared.shared()->region), given);
  EXPECT_EQ(stand_in.bytes(), 0) << "never made";
  write(given, field.values(1, gap));
  run(field, given, stand_in, true);
  EXPECT_EQ(read(given, field.share.elements), field.values(10, gap));
}

TEST_F(RunArrayOnDevice, finds_an_array_in_the_middle_of_an_allocation) {
  const Field field(false);
  const DeviceBuffer memory(driver_, 3 * field.bytes());
  auto* const given = static_cast<std::byte*>(memory.data()) + field.bytes() + 16;
  StandIn stand_in(field.bytes(), device());
  const RunArray array(given, field.bytes(), field.points, &stand_in, true);
  EXPECT_FALSE(array.is_copied());
  ASSERT_TRUE(array.shared());
  EXPECT_EQ(array.shared()->offset, field.bytes() + 16);
  EXPECT_EQ(array.shared()->region.memory.bytes, 3 * field.bytes());
}

TEST_F(RunArrayOnDevice, works_on_memory_of_the_processor_in_a_stand_in) {
  for (const bool has_gaps : {false, true})
    for (const bool is_registered : {false, true}) {
      const Field field(has_gaps);
      std::vector<double> numbers = field.values(1, gap);
      if (is_registered) driver_.enlist(numbers.data(), field.bytes());
      StandIn stand_in(field.bytes(), device());
      const RunArray array(bytes_of(numbers), field.bytes(), field.points, &stand_in, false);
      EXPECT_EQ(array.kind(), is_registered ? Memory::registered : Memory::host);
      EXPECT_TRUE(array.is_copied());
      EXPECT_FALSE(array.shared()) << "nobody else works on it";
      EXPECT_EQ(stand_in.bytes(), field.bytes());
      EXPECT_EQ(driver_.place_of(array.data()), (MemoryPlace{Memory::device, 0}));
      run(field, bytes_of(numbers), stand_in, false);
      EXPECT_EQ(numbers, field.values(10, gap));
      if (is_registered) driver_.delist(numbers.data());
    }
}

TEST_F(RunArrayOnDevice, copies_in_the_stream_and_not_before) {
  const Field field(false);
  std::vector<double> numbers = field.values(1, gap);
  StandIn stand_in(field.bytes(), device());
  const RunArray array(bytes_of(numbers), field.bytes(), field.points, &stand_in);
  array.fill_stand_in(stream_);
  EXPECT_EQ(driver_.done(), 0);
  std::ranges::copy(field.values(2, gap), numbers.begin());
  driver_.await(stream_);
  EXPECT_EQ(read(array.data(), field.share.elements), field.values(2, gap));
  std::ranges::copy(field.values(3, gap), numbers.begin());
  array.take_from_stand_in(stream_);
  EXPECT_EQ(numbers, field.values(3, gap));
  driver_.await(stream_);
  EXPECT_EQ(numbers, field.values(2, gap));
}

TEST_F(RunArrayOnDevice, touches_nothing_between_the_points) {
  const Field field(true);
  std::vector<double> numbers = field.values(1, gap);
  StandIn stand_in(field.bytes(), device());
  const RunArray array(bytes_of(numbers), field.bytes(), field.points, &stand_in);
  array.fill_stand_in(stream_);
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  const auto expected = field.values(1, nan);
  const auto copied = read(array.data(), field.share.elements);
  for (std::size_t i = 0; i < copied.size(); ++i)
    EXPECT_TRUE(std::isnan(expected[i]) ? std::isnan(copied[i]) : copied[i] == expected[i]) << i;
  numbers.assign(numbers.size(), 7);
  array.take_from_stand_in(stream_);
  driver_.await(stream_);
  EXPECT_EQ(numbers, field.values(1, 7));
}

TEST_F(RunArrayOnDevice, copies_layouts_of_any_order_and_spacing) {
  struct Case {
    Dims strides;
    std::int64_t fields, field_stride;
  };
  for (const Case& one : {Case{{1, 3, 6}, 1, 0},        // the last axis slowest
                          Case{{2, 6, 12}, 3, 100},     // every second element
                          Case{{8, 4, 1}, 2, 30},       // fields apart
                          Case{{30, 4, 1}, 2, 8},       // fields between planes
                          Case{{100, 20, 3}, 1, 0}}) {  // nothing adjacent
    Field field(true);
    const Box box = field.share.boxes[0];
    field.share.fields = one.fields;
    field.share.array = UserArray::strided(box, one.strides, one.fields, one.field_stride);
    field.share.elements = field.share.array.elements;
    field.points = ArrayPoints(field.share);
    std::vector<double> numbers = field.values(1, gap);
    StandIn stand_in(field.bytes(), device());
    const RunArray array(bytes_of(numbers), field.bytes(), field.points, &stand_in);
    array.fill_stand_in(stream_);
    driver_.await(stream_);
    numbers.assign(numbers.size(), 7);
    array.take_from_stand_in(stream_);
    driver_.await(stream_);
    EXPECT_EQ(numbers, field.values(1, 7)) << "strides " << to_string(one.strides);
  }
}

TEST_F(RunArrayOnDevice, shares_a_stand_in_for_what_others_cannot_map) {
  const Field field(true);
  void* const of_pool = driver_.allocate_of_pool(field.bytes());
  const DeviceBuffer managed(driver_, field.bytes(), Memory::managed),
      refused(driver_, field.bytes());
  driver_.refused = refused.data();
  for (void* const memory : {of_pool, managed.data(), refused.data()}) {
    auto* const given = static_cast<std::byte*>(memory);
    StandIn stand_in(field.bytes(), device());
    const RunArray alone(given, field.bytes(), field.points, &stand_in, false);
    EXPECT_FALSE(alone.is_copied()) << "this rank can use it";
    const RunArray array(given, field.bytes(), field.points, &stand_in, true);
    EXPECT_TRUE(array.is_copied());
    ASSERT_TRUE(array.shared());
    EXPECT_EQ(made_here(array.shared()->region), array.data());
    write(given, field.values(1, gap));
    run(field, given, stand_in, true);
    EXPECT_EQ(read(given, field.share.elements), field.values(10, gap));
  }
  driver_.release(Memory::device, of_pool);
}

TEST_F(RunArrayOnDevice, works_in_a_stand_in_for_memory_of_another_device) {
  const Field field(false);
  driver_.select(1);
  const DeviceBuffer memory(driver_, field.bytes());
  driver_.select(0);
  auto* const given = static_cast<std::byte*>(memory.data());
  StandIn stand_in(field.bytes(), device(0));
  write(given, field.values(1, gap));
  const RunArray array(given, field.bytes(), field.points, &stand_in, false);
  EXPECT_EQ(driver_.place_of(array.data()).device, 0);
  run(field, given, stand_in, false);
  EXPECT_EQ(read(given, field.share.elements), field.values(10, gap));
}

TEST_F(RunArrayOnDevice, makes_its_stand_in_on_the_device_of_the_plan) {
  const Field field(false);
  std::vector<double> numbers = field.values(1, gap);
  StandIn stand_in(field.bytes(), device(1));
  const RunArray array(bytes_of(numbers), field.bytes(), field.points, &stand_in);
  EXPECT_EQ(driver_.place_of(array.data()).device, 1);
  EXPECT_EQ(driver_.selected(), 0) << "as before";
}

TEST_F(RunArrayOnDevice, of_the_processor_is_refused_in_memory_of_a_device) {
  const Field field(false);
  const DeviceBuffer memory(driver_, field.bytes());
  std::vector<double> numbers = field.values(1, gap);
  PlanArrays::Spec spec;
  spec.input = spec.output = {field.bytes(), field.points};
  PlanArrays arrays(spec);
  Call call;
  call.from.data = static_cast<std::byte*>(memory.data());
  call.to.data = bytes_of(numbers);
  const auto error = [&] {
    try {
      arrays.of_run(call, Program());
    } catch (const Error& refusal) {
      EXPECT_EQ(refusal.code(), Error::invalid);
      return refusal.message();
    }
    return std::string("nothing was thrown");
  };
  EXPECT_EQ(error(),
            "the source is in memory that the processor cannot touch, such as a device's, and this "
            "plan computes on the processor");
  std::swap(call.from, call.to);
  EXPECT_EQ(error(),
            "the target is in memory that the processor cannot touch, such as a device's, and this "
            "plan computes on the processor");
  call.to.data = call.from.data;
  EXPECT_NO_THROW(arrays.of_run(call, Program()));
  call.to.data = static_cast<std::byte*>(memory.data());
  EXPECT_NE(error(), "nothing was thrown") << "after an array that is right";
}

TEST_F(RunArrayOnDevice, streams_from_where_an_array_is_if_all_of_it_is_registered) {
  const Field field(false);
  std::vector<double> numbers = field.values(1, gap);
  StandIn stand_in(field.bytes(), {}, device());
  const auto array = [&] {
    return RunArray(bytes_of(numbers), field.bytes(), field.points, &stand_in, false);
  };
  EXPECT_TRUE(array().is_copied());
  const auto* const stand_in_memory = stand_in.memory().data();
  EXPECT_EQ(array().data(), stand_in_memory);
  EXPECT_EQ(driver_.place_of(stand_in_memory).kind, Memory::registered);
  {
    const Registration half(device(), numbers.data(), field.bytes() / 2);
    EXPECT_TRUE(array().is_copied());
  }
  const Registration all(device(), numbers.data(), field.bytes());
  EXPECT_FALSE(array().is_copied());
  stand_in = StandIn();
  EXPECT_EQ(driver_.place_of(stand_in_memory).kind, Memory::host);
}

TEST_F(RunArrayOnDevice, of_a_plan_in_place_has_one_stand_in_for_both_sides) {
  const Field field(true);
  std::vector<double> numbers = field.values(1, gap), others = numbers;
  PlanArrays::Spec spec;
  spec.input = spec.output = {field.bytes(), field.points};
  spec.in_place = true;
  spec.device = device();
  PlanArrays arrays(spec);
  Call call;
  call.from.data = call.to.data = bytes_of(numbers);
  const PlanArrays::OfRun one = arrays.of_run(call, Program());
  EXPECT_EQ(one.source.data(), one.target.data());
  EXPECT_EQ(arrays.stand_in_bytes(), field.bytes());
  call.to.data = bytes_of(others);
  const PlanArrays::OfRun two = arrays.of_run(call, Program());
  EXPECT_NE(two.source.data(), two.target.data());
  EXPECT_EQ(arrays.stand_in_bytes(), 2 * field.bytes());
  arrays.free_stand_ins();
  EXPECT_EQ(driver_.free_bytes(), settings().memory_bytes);
}
