// program/message_groups: sorts messages by cell.

#include "weft/program/message_groups.hpp"

#include <algorithm>
#include <map>

namespace weft {

bool goes_in_groups(const ExchangeProgram& exchange) {
  return std::ranges::none_of(exchange.collectives, [](const Collective& each) {
    return each.method == Collective::alltoallw;
  });
}

std::vector<MessageGroup> message_groups(const Program& program) {
  std::vector<MessageGroup> groups;
  for (std::size_t e = 0; e < program.exchanges.size(); ++e) {
    const ExchangeProgram& exchange = program.exchanges[e];
    if (!goes_in_groups(exchange)) continue;
    std::map<int, std::vector<MessageGroup::Member>> members;  // by number
    for (std::size_t i = 0; i < exchange.receives.size(); ++i)
      members[exchange.receives[i].cell].push_back({Task::receive, static_cast<int>(i)});
    for (std::size_t i = 0; i < exchange.sends.size(); ++i)
      members[exchange.sends[i].cell].push_back({Task::send, static_cast<int>(i)});
    for (std::size_t i = 0; i < exchange.collectives.size(); ++i)
      members[static_cast<int>(i)].push_back({Task::collective, static_cast<int>(i)});
    for (auto& [number, of_number] : members)
      groups.push_back({static_cast<int>(e), number, std::move(of_number)});
  }
  return groups;
}

}  // namespace weft
