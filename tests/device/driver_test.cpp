// The table of drivers: one that does not apply here says why, and what asks for it gets the
// reason.

#include "weft/device/driver.hpp"

#include <gmock/gmock.h>

#include "weft/error.hpp"

namespace weft {
namespace {

using testing::HasSubstr;

std::string refusal(const std::string& name) {
  try {
    find_driver(name);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const DriverEntry& entry : device_drivers()) all.push_back(entry.name);
  return all;
}

TEST(Drivers, are_those_of_both_vendors) {
  EXPECT_THAT(names(), testing::ElementsAre("cuda", "hip"));
}

TEST(Drivers, that_are_pretended_come_first_instead_of_those_of_their_names) {
  pretend_driver(hip_entry());
  EXPECT_THAT(names(), testing::ElementsAre("hip", "cuda"));
  pretend_driver(cuda_entry());
  EXPECT_THAT(names(), testing::ElementsAre("cuda", "hip"));
}

TEST(Drivers, have_devices_or_a_reason_why_not) {
  for (const DriverEntry& entry : device_drivers()) {
    const auto why_not = entry.applies();
    if (why_not) {
      EXPECT_THAT(*why_not, HasSubstr(entry.name == "cuda" ? "CUDA" : "HIP"));
      EXPECT_THAT(refusal(entry.name),
                  HasSubstr("there is no device to use: " + entry.name + ": " + *why_not));
    } else {
      EXPECT_GT(entry.get().devices(), 0) << entry.name;
      EXPECT_THAT(entry.version(), HasSubstr("driver "));
    }
  }
}

TEST(Drivers, that_are_unknown_are_refused) {
  EXPECT_THAT(refusal("vulkan"), HasSubstr("there is no device driver 'vulkan'"));
}

}  // namespace
}  // namespace weft
