// replay/transfers: takes matching messages and collectives apart.

#include "weft/replay/transfers.hpp"

#include <algorithm>
#include <map>

#include "weft/base/ensure.hpp"
#include "weft/planning/pairwise.hpp"
#include "weft/program/index.hpp"
#include "weft/proof/check_matches.hpp"

namespace weft {

namespace {

const ExchangeProgram& exchange_of(const Program& program, int task) {
  return program.exchanges[at(program.steps[at(program.tasks[at(task)].step)].exchange)];
}

// With alltoall, padding is sent, too.
std::int64_t sent_elements(const Collective& collective, const Collective::Part& part) {
  if (collective.method == Collective::alltoall) return collective.largest_count;
  return part.elements();
}

int round_of(const Collective& collective, int from, int to) {
  const std::vector<int>& group = collective.group;
  const auto place = [&](int rank) {
    return static_cast<int>(std::ranges::lower_bound(group, rank) - group.begin());
  };
  return pairwise_round(place(from), place(to), static_cast<int>(group.size()));
}

void add_collective(const std::vector<Program>& programs, const CollectiveMatch& match,
                    bool pairwise, std::vector<DataTransfer>& transfers) {
  std::map<int, int> task_of;
  for (std::size_t m = 0; m < match.ranks.size(); ++m) task_of[match.ranks[m]] = match.tasks[m];
  for (const auto& [rank, task] : task_of) {
    const Program& program = programs[at(rank)];
    const ExchangeProgram& exchange = exchange_of(program, task);
    const Collective& collective = exchange.collectives[at(program.tasks[at(task)].index)];
    const bool by_rounds = pairwise && collective.method == Collective::alltoallv;
    for (const Collective::Part& part : collective.sends)
      if (part.peer != rank)
        transfers.push_back(
            {rank, part.peer, task, task_of.at(part.peer),
             static_cast<double>(sent_elements(collective, part) * exchange.element_bytes),
             by_rounds ? round_of(collective, rank, part.peer) : 0});
  }
}

}  // namespace

std::vector<DataTransfer> transfers_of(const ProgramSet& set, bool pairwise) {
  const std::vector<Program>& programs = set.forward;
  HazardList hazards(1);
  const Matches matches = match_messages(set, 0, hazards);
  ensure(hazards.empty(), hazards.empty() ? "" : hazards.hazards().front().text);
  std::vector<DataTransfer> transfers;
  for (const MessageMatch& match : matches.messages) {
    const Program& sender = programs[at(match.sender)];
    const ExchangeProgram& exchange = exchange_of(sender, match.send);
    const Message& message = exchange.sends[at(sender.tasks[at(match.send)].index)];
    transfers.push_back({match.sender, match.receiver, match.send, match.receive,
                         static_cast<double>(message.count * exchange.element_bytes)});
  }
  for (const CollectiveMatch& match : matches.collectives)
    add_collective(programs, match, pairwise, transfers);
  return transfers;
}

}  // namespace weft
