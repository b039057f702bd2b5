// capi/c_device: plans on the late device, from C: fields in memory of every kind, streams, and
// what reports tell.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <string>
#include <vector>

#include "support/world.hpp"
#include "weft/device/driver.hpp"
#include "weft/weft.h"

using testing::HasSubstr;
using testing::StartsWith;
using weft::test::ranks_of_world;

namespace {

constexpr const char* how_on_device = "effort=estimate; engine=late";
constexpr weft_memory_kind kinds_of_memory[] = {WEFT_MEMORY_HOST, WEFT_MEMORY_REGISTERED,
                                                WEFT_MEMORY_MANAGED, WEFT_MEMORY_DEVICE};

weft_problem problem_of_device() {
  weft_problem problem{};
  problem.size = sizeof problem;
  problem.axes = 3;
  for (int a = 0; a < 3; ++a) problem.extents[a] = 8;
  return problem;
}

// A plan whose input and output are slabs, with two fields.
struct DeviceTransform {
  DeviceTransform(const char* how, weft_memory_kind kind, void* stream = nullptr) {
    weft_distribution slabs{}, same{};
    slabs.size = same.size = sizeof slabs;
    slabs.form = WEFT_SLAB;
    same.form = WEFT_SAME;
    weft_problem problem = problem_of_device();
    problem.input = &slabs;
    problem.output = &same;
    problem.stream = stream;
    EXPECT_EQ(weft_plan_create(MPI_COMM_WORLD, &problem, how, &plan), WEFT_OK) << weft_last_error();
    EXPECT_EQ(weft_field_create_in(plan, WEFT_INPUT, kind, &u), WEFT_OK) << weft_last_error();
    EXPECT_EQ(weft_field_create_in(plan, WEFT_OUTPUT, kind, &v), WEFT_OK) << weft_last_error();
    EXPECT_EQ(weft_plan_elements(plan, WEFT_INPUT, &elements), WEFT_OK);
  }
  ~DeviceTransform() {
    EXPECT_EQ(weft_field_free(&u), WEFT_OK);
    EXPECT_EQ(weft_field_free(&v), WEFT_OK);
    EXPECT_EQ(weft_plan_free(&plan), WEFT_OK);
  }
  DeviceTransform(const DeviceTransform&) = delete;
  DeviceTransform& operator=(const DeviceTransform&) = delete;

  std::int64_t bytes() const { return elements * std::int64_t{sizeof(std::complex<double>)}; }
  void forward() const {
    EXPECT_EQ(weft_run_fields(plan, WEFT_FORWARD, u, v, 1), WEFT_OK) << weft_last_error();
  }
  weft_report report() const {
    weft_report told{};
    told.size = sizeof told;
    EXPECT_EQ(weft_plan_report(plan, &told), WEFT_OK) << weft_last_error();
    return told;
  }

  weft_plan* plan = nullptr;
  weft_field *u = nullptr, *v = nullptr;
  std::int64_t elements = 0;
};

// Fields of the processor, which are filled, and their transform.
struct KnownTransform : DeviceTransform {
  KnownTransform() : DeviceTransform("effort=estimate; threads=1", WEFT_MEMORY_HOST) {
    auto* const x = static_cast<std::complex<double>*>(weft_field_data(u));
    weft_share share{};
    share.size = sizeof share;
    EXPECT_EQ(weft_field_share(u, &share), WEFT_OK);
    for (weft_point p{}; weft_next_point(&share, &p) != 0;)
      x[p.element] = {static_cast<double>(p.at[0] * p.at[1] - p.at[2]), 1.0};
    forward();
  }
};

double difference_of(const weft_field* a, const weft_field* b) {
  double most = -1;
  EXPECT_EQ(weft_max_abs_difference(a, b, 0, &most), WEFT_OK) << weft_last_error();
  return most;
}

}  // namespace

TEST(CDevice, transforms_fields_in_memory_of_every_kind) {
  const KnownTransform known, copied;
  for (const weft_memory_kind kind : kinds_of_memory) {
    if (ranks_of_world() > 1 && kind != WEFT_MEMORY_DEVICE) continue;
    const DeviceTransform here(how_on_device, kind);
    weft_memory_kind told{};
    EXPECT_EQ(weft_field_kind(here.v, &told), WEFT_OK);
    EXPECT_EQ(told, kind);
    void* const result = weft_field_data(copied.v);
    EXPECT_EQ(weft_copy(weft_field_data(known.u), weft_field_data(here.u), here.bytes()), WEFT_OK)
        << weft_last_error();
    here.forward();
    EXPECT_EQ(weft_copy(weft_field_data(here.v), result, here.bytes()), WEFT_OK);
    EXPECT_LT(difference_of(known.v, copied.v), 1e-10) << kind;
  }
}

TEST(CDevice, reports_name_the_device_and_count_what_was_copied) {
  const DeviceTransform on(how_on_device, WEFT_MEMORY_DEVICE),
      beside(how_on_device, WEFT_MEMORY_REGISTERED);
  on.forward();
  beside.forward();
  EXPECT_THAT(on.report().device, StartsWith("device "));
  EXPECT_EQ(on.report().copied_bytes[WEFT_BACKWARD], 0);
  EXPECT_GE(beside.report().copied_bytes[WEFT_FORWARD], 2 * beside.bytes());
  if (ranks_of_world() == 1) {
    EXPECT_EQ(on.report().copied_bytes[WEFT_FORWARD], 0);
  }
  EXPECT_STREQ(KnownTransform().report().device, "");
}

TEST(CDevice, runs_are_enqueued_in_a_stream_of_the_application) {
  if (ranks_of_world() > 1) GTEST_SKIP() << "of one rank, nothing is waited for";
  weft::DeviceDriver& driver = weft::find_driver("late").get();
  driver.select(0);
  const weft::DeviceStream stream = driver.make_stream(0);
  {
    const KnownTransform known, copied;
    const DeviceTransform here(how_on_device, WEFT_MEMORY_DEVICE, stream.handle);
    driver.copy(stream, weft_field_data(here.u), weft_field_data(known.u), here.bytes());
    here.forward();
    driver.copy(stream, weft_field_data(copied.v), weft_field_data(here.v), here.bytes());
    driver.await(stream);
    EXPECT_LT(difference_of(known.v, copied.v), 1e-10);
  }
  driver.destroy(stream);
}

TEST(CDevice, kinds_and_copies_that_cannot_be_are_refused) {
  const KnownTransform known;
  weft_field* field = nullptr;
  EXPECT_EQ(weft_field_create_in(known.plan, WEFT_INPUT, WEFT_MEMORY_DEVICE, &field), WEFT_INVALID);
  EXPECT_THAT(weft_last_error(), HasSubstr("device memory is wanted of a plan whose processors"));
  EXPECT_EQ(weft_field_create_in(known.plan, WEFT_INPUT, static_cast<weft_memory_kind>(4), &field),
            WEFT_INVALID);
  EXPECT_THAT(weft_last_error(), HasSubstr("there is no kind of memory 4"));
  EXPECT_EQ(weft_field_kind(known.u, nullptr), WEFT_INVALID);
  EXPECT_EQ(weft_copy(&known, nullptr, 8), WEFT_INVALID);
  EXPECT_THAT(weft_last_error(), HasSubstr("memory to copy is a null pointer"));
  EXPECT_EQ(weft_copy(&known, &field, -1), WEFT_INVALID);
  EXPECT_THAT(weft_last_error(), HasSubstr("a copy of -1 bytes"));
  EXPECT_EQ(weft_copy(nullptr, nullptr, 0), WEFT_OK);
  const DeviceTransform here(how_on_device, WEFT_MEMORY_DEVICE);
  double most = 0;
  EXPECT_EQ(weft_max_abs(here.u, 0, &most), WEFT_INVALID);
  EXPECT_THAT(weft_last_error(), HasSubstr("memory of a device"));
}
