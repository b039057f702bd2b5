// capi/reordered: new numbers for ranks. A part of the library of machines.

#include "weft/reordered.h"

#include <algorithm>
#include <string>
#include <utility>

#include "weft/capi/converted.hpp"
#include "weft/capi/sized.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/duplicates.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/reordered.hpp"

using namespace weft::capi;

namespace {

// The texts of the last call on this thread.
thread_local std::string order, strategy;

// As weft::reordered counts them, where -1 is the default.
std::int64_t swaps_of(const weft_network& network) {
  if (network.swaps < -1)
    throw weft::Error(weft::Error::invalid, fmt::format("{} swaps", network.swaps),
                      "0 for the default, -1 for none, or a number");
  return network.swaps == 0 ? -1 : std::max<std::int64_t>(0, network.swaps);
}

}  // namespace

weft_status weft_network_init(weft_network* network, size_t size) {
  return init(network, size, "weft_network");
}

weft_status weft_reorder(MPI_Comm comm, const weft_problem* problem, const char* settings,
                         const weft_network* given_network, weft_reordered* reordered) {
  return status_of([&] {
    // As with plans, what one rank gives wrongly is an error on all.
    const auto ranks = weft::shared_duplicate(comm);
    const auto [asked, network] = weft::agree(*ranks, [&] {
      require_size<weft_reordered>(given(reordered, "weft_reordered").size, "weft_reordered");
      const weft_network read_network = read(given_network, "weft_network");
      static_cast<void>(given(read_network.machine, "the machine of the network"));
      static_cast<void>(swaps_of(read_network));
      return std::pair(asked_of(problem, settings), read_network);
    });
    weft::ReorderedRanks made = weft::reordered(comm, asked.problem, network.machine, network.node,
                                                asked.options, swaps_of(network));
    order = std::move(made.order);
    strategy = std::move(made.strategy);
    weft_reordered told{};
    told.comm = made.comm;
    told.order = order.c_str();
    told.strategy = strategy.c_str();
    told.seconds_before = made.seconds_before;
    told.seconds = made.seconds;
    write(reordered, told, "weft_reordered");
  });
}
