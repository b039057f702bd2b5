// measuring/bus_peak: links of PCI Express, as Linux tells them.

#include "weft/measuring/bus_peak.hpp"

#include <gtest/gtest.h>

using namespace weft;

TEST(BusPeak, is_the_data_that_lanes_carry) {
  EXPECT_DOUBLE_EQ(bus_peak_of("5.0 GT/s PCIe", "16"), 8e9);
  EXPECT_NEAR(bus_peak_of("16.0 GT/s PCIe", "16"), 31.5e9, 0.02e9);
  EXPECT_NEAR(bus_peak_of("32.0 GT/s PCIe", "16"), 63.0e9, 0.02e9);
  EXPECT_NEAR(bus_peak_of("32.0 GT/s PCIe", "8"), 31.5e9, 0.02e9);
}

TEST(BusPeak, of_what_the_system_does_not_tell_is_unknown) {
  EXPECT_EQ(bus_peak_of("Unknown", "255"), 0);
  EXPECT_EQ(bus_peak_of("", ""), 0);
  EXPECT_EQ(bus_peak_of("16.0 GT/s PCIe", "0"), 0);
  EXPECT_EQ(bus_peak("ffff:ff:1f.7"), 0);
  EXPECT_EQ(bus_peak(""), 0);
}
