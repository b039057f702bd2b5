// support/test_main: main() of the tests that need no MPI launcher.

#include <gmock/gmock.h>

#include "support/chosen_file.hpp"

int main(int argc, char** argv) {
  ::testing::InitGoogleMock(&argc, argv);
  return weft::test::choose_file(argc, argv) ? RUN_ALL_TESTS() : 1;
}
