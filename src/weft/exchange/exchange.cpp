// exchange/exchange: the table of exchanges.

#include "weft/exchange/exchange.hpp"

#include "weft/base/table.hpp"

namespace weft {

const std::vector<ExchangeRow>& exchanges() {
  static const std::vector<ExchangeRow> table{shared_row(),    node_row(),     p2p_row(),
                                              alltoallv_row(), alltoall_row(), alltoallw_row()};
  return table;
}

const ExchangeRow& find_exchange(const std::string& name, const Problem& problem,
                                 const Machine& machine) {
  return find_row(exchanges(), name, "exchange",
                  [&](const ExchangeRow& row) { return row.applies(problem, machine); });
}

}  // namespace weft
