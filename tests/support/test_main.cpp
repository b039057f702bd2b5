// support/test_main: main() of the tests that need no MPI launcher.

#include <gmock/gmock.h>

#include "support/chosen_file.hpp"
#include "support/preferred_engine.hpp"

// Of programs that have the late device.
[[gnu::weak]] void use_late_device();

int main(int argc, char** argv) {
  ::testing::InitGoogleMock(&argc, argv);
  if (use_late_device != nullptr) use_late_device();
  weft::test::prefer_engine_of_environment();
  return weft::test::choose_file(argc, argv) ? RUN_ALL_TESTS() : 1;
}
