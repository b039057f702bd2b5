// proof/check_matches: sorts sends and receives by pair of ranks and tag, and collectives by
// step, number and group.

#include "weft/proof/check_matches.hpp"

#include <algorithm>
#include <tuple>

#include "weft/program/index.hpp"

namespace weft {

namespace {

const ExchangeProgram& exchange_of(const Program& program, const Task& task) {
  return program.exchanges[at(program.steps[at(task.step)].exchange)];
}

// One side of a message.
struct Side {
  int sender, receiver, tag;
  bool receives;
  int task;
  std::int64_t bytes;
  int cell;

  auto key() const { return std::tie(sender, receiver, tag, receives); }
  bool is_of(const Side& other) const {
    return sender == other.sender && receiver == other.receiver && tag == other.tag;
  }
  int rank() const { return receives ? receiver : sender; }
};

std::vector<Side> sides_of(const std::vector<Program>& programs) {
  std::vector<Side> sides;
  for (const Program& program : programs)
    for (std::size_t t = 0; t < program.tasks.size(); ++t) {
      const Task& task = program.tasks[t];
      if (task.kind != Task::send && task.kind != Task::receive) continue;
      const bool receives = task.kind == Task::receive;
      const ExchangeProgram& exchange = exchange_of(program, task);
      const Message& message =
          receives ? exchange.receives[at(task.index)] : exchange.sends[at(task.index)];
      sides.push_back({receives ? message.peer : program.rank,
                       receives ? program.rank : message.peer, message.tag, receives,
                       static_cast<int>(t), message.count * exchange.element_bytes, message.cell});
    }
  std::sort(sides.begin(), sides.end(),
            [](const Side& a, const Side& b) { return a.key() < b.key(); });
  return sides;
}

void add_messages(const ProgramSet& set, int direction, HazardList& hazards, Matches& matches) {
  const auto sides = sides_of(programs_of(set, direction));
  for (auto side = sides.begin(); side != sides.end() && !hazards.is_full();) {
    const auto last = std::find_if_not(side, sides.end(), [&](auto& s) { return s.is_of(*side); });
    const auto add = [&](const auto& text) {
      hazards.add({Hazard::unmatched, direction == 0, side->rank(), side->task,
                   in_words(set, direction, side->rank(), side->task) + text});
    };
    const Side& other = *(last - 1);
    if (last - side == 1)
      add(fmt::format(": rank {} has no such {}", side->receives ? side->sender : side->receiver,
                      side->receives ? "send" : "receive"));
    else if (last - side > 2 || side->receives || !other.receives)
      add(fmt::format(": rank {} has more than one message with rank {} and this tag", side->rank(),
                      side->receives ? side->sender : side->receiver));
    else if (side->bytes != other.bytes)
      add(fmt::format(" has {} bytes, but rank {} receives {}", side->bytes, other.receiver,
                      other.bytes));
    else if (side->cell != other.cell)
      add(fmt::format(" is of cell {}, but rank {} receives it in cell {}", side->cell,
                      other.receiver, other.cell));
    else
      matches.messages.push_back({side->sender, side->task, other.receiver, other.task});
    side = last;
  }
}

// The elements that one member sends to (receives from) each peer, by ascending peer; peers without
// elements are left out.
using PeerBytes = std::vector<std::pair<int, std::int64_t>>;

PeerBytes counts_of(const std::vector<Collective::Part>& parts) {
  PeerBytes counts;
  for (const Collective::Part& part : parts)
    if (const std::int64_t elements = part.elements(); elements > 0)
      counts.emplace_back(part.peer, elements);
  std::sort(counts.begin(), counts.end());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (kept > 0 && counts[kept - 1].first == counts[i].first)
      counts[kept - 1].second += counts[i].second;
    else
      counts[kept++] = counts[i];
  counts.resize(kept);
  return counts;
}

// One member's part of a collective.
struct Member {
  int step, index, first_of_group, rank, task;
  const Collective* collective;
  std::int64_t element_bytes;

  auto key() const { return std::tie(step, index, first_of_group, rank); }
  bool is_of(const Member& other) const {
    return step == other.step && index == other.index && first_of_group == other.first_of_group;
  }
};

class CollectiveCheck {
 public:
  CollectiveCheck(const ProgramSet& set, int direction, HazardList& hazards)
      : set_(set), direction_(direction), hazards_(hazards) {}

  void add_to(Matches& matches) {
    std::vector<Member> all = members();
    for (auto first = all.begin(); first != all.end() && !hazards_.is_full();) {
      const auto last =
          std::find_if_not(first, all.end(), [&](auto& m) { return m.is_of(*first); });
      members_.assign(first, last);
      if (check_members()) {
        matches.collectives.emplace_back();
        match(matches.collectives.back());
      }
      first = last;
    }
  }

 private:
  std::vector<Member> members() const {
    std::vector<Member> all;
    for (const Program& program : programs_of(set_, direction_))
      for (std::size_t t = 0; t < program.tasks.size(); ++t) {
        const Task& task = program.tasks[t];
        if (task.kind != Task::collective) continue;
        const ExchangeProgram& exchange = exchange_of(program, task);
        const Collective& collective = exchange.collectives[at(task.index)];
        all.push_back({task.step, task.index, collective.group.front(), program.rank,
                       static_cast<int>(t), &collective, exchange.element_bytes});
      }
    std::sort(all.begin(), all.end(),
              [](const Member& a, const Member& b) { return a.key() < b.key(); });
    return all;
  }

  bool require(bool holds, const Member& member, const std::string& text) {
    return hazards_.require(
        holds, Hazard::unmatched, {direction_, member.rank, member.task}, "{}{}",
        holds ? "" : in_words(set_, direction_, member.rank, member.task), text);
  }

  // Checks that all members of the group have the collective, with the same arguments.
  bool check_members() {
    const Member& first = members_.front();
    const Collective& one = *first.collective;
    for (const Member& member : members_) {
      const Collective& other = *member.collective;
      if (!require(other.group == one.group && other.method == one.method &&
                       other.largest_count == one.largest_count &&
                       member.element_bytes == first.element_bytes,
                   member,
                   " has another group, method or size on rank " + std::to_string(first.rank)))
        return false;
    }
    for (std::size_t m = 0; m < one.group.size(); ++m)
      if (m >= members_.size() || members_[m].rank != one.group[m])
        return require(false, first, fmt::format(": rank {} has no such collective", one.group[m]));
    return true;
  }

  // Finds out who sends what to whom. A member's `sends` must agree with the others' `receives`.
  void match(CollectiveMatch& found) {
    std::vector<PeerBytes> sends, receives;
    for (const Member& member : members_) {
      found.ranks.push_back(member.rank);
      found.tasks.push_back(member.task);
      sends.push_back(counts_of(member.collective->sends));
      receives.push_back(counts_of(member.collective->receives));
      if (member.collective->method == Collective::alltoall) check_slots(member);
    }
    const std::size_t ranks = members_.size();
    std::vector<std::size_t> next_send(ranks, 0);
    std::size_t others = 0;
    for (std::size_t to = 0; to < ranks; ++to) {
      std::size_t next_receive = 0;
      for (std::size_t from = 0; from < ranks; ++from) {
        const std::int64_t sent = take(sends[from], next_send[from], members_[to].rank);
        const std::int64_t received = take(receives[to], next_receive, members_[from].rank);
        if (!require(sent == received, members_[to],
                     sent == received
                         ? std::string{}
                         : fmt::format(" receives {} elements from rank {}, which sends {}",
                                       received, members_[from].rank, sent)))
          return;
        if (sent == 0 || from == to) continue;
        ++others;
        found.moves.emplace_back(static_cast<int>(from), static_cast<int>(to));
      }
    }
    found.all_to_all = others == ranks * (ranks - 1);
    if (found.all_to_all) found.moves.clear();
  }

  static std::int64_t take(const PeerBytes& counts, std::size_t& next, int peer) {
    return next < counts.size() && counts[next].first == peer ? counts[next++].second : 0;
  }

  // Checks that parts are in the slots of their peers.
  void check_slots(const Member& member) {
    const Collective& collective = *member.collective;
    for (const auto* parts : {&collective.sends, &collective.receives})
      for (const Collective::Part& part : *parts) {
        const auto& group = collective.group;
        const auto peer = std::lower_bound(group.begin(), group.end(), part.peer) - group.begin();
        const std::int64_t slot = collective.first_slot + peer * collective.largest_count;
        const bool is_there = part.offset == slot && part.count <= collective.largest_count;
        if (!require(is_there, member,
                     is_there
                         ? std::string{}
                         : fmt::format(
                               " has {} elements at {} for rank {}, whose slot of {} is at {}",
                               part.count, part.offset, part.peer, collective.largest_count, slot)))
          return;
      }
  }

  const ProgramSet& set_;
  int direction_;
  HazardList& hazards_;
  std::vector<Member> members_;
};

// The ranks of every node, ascending.
std::vector<std::vector<int>> ranks_by_node(const ProgramSet& set) {
  std::vector<std::vector<int>> ranks(set.node_of_rank.size());
  for (int rank = 0; rank < ranks_of(set); ++rank)
    ranks[at(set.node_of_rank[at(rank)])].push_back(rank);
  return ranks;
}

}  // namespace

Matches match_messages(const ProgramSet& set, int direction, HazardList& hazards) {
  Matches matches;
  add_messages(set, direction, hazards, matches);
  CollectiveCheck(set, direction, hazards).add_to(matches);
  return matches;
}

void check_signals(const ProgramSet& set, int direction, HazardList& hazards) {
  std::vector<int> raises;
  for (const auto& ranks : ranks_by_node(set)) {
    if (ranks.empty()) continue;
    const auto& signals = program_of(set, direction, ranks.front()).signals;
    raises.assign(signals.size(), 0);
    for (const int rank : ranks) {
      const Program& program = program_of(set, direction, rank);
      if (!hazards.require(program.signals == signals, Hazard::signal, {direction, rank, -1},
                           "{}: its signals are not those of rank {}, which is on its node",
                           in_words(direction, rank), ranks.front()))
        return;
      std::vector<int> mine(signals.size(), 0);
      for (std::size_t t = 0; t < program.tasks.size(); ++t) {
        const Task& task = program.tasks[t];
        if (task.kind != Task::raise) continue;
        ++raises[at(task.index)];
        const bool again = ++mine[at(task.index)] > 1;
        if (again)
          hazards.add({Hazard::signal, direction == 0, rank, static_cast<int>(t),
                       in_words(set, direction, rank, static_cast<int>(t)) +
                           ": this rank raises it more than once"});
      }
    }
    for (std::size_t s = 0; s < signals.size(); ++s)
      hazards.require(
          raises[s] == signals[s].raisers, Hazard::signal, {direction, ranks.front(), -1},
          "{}: signal {} ({}) is raised by {} ranks of its node, instead of {}",
          in_words(direction, ranks.front()), s, signals[s].name, raises[s], signals[s].raisers);
  }
}

}  // namespace weft
