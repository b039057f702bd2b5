// exchange/exchange: what messages tell of an exchange, and the table of exchanges.

#include "weft/exchange/exchange.hpp"

#include "weft/base/table.hpp"

namespace weft {

void Exchange::lay_out(const MessageSides& sides, std::int64_t element_bytes) {
  outgoing_ = sides.outgoing;
  incoming_ = sides.incoming;
  outgoing_messages_ = sides.outgoing_messages();
  incoming_messages_ = sides.incoming_messages();
  send_elements_ = sides.sent.elements;
  receive_elements_ = sides.receive_elements;
  for (const Message& message : sides.sent.messages)
    sent_.push_back({message.peer, message.count * element_bytes});
  make_room();
}

const std::vector<ExchangeRow>& exchanges() {
  static const std::vector<ExchangeRow> table{shared_row(),    node_row(),     p2p_row(),
                                              alltoallv_row(), alltoall_row(), alltoallw_row()};
  return table;
}

const ExchangeRow& find_exchange(const std::string& name, const Problem& problem,
                                 const Machine& machine) {
  return find_entry(exchanges(), name, "exchange",
                    [&](const ExchangeRow& row) { return row.applies(problem, machine); });
}

}  // namespace weft
