// comm/agreement: an error on one rank reaches all ranks, with all its parts.

#include "weft/comm/agreement.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <string>

#include "weft/comm/datatype.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/comm/nodes.hpp"

using namespace weft;

TEST(Together, returns_every_ranks_own_value_when_all_is_well) {
  const Communicator comm(MPI_COMM_WORLD);
  EXPECT_EQ(agree(comm, [&] { return 10 * comm.rank(); }), 10 * comm.rank());
}

TEST(Together, throws_the_lowest_failed_ranks_error_on_all) {
  const Communicator comm(MPI_COMM_WORLD);
  const int first = comm.size() / 2;
  try {
    agree(comm, [&] {
      if (comm.rank() < first) return;
      Error error(Error::io, fmt::format("rank {} has no disk", comm.rank()), "buy one");
      error.add_context("writing");
      throw error;
    });
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Error::io);
    EXPECT_STREQ(error.what(), fmt::format("weft: rank {} has no disk\n  while: writing\n"
                                           "  try:   buy one",
                                           first)
                                   .c_str());
  }
}

TEST(RequireSame, names_the_rank_that_differs) {
  const Communicator comm(MPI_COMM_WORLD);
  EXPECT_NO_THROW(require_same(comm, "tea", "drink"));
  if (comm.size() == 1) return;
  try {
    require_same(comm, comm.rank() == 1 ? "coffee" : "tea", "drink");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(),
              "ranks disagree on the drink: rank 1 has 'coffee', rank 0 has 'tea'");
  }
}

TEST(RequireSame, tells_a_failure_before_a_difference) {
  const Communicator comm(MPI_COMM_WORLD);
  const int last = comm.size() - 1;
  const auto make_text = [&]() -> std::string {
    if (comm.rank() == last) throw Error(Error::io, "there is no tea");
    return comm.rank() == 1 ? "coffee" : "tea";
  };
  try {
    require_same(comm, make_text, "drink");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "there is no tea");
  }
}

TEST(RequireSame, compares_long_texts_to_the_end) {
  const Communicator comm(MPI_COMM_WORLD);
  std::string text(10000, 'x');
  EXPECT_NO_THROW(require_same(comm, text, "letter"));
  if (comm.size() == 1) return;
  if (comm.rank() == comm.size() - 1) text.back() = 'y';
  EXPECT_THROW(require_same(comm, text, "letter"), Error);
  if (comm.rank() == 0) text.clear();
  EXPECT_THROW(require_same(comm, text, "letter"), Error);
}

TEST(OnLargest, returns_the_largest_numbers_of_any_rank) {
  const Communicator comm(MPI_COMM_WORLD);
  const std::int64_t last = comm.size() - 1;
  const auto numbers = [&] { return std::array<std::int64_t, 2>{comm.rank(), -comm.rank() - 5}; };
  EXPECT_EQ(agree_on_largest(comm, numbers), (std::array<std::int64_t, 2>{last, -5}));
}

TEST(OnLargest, throws_the_lowest_failed_ranks_error_on_all) {
  const Communicator comm(MPI_COMM_WORLD);
  const int first = comm.size() / 2;
  const auto numbers = [&] {
    if (comm.rank() >= first) throw Error(Error::io, fmt::format("rank {} failed", comm.rank()));
    return std::array<std::int64_t, 1>{1000};
  };
  try {
    agree_on_largest(comm, numbers);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), fmt::format("rank {} failed", first));
  }
}

TEST(OnText, sends_the_text_of_one_rank_or_its_error) {
  const Communicator comm(MPI_COMM_WORLD);
  const int last = comm.size() - 1;
  const std::string shorter = "tea", longer(5000, 'x');
  EXPECT_EQ(agree_on_text(comm, last, [&] { return shorter; }), shorter);
  EXPECT_EQ(agree_on_text(comm, last, [&] { return longer; }), longer);
  const auto no_text = [&]() -> std::string { throw Error(Error::io, "there is no tea"); };
  try {
    agree_on_text(comm, last, no_text);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "there is no tea");
  }
}

TEST(Communicator, reduces_gathers_and_splits) {
  const Communicator comm(MPI_COMM_WORLD);
  const std::int64_t last = comm.size() - 1;
  EXPECT_EQ(comm.max(std::int64_t{comm.rank()}), last);
  EXPECT_EQ(comm.min(std::int64_t{comm.rank()}), 0);
  EXPECT_EQ(comm.broadcast(comm.rank() == last ? "hello" : "", static_cast<int>(last)), "hello");
  std::vector<std::int64_t> mine(static_cast<std::size_t>(comm.rank()), comm.rank());
  const auto all = comm.gather_all(mine);
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    EXPECT_EQ(all[rank], std::vector<std::int64_t>(rank, static_cast<std::int64_t>(rank)));
  const Communicator half = comm.split(comm.rank() % 2);
  EXPECT_EQ(half.size(), (comm.size() + 1 - comm.rank() % 2) / 2);
}

TEST(Communicator, gathers_long_lists_in_rounds) {
  const Communicator comm(MPI_COMM_WORLD);
  const auto list_of = [&](int rank) {
    const bool is_long = rank == comm.size() / 2;
    std::vector<std::int64_t> list((is_long ? (std::size_t{1} << 20) + 5 : 0) +
                                   3 * static_cast<std::size_t>(rank));
    std::iota(list.begin(), list.end(), std::int64_t{rank} << 32);
    return list;
  };
  const auto all = comm.gather_all(list_of(comm.rank()));
  ASSERT_EQ(all.size(), static_cast<std::size_t>(comm.size()));
  for (int rank = 0; rank < comm.size(); ++rank)
    EXPECT_TRUE(all[static_cast<std::size_t>(rank)] == list_of(rank)) << rank;
}

TEST(Nodes, pretended_ones_hold_consecutive_ranks) {
  const Communicator comm(MPI_COMM_WORLD);
  const auto nodes = nodes_of_ranks(comm, {2});
  for (int rank = 0; rank < comm.size(); ++rank)
    EXPECT_EQ(nodes[static_cast<std::size_t>(rank)], rank / 2);
  const auto real = nodes_of_ranks(comm);
  EXPECT_EQ(real, std::vector<int>(static_cast<std::size_t>(comm.size()), 0)) << "one machine";
}

TEST(Datatype, of_a_box_has_the_size_of_its_points) {
  const auto size = [](const Datatype& type) {
    MPI_Count bytes = 0;
    MPI_Type_size_x(type.handle(), &bytes);
    return static_cast<std::int64_t>(bytes);
  };
  EXPECT_EQ(size(box_type(16, {3, 4, 5}, {100, 10, 1})), 3 * 4 * 5 * 16);
  EXPECT_EQ(size(box_type(8, {1, 1}, {7, 1})), 8);
  const std::int64_t many = (std::int64_t{1} << 31) + 12345;
  EXPECT_EQ(size(run_type(carrier(1), many)), many);
  EXPECT_EQ(size(box_type(4, {2, many}, {many + 5, 1})), 2 * many * 4);
}

TEST(MpiErrors, are_told_in_mpis_words) {
  try {
    check_mpi(MPI_ERR_COUNT, "MPI_Send");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Error::system);
    EXPECT_EQ(error.message().rfind("MPI_Send failed: ", 0), 0U) << error.message();
  }
}
