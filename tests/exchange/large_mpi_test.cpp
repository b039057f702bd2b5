// exchange/large: a message of more than 2^31 elements, by messages and by collectives.
// Two ranks swap slightly more than 2^31 bytes; other rank counts have nothing to add.

#include <gtest/gtest.h>

#include "weft/comm/mpi_comm.hpp"
#include "weft/exchange/wire.hpp"
#include "weft/making/exchange_table.hpp"
#include "weft/memory/buffer.hpp"

using namespace weft;

namespace {

/// Submits all that a rank does in an exchange, and waits until it has completed.
void run(Wire& wire, const ExchangeProgram& program, const Addresses& addresses) {
  wire.begin(addresses);
  for (std::size_t i = 0; i < program.receives.size(); ++i)
    wire.submit(Task::receive, static_cast<int>(i));
  for (std::size_t i = 0; i < program.sends.size(); ++i)
    wire.submit(Task::send, static_cast<int>(i));
  for (std::size_t i = 0; i < program.collectives.size(); ++i)
    wire.submit(Task::collective, static_cast<int>(i));
  while (!wire.is_idle()) wire.wait();
}

}  // namespace

TEST(LargeMessages, beyond_2_to_the_31_elements_arrive_whole) {
  const Communicator comm(MPI_COMM_WORLD);
  if (comm.size() != 2) return;
  const std::int64_t n = (std::int64_t{1} << 31) + 1000;
  // Rank 0 owns all, then rank 1 does.
  const Redistribution moves(Decomposition::of_boxes({n}, {{{{0}, {n}}}, {}}, "first"),
                             Decomposition::of_boxes({n}, {{}, {{{0}, {n}}}}, "second"));
  const Machine machine{2, {}};
  const bool sends = comm.rank() == 0;
  Buffer field(n);
  for (const char* name : {"p2p", "alltoallv"}) {
    ExchangeQuestion question;
    question.rank = comm.rank();
    question.moves = &moves;
    question.machine = &machine;
    question.element_bytes = 1;
    question.send_buffer = 0;
    question.receive_buffer = 1;
    const ExchangeLayout layout = find_exchange(name, Problem{}, machine).lay_out(question);
    ASSERT_EQ(layout.send_elements, sends ? n : 0) << name;
    ASSERT_EQ(layout.receive_elements, sends ? 0 : n) << name;
    for (std::int64_t i = 0; i < n; i += 4099)
      field.data()[i] = sends ? static_cast<std::byte>(i % 251) : std::byte{0};
    field.data()[n - 1] = sends ? std::byte{77} : std::byte{0};
    Wire wire(comm, Wire::group(comm, layout.program), layout.program);
    const Addresses addresses{field.data(), field.data()};
    run(wire, layout.program, addresses);
    for (std::int64_t i = 0; i < n - 1; i += 4099)
      ASSERT_EQ(field.data()[i], static_cast<std::byte>(i % 251)) << name << " at " << i;
    ASSERT_EQ(field.data()[n - 1], std::byte{77}) << name;
  }
}
