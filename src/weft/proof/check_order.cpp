// proof/check_order: collects edges between events, then lists them by the event that they end
// at.

#include "weft/proof/check_order.hpp"

#include <algorithm>
#include <map>

#include "weft/program/message_groups.hpp"

namespace weft {

namespace {

bool completes_at_once(const Task& task) {
  return task.kind == Task::raise || task.kind == Task::milestone;
}

}  // namespace

OrderGraph::OrderGraph(const ProgramSet& set, int direction, const Matches& matches)
    : set_(&set), direction_(direction) {
  add_tasks();
  add_waits();
  add_signals();
  add_messages(matches);
  add_limits(matches);
  add_collectives(matches);
  add_groups(matches);
  causes_ = lists_of(events_, before_);
  holds_ = lists_of(events_, held_);
  lag_numbers_.assign(at(events_), -1);
  for (std::size_t i = 0; i < lag_waits_.size(); ++i)
    lag_numbers_[at(lag_waits_[i].event)] = static_cast<int>(i);
}

void OrderGraph::add_tasks() {
  for (const Program& program : programs()) {
    begins_.push_back(add_event());
    add_event();
    first_tasks_.push_back(static_cast<int>(submits_.size()));
    for (const Task& task : program.tasks) {
      submits_.push_back(add_event());
      completes_.push_back(completes_at_once(task) ? submits_.back() : add_event());
    }
  }
}

// A run of a rank ends when all its tasks are complete. Edges from tasks that no other task waits
// for are enough.
void OrderGraph::add_waits() {
  std::vector<bool> is_waited_for;
  for (const Program& program : programs()) {
    const int rank = program.rank;
    is_waited_for.assign(program.tasks.size(), false);
    for (std::size_t t = 0; t < program.tasks.size(); ++t) {
      const Task& task = program.tasks[t];
      const int number = static_cast<int>(t);
      const int submitted = submit(rank, number), completed = complete(rank, number);
      if (submitted != completed) before_.emplace_back(completed, submitted);
      if (task.waits.empty()) before_.emplace_back(submitted, begin(rank));
      for (const Wait& wait : task.waits) {
        before_.emplace_back(
            submitted, wait.until_submitted ? submit(rank, wait.task) : complete(rank, wait.task));
        if (!wait.until_submitted) is_waited_for[at(wait.task)] = true;
      }
    }
    before_.emplace_back(end(rank), begin(rank));
    for (std::size_t t = 0; t < program.tasks.size(); ++t)
      if (!is_waited_for[t]) before_.emplace_back(end(rank), complete(rank, static_cast<int>(t)));
  }
}

void OrderGraph::add_signals() {
  first_signal_ = events_;
  first_signals_.assign(set_->node_of_rank.size(), -1);
  for (const Program& program : programs()) {
    int& first = first_signals_[at(set_->node_of_rank[at(program.rank)])];
    if (first < 0) {
      first = events_;
      events_ += static_cast<int>(program.signals.size());
    }
    for (std::size_t t = 0; t < program.tasks.size(); ++t) {
      const Task& task = program.tasks[t];
      const int done = complete(program.rank, static_cast<int>(t));
      if (task.kind == Task::raise) before_.emplace_back(first + task.index, done);
      if (task.kind != Task::await) continue;
      if (task.lag == 0)
        before_.emplace_back(done, first + task.index);
      else
        lag_waits_.push_back({done, first + task.index, task.lag});
    }
  }
  signals_ = events_ - first_signal_;
}

void OrderGraph::add_messages(const Matches& matches) {
  for (const MessageMatch& match : matches.messages) {
    before_.emplace_back(complete(match.receiver, match.receive), submit(match.sender, match.send));
    held_.emplace_back(complete(match.sender, match.send), submit(match.receiver, match.receive));
  }
}

// If an exchange limits its sends, any of them may delay the others, so all sends may complete only
// after all their receives have been posted.
void OrderGraph::add_limits(const Matches& matches) {
  std::vector<std::vector<int>> limits(programs().size());  // by rank and exchange: an event
  for (const MessageMatch& match : matches.messages) {
    const Program& program = programs()[at(match.sender)];
    const int exchange = program.steps[at(program.tasks[at(match.send)].step)].exchange;
    if (program.exchanges[at(exchange)].send_limit == ExchangeProgram::SendLimit::none) continue;
    auto& of_rank = limits[at(match.sender)];
    of_rank.resize(program.exchanges.size(), -1);
    int& limit = of_rank[at(exchange)];
    if (limit < 0) limit = add_event();
    held_.emplace_back(limit, submit(match.receiver, match.receive));
    held_.emplace_back(complete(match.sender, match.send), limit);
    held_.emplace_back(complete(match.receiver, match.receive), limit);
  }
}

void OrderGraph::add_collectives(const Matches& matches) {
  for (const CollectiveMatch& match : matches.collectives) {
    const int all_started = add_event();
    Edges& all = match.all_to_all ? before_ : held_;
    for (std::size_t m = 0; m < match.ranks.size(); ++m) {
      before_.emplace_back(all_started, submit(match.ranks[m], match.tasks[m]));
      all.emplace_back(complete(match.ranks[m], match.tasks[m]), all_started);
    }
    for (const auto& [from, to] : match.moves)
      before_.emplace_back(complete(match.ranks[at(to)], match.tasks[at(to)]),
                           submit(match.ranks[at(from)], match.tasks[at(from)]));
  }
}

// The events of a group: it starts on the device when the group before has ended there and all of
// its tasks have been submitted, and they complete when it ends: after its start on all ranks to
// which it has a message or from which it has one.
void OrderGraph::add_groups(const Matches& matches) {
  std::vector<std::map<int, GroupEvents>> groups(programs().size());  // by rank and task
  for (const Program& program : programs())
    if (program.may_group) groups[at(program.rank)] = groups_of(program);
  const auto meet = [&](int rank, int task, int other, int task_of_other) {
    const auto mine = groups[at(rank)].find(task);
    const auto theirs = groups[at(other)].find(task_of_other);
    if (mine == groups[at(rank)].end() || theirs == groups[at(other)].end()) return;
    held_.emplace_back(mine->second.ends, theirs->second.starts);
    held_.emplace_back(theirs->second.ends, mine->second.starts);
  };
  for (const MessageMatch& match : matches.messages)
    meet(match.sender, match.send, match.receiver, match.receive);
  for (const CollectiveMatch& match : matches.collectives) {
    for (const auto& [from, to] : match.moves)
      meet(match.ranks[at(from)], match.tasks[at(from)], match.ranks[at(to)], match.tasks[at(to)]);
    for (std::size_t a = 0; match.all_to_all && a < match.ranks.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        meet(match.ranks[a], match.tasks[a], match.ranks[b], match.tasks[b]);
  }
}

std::map<int, OrderGraph::GroupEvents> OrderGraph::groups_of(const Program& program) {
  std::map<std::tuple<int, Task::Kind, int>, int> tasks;  // by exchange, kind and index
  for (std::size_t t = 0; t < program.tasks.size(); ++t) {
    const Task& task = program.tasks[t];
    const int exchange = program.steps[at(task.step)].exchange;
    if (exchange >= 0) tasks[{exchange, task.kind, task.index}] = static_cast<int>(t);
  }
  std::map<int, GroupEvents> events;  // by task
  GroupEvents before{-1, -1};
  for (const MessageGroup& group : message_groups(program)) {
    const GroupEvents mine{add_event(), add_event()};
    held_.emplace_back(mine.ends, mine.starts);
    if (before.ends >= 0) held_.emplace_back(mine.starts, before.ends);
    for (const MessageGroup::Member& member : group.members) {
      const int task = tasks.at({group.exchange, member.kind, member.index});
      held_.emplace_back(mine.starts, submit(program.rank, task));
      held_.emplace_back(complete(program.rank, task), mine.ends);
      events[task] = mine;
    }
    before = mine;
  }
  return events;
}

OrderGraph::Lists OrderGraph::lists_of(int events, const Edges& edges) {
  Lists lists;
  lists.first.assign(at(events) + 1, 0);
  for (const auto& edge : edges) ++lists.first[at(edge.first) + 1];
  for (int event = 0; event < events; ++event) lists.first[at(event) + 1] += lists.first[at(event)];
  lists.events.resize(edges.size());
  std::vector<int> next(lists.first.begin(), lists.first.end() - 1);
  for (const auto& [event, earlier] : edges) lists.events[at(next[at(event)]++)] = earlier;
  return lists;
}

std::vector<int> OrderGraph::sorted(HazardList& hazards) const {
  enum : char { untouched, on_path, done };
  std::vector<char> state(at(events_), untouched);
  std::vector<int> order, path;
  std::vector<std::size_t> next;  // for each event of the path, the next event before it to visit
  order.reserve(at(events_));
  for (int start = 0; start < events_; ++start) {
    if (state[at(start)] != untouched) continue;
    path.push_back(start);
    next.push_back(0);
    state[at(start)] = on_path;
    while (!path.empty()) {
      const int event = path.back();
      const auto causes = causes_.of(event), holds = holds_.of(event);
      const std::size_t i = next.back()++;
      if (i == causes.size() + holds.size()) {
        state[at(event)] = done;
        order.push_back(event);
        path.pop_back();
        next.pop_back();
        continue;
      }
      const int earlier = i < causes.size() ? causes[i] : holds[i - causes.size()];
      if (state[at(earlier)] == on_path) {
        const auto first = std::find(path.begin(), path.end(), earlier);
        tell_cycle({first, path.end()}, hazards);
        return {};
      }
      if (state[at(earlier)] == done) continue;
      state[at(earlier)] = on_path;
      path.push_back(earlier);
      next.push_back(0);
    }
  }
  return order;
}

void OrderGraph::tell_cycle(std::span<const int> cycle, HazardList& hazards) const {
  std::vector<std::pair<int, int>> tasks(at(events_), {-1, -1});  // by event
  for (const Program& program : programs())
    for (int t = 0; t < static_cast<int>(program.tasks.size()); ++t)
      for (const int event : {submit(program.rank, t), complete(program.rank, t)})
        tasks[at(event)] = {program.rank, t};
  std::vector<std::pair<int, int>> waiting;
  bool is_held = false;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const auto held = holds_.of(cycle[i]);
    const int earlier = cycle[(i + 1) % cycle.size()];
    is_held = is_held || std::find(held.begin(), held.end(), earlier) != held.end();
    const auto& task = tasks[at(cycle[i])];
    if (task.first >= 0 && (waiting.empty() || waiting.back() != task)) waiting.push_back(task);
  }
  if (waiting.size() > 1 && waiting.front() == waiting.back()) waiting.pop_back();
  if (waiting.empty()) return;
  std::string text;
  for (const auto& [rank, task] : waiting)
    text += in_words(*set_, direction_, rank, task) + ", waits for ";
  text += waiting.size() == 1 ? "itself" : "the first of these";
  if (is_held)
    text += fmt::format(
        " (where MPI, {}or the limit of sends, holds messages back until they are received)",
        programs().front().may_group ? "the order of groups " : "");
  hazards.add(
      {Hazard::deadlock, direction_ == 0, waiting.front().first, waiting.front().second, text});
}

}  // namespace weft
