// making/exchange_table: the table, and when each exchange applies.

#include "weft/making/exchange_table.hpp"

#include "weft/base/table.hpp"

namespace weft {

namespace {

std::optional<std::string> everywhere(const Problem& /*problem*/, const Machine& /*machine*/) {
  return std::nullopt;
}

std::optional<std::string> on_one_node(const Problem& /*problem*/, const Machine& machine) {
  if (machine.nodes() == 1) return std::nullopt;
  if (!machine.why_not_shared.empty()) return machine.why_not_shared;
  return fmt::format("the ranks are on {} nodes; within each, `node` does the same",
                     machine.nodes());
}

// One rank a node is a machine like any other; but ranks of one node that cannot share its memory
// lack what this exchange is for.
std::optional<std::string> where_memory_is_shared(const Problem& /*problem*/,
                                                  const Machine& machine) {
  if (machine.why_not_shared.empty() || machine.nodes() < machine.ranks) return std::nullopt;
  return machine.why_not_shared;
}

// An exchange of messages that passes store and load, by collectives for each cell.
ExchangeEntry by_collectives(const char* name, const char* summary, Preferred preferred,
                             decltype(ExchangeEntry::lay_out) lay_out) {
  return {.name = name,
          .summary = summary,
          .moves_arrays = false,
          .shares_memory = false,
          .cuts = true,
          .limits_sends = false,
          .preferred = preferred,
          .applies = everywhere,
          .lay_out = lay_out};
}

}  // namespace

const std::vector<ExchangeEntry>& exchanges() {
  static const std::vector<ExchangeEntry> table{
      {.name = "shared",
       .summary = "nothing is sent: a node's ranks load from each other's memory",
       .moves_arrays = false,
       .shares_memory = true,
       .cuts = true,
       .limits_sends = false,
       .preferred = Preferred::in_nodes,
       .applies = on_one_node,
       .lay_out = lay_out_node},
      {.name = "node",
       .summary =
           "shared memory within nodes, one message per pair of nodes, sent and received by all",
       .moves_arrays = false,
       .shares_memory = true,
       .cuts = true,
       .limits_sends = true,
       .preferred = Preferred::between_nodes,
       .applies = where_memory_is_shared,
       .lay_out = lay_out_node},
      {.name = "p2p",
       .summary = "isend and irecv; tiles are taken further as their messages arrive",
       .moves_arrays = false,
       .shares_memory = false,
       .cuts = true,
       .limits_sends = true,
       .preferred = Preferred::large_messages,
       .applies = everywhere,
       .lay_out = lay_out_p2p},
      by_collectives("alltoallv", "MPI_Ialltoallv of messages stored by the passes",
                     Preferred::never, lay_out_alltoallv),
      by_collectives("alltoall",
                     "MPI_Ialltoall of messages padded to equal size; for small messages",
                     Preferred::small_messages, lay_out_alltoall),
      {.name = "alltoallw",
       .summary = "MPI_Ialltoallw over sub-array types; the reference",
       .moves_arrays = true,
       .shares_memory = false,
       .cuts = false,
       .limits_sends = false,
       .preferred = Preferred::never,
       .applies = everywhere,
       .lay_out = lay_out_alltoallw}};
  return table;
}

const ExchangeEntry& find_exchange(const std::string& name, const Problem& problem,
                                   const Machine& machine) {
  return find_entry(exchanges(), name, "exchange",
                    [&](const ExchangeEntry& entry) { return entry.applies(problem, machine); });
}

}  // namespace weft
