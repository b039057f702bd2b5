// exchange/large: a message of more than 2^31 elements, in every exchange that packs none away.
// Two ranks swap slightly more than 2^31 bytes; other rank counts have nothing to add.

#include <gtest/gtest.h>

#include "support/carry.hpp"
#include "support/decompositions.hpp"
#include "weft/exchange/exchange.hpp"
#include "weft/memory/buffer.hpp"

using namespace weft;
using namespace weft::test;

TEST(LargeMessages, beyond_2_to_the_31_elements_arrive_whole) {
  const Communicator comm(MPI_COMM_WORLD);
  if (comm.size() != 2) return;
  const std::int64_t n = (std::int64_t{1} << 31) + 1000;
  // Rank 0 owns all, then rank 1 does.
  const Redistribution moves(Decomposition::of_boxes({n}, {{{{0}, {n}}}, {}}, "first"),
                             Decomposition::of_boxes({n}, {{}, {{{0}, {n}}}}, "second"));
  const bool sends = comm.rank() == 0;
  Buffer field(n);
  for (const char* name : {"p2p", "alltoallv"}) {
    auto exchange = find_exchange(name, Problem{}, Machine{})
                        .make({&comm, moves, 1, 0, 1, {}, {}, {}, INT32_MAX});
    ASSERT_EQ(exchange->send_elements(), sends ? n : 0);
    ASSERT_EQ(exchange->receive_elements(), sends ? 0 : n);
    for (std::int64_t i = 0; i < n; i += 4099)
      field.data()[i] = sends ? static_cast<std::byte>(i % 251) : std::byte{0};
    field.data()[n - 1] = sends ? std::byte{77} : std::byte{0};
    const Addresses addresses{field.data(), field.data()};
    exchange->start(addresses);
    if (sends) exchange->ready(0);
    carry_in(*exchange);
    carry_to_end(*exchange);
    for (std::int64_t i = 0; i < n - 1; i += 4099)
      ASSERT_EQ(field.data()[i], static_cast<std::byte>(i % 251)) << name << " at " << i;
    ASSERT_EQ(field.data()[n - 1], std::byte{77}) << name;
  }
}
