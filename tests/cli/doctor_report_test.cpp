// cli/doctor/doctor_report: how speeds of devices are told.

#include "weft/cli/doctor/doctor_report.hpp"

#include <gmock/gmock.h>

#include "weft/base/json_text.hpp"

using namespace weft;
using namespace weft::cli;
using testing::HasSubstr;
using testing::Not;

namespace {

MachineMeasurement with_two_ranks_on_a_device() {
  MachineMeasurement measured;
  measured.devices.driver = "cuda";
  DeviceSpeed::Figures figures;
  figures.copy = 4.29e12;
  figures.memory_peak = 4.9e12;
  figures.up_pageable = 11e9;
  figures.up_registered = 55.25e9;
  figures.down_pageable = 12e9;
  figures.down_registered = 54e9;
  figures.both_ways = 98e9;
  measured.devices.speeds = {{0, "NVIDIA H200", "0000:1B:00.0", figures}};
  measured.devices.pairs = {{0, 1, 0, 0, 2.1e12}};
  return measured;
}

}  // namespace

TEST(DoctorReport, tells_speeds_of_devices_beside_their_peaks) {
  const std::string text = doctor_text(with_two_ranks_on_a_device(), {});
  EXPECT_THAT(text, HasSubstr("GB/s of devices (cuda)"));
  EXPECT_THAT(text,
              testing::ContainsRegex("0 of rank 0: NVIDIA H200 +4290.00 +4900.00 +11.00 +55.25 "
                                     "+12.00 +54.00 +98.00"));
  EXPECT_THAT(text, testing::ContainsRegex("rank 0, device 0, by rank 1, device 0 +2100.00"));
}

TEST(DoctorReport, tells_in_a_line_why_no_device_is_measured) {
  MachineMeasurement measured;
  measured.devices.why_none = "cuda: CUDA's driver finds no device";
  EXPECT_THAT(doctor_text(measured, {}),
              HasSubstr("\nno device is measured: cuda: CUDA's driver finds no device\n"));
  const Json devices = Json::parse(doctor_json(measured, {})).at("devices");
  EXPECT_EQ(devices,
            Json({{"driver", nullptr}, {"why_none", "cuda: CUDA's driver finds no device"}}));
}

TEST(DoctorReport, leaves_unknown_peaks_out_of_json) {
  const Json devices = Json::parse(doctor_json(with_two_ranks_on_a_device(), {})).at("devices");
  const Json& speed = devices.at("speeds").at(0);
  EXPECT_EQ(speed.at("memory_peak_bytes_per_second"), 4.9e12);
  EXPECT_TRUE(speed.at("bus_peak_bytes_per_second").is_null());
  EXPECT_EQ(speed.at("to_device_registered_bytes_per_second"), 55.25e9);
  EXPECT_EQ(devices.at("pairs").at(0).at("ranks"), Json({0, 1}));
  EXPECT_TRUE(devices.at("why_no_pairs").is_null());
}
