// proof/check_knowledge: the tasks known before an event are those that a search through all runs
// reaches.

#include "weft/proof/check_knowledge.hpp"

#include <gtest/gtest.h>

#include <random>

namespace weft {
namespace {

constexpr int ranks = 5, tasks = 24, signals = 3;
const std::vector<int> runs = {0, 0, 1, 1, 0};

// Tasks that wait for random others before them; some raise or await signals of the node.
Program random_program(int rank, std::mt19937& random) {
  const auto below = [&](int end) {
    return static_cast<int>(random() % static_cast<unsigned>(end));
  };
  Program program;
  program.rank = rank;
  for (int s = 0; s < signals; ++s) program.signals.push_back({std::to_string(s), 0});
  for (int t = 0; t < tasks; ++t) {
    Task task;
    task.kind = std::vector{Task::compute, Task::collective, Task::milestone, Task::raise,
                            Task::await}[static_cast<std::size_t>(below(5))];
    task.index = below(signals);
    if (task.kind == Task::await) task.lag = below(3);
    // Signals are awaited after those of lower number: nothing waits for itself.
    if (task.kind == Task::raise && t > tasks / 2) task.kind = Task::compute;
    if (task.kind == Task::await && t <= tasks / 2) task.lag = 1 + below(2);
    for (int wait = below(3); t > 0 && wait > 0; --wait)
      task.waits.push_back({below(t), Why::done, below(4) == 0});
    program.tasks.push_back(std::move(task));
  }
  return program;
}

// Events of all runs as one graph, searched from an event back to its causes.
class Search {
 public:
  explicit Search(const std::vector<Knowledge::Direction>& all) : all_(all) {
    for (const int direction : runs) {
      first_.push_back(events_);
      events_ += all[static_cast<std::size_t>(direction)].graph->events();
    }
  }

  std::vector<bool> before(int run, int event) const {
    std::vector<bool> found(static_cast<std::size_t>(events_), false);
    std::vector<std::pair<int, int>> path = {{run, event}};
    while (!path.empty()) {
      const auto [r, e] = path.back();
      path.pop_back();
      const auto place = static_cast<std::size_t>(first_[static_cast<std::size_t>(r)] + e);
      if (found[place]) continue;
      found[place] = true;
      const OrderGraph& graph = graph_of(r);
      for (const int earlier : graph.before(e)) path.emplace_back(r, earlier);
      for (int rank = 0; rank < ranks && r > 0; ++rank)
        if (graph.begin(rank) == e) path.emplace_back(r - 1, graph_of(r - 1).end(rank));
      const auto* wait = graph.lag_wait(e);
      if (wait == nullptr) continue;
      int earlier = r, left = wait->lag;
      while (left > 0 && --earlier >= 0)
        if (runs[static_cast<std::size_t>(earlier)] == runs[static_cast<std::size_t>(r)]) --left;
      if (earlier >= 0) path.emplace_back(earlier, wait->signal);
    }
    return found;
  }
  bool contains(const std::vector<bool>& found, int run, int event) const {
    return found[static_cast<std::size_t>(first_[static_cast<std::size_t>(run)] + event)];
  }
  const OrderGraph& graph_of(int run) const {
    return *all_[static_cast<std::size_t>(runs[static_cast<std::size_t>(run)])].graph;
  }

 private:
  const std::vector<Knowledge::Direction>& all_;
  std::vector<int> first_;
  int events_ = 0;
};

// Ranks 1, 2 and 4 are asked for; the others only pass on what they know.
void compare(const std::vector<Knowledge::Direction>& all) {
  const std::vector<int> asked = {1, 2, 4};
  Knowledge knowledge(all, runs, asked, ranks);
  const Search search(all);
  for (int run = 0; run < static_cast<int>(runs.size()); ++run) {
    knowledge.advance();
    for (int event = 0; event < search.graph_of(run).events(); ++event) {
      const auto found = search.before(run, event);
      for (const int rank : asked)
        for (int earlier = 0; earlier <= run; ++earlier) {
          const auto& direction =
              all[static_cast<std::size_t>(runs[static_cast<std::size_t>(earlier)])];
          ASSERT_EQ(knowledge.has_begun(event, rank, earlier),
                    search.contains(found, earlier, direction.graph->begin(rank)));
          for (int task = 0; task < tasks; ++task) {
            const int bit = direction.bits[static_cast<std::size_t>(rank)]
                                .completed[static_cast<std::size_t>(task)];
            if (bit < 0) continue;
            ASSERT_EQ(knowledge.has_completed(event, rank, earlier, bit),
                      search.contains(found, earlier, direction.graph->complete(rank, task)))
                << "run " << run << " event " << event << " rank " << rank << " run " << earlier
                << " task " << task;
          }
        }
    }
  }
}

}  // namespace

TEST(Knowledge, is_what_a_search_through_all_runs_reaches) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    std::mt19937 random(seed);
    ProgramSet set;
    set.node_of_rank = {0, 0, 1, 1, 1};
    for (int rank = 0; rank < ranks; ++rank) {
      set.forward.push_back(random_program(rank, random));
      set.backward.push_back(random_program(rank, random));
    }
    HazardList hazards(1);
    std::vector<OrderGraph> graphs;
    std::vector<Knowledge::Direction> all(directions);
    for (int direction = 0; direction < directions; ++direction)
      graphs.emplace_back(set, direction, Matches{});
    for (int direction = 0; direction < directions; ++direction) {
      auto& here = all[static_cast<std::size_t>(direction)];
      here.graph = &graphs[static_cast<std::size_t>(direction)];
      for (const Program& program : programs_of(set, direction))
        here.bits.push_back(task_bits(program));
      here.order = here.graph->sorted(hazards);
    }
    ASSERT_TRUE(hazards.empty());
    compare(all);
  }
}

}  // namespace weft
