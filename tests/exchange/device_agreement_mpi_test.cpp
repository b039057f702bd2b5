// exchange/device_agreement: all ranks know the devices of all, or the same error.

#include "weft/exchange/device_agreement.hpp"

#include <gtest/gtest.h>

#include "weft/base/ensure.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/device/late.hpp"

namespace weft {
namespace {

LateDriver driver_of(int devices) {
  LateDriver::Settings settings;
  settings.devices = devices;
  return LateDriver(settings);
}

TEST(DeviceAgreement, shares_out_the_devices_of_each_node) {
  const Communicator whole(MPI_COMM_WORLD);
  const LateDriver driver = driver_of(2);
  std::vector<int> nodes;
  for (int rank = 0; rank < whole.size(); ++rank) nodes.push_back(rank / 3);
  const auto all = agreed_devices(whole, nodes, driver, -1);
  ASSERT_EQ(all.size(), nodes.size());
  for (int rank = 0; rank < whole.size(); ++rank) {
    const int on_node = std::min(3, whole.size() - rank / 3 * 3), in_node = rank % 3;
    const RankDevice expected = on_node == 3   ? RankDevice{in_node / 2, in_node < 2 ? 2 : 1}
                                : on_node == 2 ? RankDevice{in_node, 1}
                                               : RankDevice{0, 1};
    EXPECT_EQ(all[static_cast<std::size_t>(rank)], expected) << "rank " << rank;
  }
}

TEST(DeviceAgreement, tells_all_ranks_that_a_device_does_not_exist) {
  const Communicator whole(MPI_COMM_WORLD);
  const LateDriver driver = driver_of(2);
  const std::vector<int> one_node(static_cast<std::size_t>(whole.size()), 0);
  const int last = whole.size() - 1;
  try {
    agreed_devices(whole, one_node, driver, whole.rank() == last ? 7 : -1);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Error::invalid);
    EXPECT_EQ(error.message(), fmt::format("rank {} is to use device 7, and has 2 devices", last));
  }
  EXPECT_EQ(agreed_devices(whole, one_node, driver, 1)[0].number, 1);
}

}  // namespace
}  // namespace weft
