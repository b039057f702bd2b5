// plan/tags: what tells the messages of a plan apart - tags, of which MPI promises 32768. MPI's
// profiling interface watches receives under way, and may tell of fewer tags than there are.

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <tuple>

#include "support/world.hpp"
#include "weft/base/ensure.hpp"
#include "weft/weft.hpp"

using namespace weft;
using test::ranks_of_world;

namespace {

// Receives under way: by request, from whom, with which tag, on which communicator.
using Receive = std::tuple<int, int, MPI_Comm>;
std::map<MPI_Request*, Receive> receives;
int taken_for_another = 0, largest_used = 0;
std::optional<int> pretended_largest;

void complete(MPI_Request* requests, const int* places, int done) {
  for (int i = 0; i < done; ++i) receives.erase(requests + places[i]);
}

}  // namespace

extern "C" {
int MPI_Comm_get_attr(MPI_Comm comm, int key, void* value, int* is_there) {
  const int error = PMPI_Comm_get_attr(comm, key, value, is_there);
  if (key == MPI_TAG_UB && pretended_largest) *static_cast<int**>(value) = &*pretended_largest;
  return error;
}
int MPI_Irecv(void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
              MPI_Request* request) {
  const Receive mine{peer, tag, comm};
  for (const auto& [other, receive] : receives)
    if (receive == mine) ++taken_for_another;
  receives[request] = mine;
  largest_used = std::max(largest_used, tag);
  return PMPI_Irecv(data, count, type, peer, tag, comm, request);
}
int MPI_Testsome(int count, MPI_Request* requests, int* done, int* places, MPI_Status* statuses) {
  const int error = PMPI_Testsome(count, requests, done, places, statuses);
  complete(requests, places, *done);
  return error;
}
int MPI_Waitsome(int count, MPI_Request* requests, int* done, int* places, MPI_Status* statuses) {
  const int error = PMPI_Waitsome(count, requests, done, places, statuses);
  complete(requests, places, *done);
  return error;
}
}

namespace {

AnyPlan plan_of(const Problem& problem, const std::string& strategy) {
  Options options;
  options.strategy = strategy;
  options.effort = Effort::estimate;
  options.threads = 1;
  return {MPI_COMM_WORLD, problem, options};
}

// What making a plan says where MPI has tags up to `largest`.
std::string complaint(const Problem& problem, const std::string& strategy, int largest) {
  pretended_largest = largest;
  std::string what;
  try {
    plan_of(problem, strategy);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Error::invalid);
    what = error.message() + "; " + error.hint();
  }
  pretended_largest.reset();
  return what;
}

}  // namespace

TEST(Tags, tell_nineteen_exchanges_in_flight_apart) {
  const int ranks = ranks_of_world();
  const std::string first = fmt::format("{}x1x1", ranks), second = fmt::format("1x{}x1", ranks);
  const std::string start = fmt::format("fftw | from {} | fft 2,1", first);
  std::string there_and_back;
  for (int i = 0; i < 9; ++i)
    there_and_back +=
        fmt::format(" | p2p to {} in 4 | copy | p2p to {} in 4 | copy", second, first);
  const std::string end = fmt::format(" | p2p to {} in 4 | fft 0", second);
  const Problem problem = c2c({24, 26, 5});
  AnyPlan once = plan_of(problem, start + end),
          many = plan_of(problem, start + there_and_back + end);
  std::vector<std::complex<double>> from(static_cast<std::size_t>(once.input().elements));
  std::vector<std::complex<double>> expected(static_cast<std::size_t>(once.output().elements));
  auto found = expected;
  for (auto [at, x] : Points<std::complex<double>>(from.data(), once.input()))
    x = {1.0 / (1 + at[0] + 3 * at[1]), 0.5 * at[2] - at[0]};
  once.forward(from.data(), expected.data());
  taken_for_another = largest_used = 0;
  for (int run = 0; run < 2; ++run) {
    many.forward(from.data(), found.data());
    EXPECT_EQ(found, expected);
    std::fill(found.begin(), found.end(), 0);
  }
  EXPECT_EQ(taken_for_another, 0);
  EXPECT_LT(largest_used, 19 * 4 * 4) << "cut on both sides";
}

// weft keeps two tags for itself.
TEST(Tags, that_are_too_few_are_an_error_on_all_ranks) {
  const int ranks = ranks_of_world();
  const std::string strategy =
      fmt::format("fftw | from {0}x1x1 | fft 2,1 | p2p to 1x{0}x1 in 16 | fft 0", ranks);
  EXPECT_EQ(complaint(c2c({48, 48, 4}), strategy, 17), "");
  EXPECT_EQ(complaint(c2c({48, 48, 4}), strategy, 16),
            "the exchanges of '" + strategy +
                "' are cut into 16 cells, but MPI tells only 15 messages of two ranks apart; "
                "take fewer chunks");
}

// Parts along one axis on both sides: exchanges of 128 x 128 and of 127 x 127 cells.
TEST(Tags, that_MPI_promises_are_enough_for_two_exchanges_in_as_many_chunks_as_can_be) {
  const int ranks = ranks_of_world();
  const std::string first = fmt::format("1x{}x1x1", ranks), second = fmt::format("1x1x{}x1", ranks);
  const std::string two = fmt::format(
      "fftw | from {0} | fft 3,2 | p2p to {1} in 128 | fft 1 | p2p to {0} in 127 | copy", first,
      second);
  Problem problem = c2c({4, 4, 2});
  problem.batch = 128;
  EXPECT_EQ(complaint(problem, two, 32767), "");
  const std::string three = fmt::format("{} | p2p to {} in 128 | copy", two, second);
  EXPECT_EQ(complaint(problem, three, 32767),
            "the exchanges of '" + three +
                "' are cut into 48897 cells, but MPI tells only 32766 messages of two ranks apart; "
                "take fewer chunks");
}
