// exchange/grouped_messages: counts the tasks of groups, and starts them.

#include "weft/exchange/grouped_messages.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "weft/base/ensure.hpp"
#include "weft/program/index.hpp"

namespace weft {

namespace {

std::vector<int> list_of(const std::set<int>& ranks) { return {ranks.begin(), ranks.end()}; }

}  // namespace

GroupedMessages::GroupedMessages(const Program& program, NcclChannel& channel,
                                 GroupTurns::Turn& turn)
    : channel_(&channel),
      turn_(&turn),
      numbers_(program.exchanges.size()),
      marks_(channel.queue(), message_groups(program).size()) {
  for (std::size_t e = 0; e < program.exchanges.size(); ++e) {
    const ExchangeProgram& exchange = program.exchanges[e];
    carries_.push_back(goes_in_groups(exchange));
    numbers_[e].receives.assign(exchange.receives.size(), -1);
    numbers_[e].sends.assign(exchange.sends.size(), -1);
    numbers_[e].collectives.assign(exchange.collectives.size(), -1);
  }
  for (const MessageGroup& group : message_groups(program))
    add(program.exchanges[at(group.exchange)], group);
  std::set<int> receivers, senders;
  std::size_t tasks = 0, sends = 0, receives = 0;
  for (const Group& group : groups_) {
    for (const Part& part : group.sends) receivers.insert(part.peer);
    for (const Part& part : group.receives) senders.insert(part.peer);
    tasks += group.members.size();
    sends = std::max(sends, group.sends.size());
    receives = std::max(receives, group.receives.size());
  }
  receivers_ = list_of(receivers);
  senders_ = list_of(senders);
  left_.resize(groups_.size());
  sends_at_.reserve(sends);
  receives_at_.reserve(receives);
  completions_.reserve(tasks);
}

// Both sides of a message know its size, and leave out those of no bytes. Of an alltoall, what
// lies in the slots is moved, and not what fills them.
void GroupedMessages::add(const ExchangeProgram& exchange, const MessageGroup& group) {
  const std::int64_t element_bytes = exchange.element_bytes;
  Group made;
  const auto add_part = [&](std::vector<Part>& parts, int buffer, const auto& run) {
    if (run.count > 0)
      parts.push_back({buffer, run.offset * element_bytes, run.count * element_bytes, run.peer});
  };
  for (const MessageGroup::Member& member : group.members) {
    made.members.push_back({group.exchange, member});
    numbers_[at(group.exchange)].of(member.kind)[at(member.index)] =
        static_cast<int>(groups_.size());
    if (member.kind == Task::receive) {
      const Message& message = exchange.receives[at(member.index)];
      add_part(made.receives, message.buffer, message);
    } else if (member.kind == Task::send) {
      const Message& message = exchange.sends[at(member.index)];
      add_part(made.sends, message.buffer, message);
    } else {
      const Collective& collective = exchange.collectives[at(member.index)];
      for (const Collective::Part& part : collective.sends)
        add_part(made.sends, collective.send_buffer, part);
      for (const Collective::Part& part : collective.receives)
        add_part(made.receives, collective.receive_buffer, part);
    }
  }
  // Those between two ranks are matched by their order: there is one at most.
  for (auto* const parts : {&made.sends, &made.receives}) {
    std::ranges::sort(*parts, {}, &Part::peer);
    ensure(std::ranges::adjacent_find(*parts, {}, &Part::peer) == parts->end(), group.exchange,
           group.number);
  }
  groups_.push_back(std::move(made));
}

void GroupedMessages::begin(const Addresses& addresses) {
  ensure(is_idle());
  addresses_ = &addresses;
  for (std::size_t g = 0; g < groups_.size(); ++g) left_[g] = groups_[g].members.size();
  next_ = 0;
  starting_ = -1;
  marks_.begin();
  completions_.clear();
}

void GroupedMessages::submit(const Member& member) {
  ++open_;
  --left_[at(numbers_[at(member.exchange)].of(member.task.kind)[at(member.task.index)])];
}

std::span<const NcclChannel::Part> GroupedMessages::located(
    const std::vector<Part>& parts, std::vector<NcclChannel::Part>& found) const {
  found.clear();
  for (const Part& part : parts)
    found.push_back({(*addresses_)[at(part.buffer)] + part.offset_bytes, part.bytes, part.peer});
  return found;
}

void GroupedMessages::start(const Group& group) {
  if (group.sends.empty() && group.receives.empty()) return;
  channel_->start(located(group.sends, sends_at_), located(group.receives, receives_at_));
}

void GroupedMessages::progress() {
  const bool has_started = channel_->has_started();
  if (starting_ >= 0 && has_started) marks_.add(std::exchange(starting_, -1));
  while (starting_ < 0 && next_ < groups_.size() && left_[next_] == 0 && turn_->is_next()) {
    start(groups_[next_]);
    starting_ = static_cast<int>(next_++);
    if (channel_->has_started()) marks_.add(std::exchange(starting_, -1));
  }
  if (starting_ < 0 && next_ == groups_.size()) turn_->pass();
  for (int done = marks_.take(); done >= 0; done = marks_.take())
    for (const Member& member : groups_[at(done)].members) {
      completions_.push_back(member);
      --open_;
    }
}

}  // namespace weft
