// program/schedule: tasks are submitted once each, when what they wait for is done, the most urgent
// items first.

#include "weft/program/schedule.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "support/dice.hpp"

namespace weft {
namespace {

using test::Dice;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr auto other_nodes = Feeds::other_nodes, this_node = Feeds::this_node,
               nobody = Feeds::nobody;

Wait completion_of(int task) { return {task, Why::done, false}; }
Wait submission_of(int task) { return {task, Why::ordered, true}; }

/// A program of tasks only: items of the sweep that is step 0, and tasks of the exchange that is
/// step 1.
struct Tasks {
  Program program;

  Tasks() {
    program.steps.resize(2);
    program.steps[0].sweep = 0;
    program.steps[1].exchange = 0;
    program.sweeps.resize(1);
    program.exchanges.resize(1);
  }
  int add(Task::Kind kind, const std::vector<Wait>& waits = {}) {
    Task task;
    task.kind = kind;
    task.step = kind == Task::compute ? 0 : 1;
    task.waits = waits;
    program.tasks.push_back(task);
    return static_cast<int>(program.tasks.size()) - 1;
  }
  int add_item(Feeds feeds, const std::vector<Wait>& waits = {}) {
    const int task = add(Task::compute, waits);
    auto& items = program.sweeps[0].items;
    program.tasks.back().index = static_cast<int>(items.size());
    items.push_back({0, 0, {}, feeds});
    return task;
  }
  int add_arrival(const std::vector<Wait>& waits = {}) {
    const int task = add(Task::milestone, waits);
    program.tasks.back().what = Task::arrived;
    return task;
  }
};

/// Runs all items that are ready, and those that become so: their order.
std::vector<int> run_items(Schedule& schedule) {
  std::vector<int> order;
  for (int item = schedule.take_item(); item >= 0; item = schedule.take_item()) {
    order.push_back(item);
    schedule.mark_completed(item);
  }
  return order;
}

/// Takes all tasks that are ready and are no items: their order.
std::vector<int> take_all_ready(Schedule& schedule) {
  std::vector<int> order;
  for (int task = schedule.take_ready(); task >= 0; task = schedule.take_ready())
    order.push_back(task);
  return order;
}

}  // namespace

TEST(Schedule, that_is_empty_is_done) {
  const Program program;
  Schedule schedule(program);
  schedule.begin();
  EXPECT_TRUE(schedule.is_done());
  EXPECT_EQ(schedule.take_item(), -1);
  EXPECT_EQ(schedule.take_ready(), -1);
  EXPECT_EQ(schedule.urgency(), Schedule::none);
}

TEST(Schedule, takes_the_most_urgent_item_and_of_equals_the_first_of_the_program) {
  Tasks tasks;
  for (const Feeds feeds : {nobody, other_nodes, this_node, other_nodes, nobody})
    tasks.add_item(feeds);
  Schedule schedule(tasks.program);
  schedule.begin();
  EXPECT_EQ(schedule.urgency(), static_cast<int>(other_nodes));
  EXPECT_THAT(run_items(schedule), ElementsAre(1, 3, 2, 0, 4));
  EXPECT_EQ(schedule.urgency(), Schedule::none);
  EXPECT_TRUE(schedule.is_done());
}

TEST(Schedule, an_item_that_becomes_ready_goes_before_those_less_urgent) {
  Tasks tasks;
  const int receive = tasks.add(Task::receive);
  const int first = tasks.add_item(this_node), second = tasks.add_item(this_node);
  const int urgent = tasks.add_item(other_nodes, {completion_of(receive)});
  Schedule schedule(tasks.program);
  schedule.begin();
  EXPECT_EQ(schedule.take_ready(), receive);
  EXPECT_EQ(schedule.take_item(), first);
  EXPECT_EQ(schedule.urgency(), static_cast<int>(this_node));
  schedule.mark_completed(receive);
  EXPECT_EQ(schedule.urgency(), static_cast<int>(other_nodes));
  EXPECT_EQ(schedule.take_item(), urgent);
  EXPECT_EQ(schedule.take_item(), second);
}

TEST(Schedule, takes_what_is_no_item_in_the_order_in_which_it_became_ready) {
  Tasks tasks;
  const int send = tasks.add(Task::send, {completion_of(2)});
  const int collective = tasks.add(Task::collective, {completion_of(3)});
  const int await = tasks.add(Task::await), receive = tasks.add(Task::receive);
  Schedule schedule(tasks.program);
  schedule.begin();
  EXPECT_THAT(take_all_ready(schedule), ElementsAre(await, receive));
  schedule.mark_completed(receive);
  schedule.mark_completed(await);
  EXPECT_THAT(take_all_ready(schedule), ElementsAre(collective, send));
}

TEST(Schedule, a_task_waits_for_all_it_needs) {
  for (const bool is_item : {true, false}) {
    Tasks tasks;
    const int here = tasks.add(Task::receive), there = tasks.add(Task::receive);
    const std::vector<Wait> both{completion_of(here), completion_of(there)};
    const int task = is_item ? tasks.add_item(nobody, both) : tasks.add(Task::send, both);
    const auto take = [&](Schedule& schedule) {
      return is_item ? schedule.take_item() : schedule.take_ready();
    };
    Schedule schedule(tasks.program);
    schedule.begin();
    EXPECT_THAT(take_all_ready(schedule), ElementsAre(here, there));
    schedule.mark_completed(there);
    EXPECT_EQ(take(schedule), -1);
    schedule.mark_completed(here);
    EXPECT_EQ(take(schedule), task);
    EXPECT_EQ(take(schedule), -1) << "again";
  }
}

TEST(Schedule, a_milestone_completes_when_all_that_it_waits_for_has) {
  Tasks tasks;
  const int first = tasks.add_item(nobody), second = tasks.add_item(nobody);
  const int receive = tasks.add(Task::receive), await = tasks.add(Task::await);
  const int milestone = tasks.add(Task::milestone, {completion_of(first), completion_of(second),
                                                    completion_of(receive), completion_of(await)});
  const int last = tasks.add_item(nobody, {completion_of(milestone)});
  Schedule schedule(tasks.program);
  schedule.begin();
  EXPECT_THAT(run_items(schedule), ElementsAre(first, second));
  EXPECT_THAT(take_all_ready(schedule), ElementsAre(receive, await));
  schedule.mark_completed(await);
  EXPECT_FALSE(schedule.has_completed(milestone));
  EXPECT_FALSE(schedule.is_done());
  schedule.mark_completed(receive);
  EXPECT_TRUE(schedule.has_completed(milestone));
  EXPECT_FALSE(schedule.is_done());
  EXPECT_THAT(run_items(schedule), ElementsAre(last));
  EXPECT_TRUE(schedule.is_done());
}

TEST(Schedule, an_item_that_is_taken_but_not_completed_lets_nothing_follow) {
  Tasks tasks;
  const int item = tasks.add_item(nobody);
  const int milestone = tasks.add(Task::milestone, {completion_of(item)});
  Schedule schedule(tasks.program);
  schedule.begin();
  EXPECT_EQ(schedule.take_item(), item);
  EXPECT_FALSE(schedule.has_completed(item));
  EXPECT_FALSE(schedule.has_completed(milestone));
  EXPECT_FALSE(schedule.is_done());
  schedule.mark_completed(item);
  EXPECT_TRUE(schedule.has_completed(milestone));
  EXPECT_TRUE(schedule.is_done());
}

TEST(Schedule, a_task_that_waits_for_a_submission_follows_at_once) {
  Tasks tasks;
  const int first = tasks.add(Task::collective);
  const int second = tasks.add(Task::collective, {submission_of(first)});
  const int third = tasks.add(Task::collective, {submission_of(second), completion_of(first)});
  Schedule schedule(tasks.program);
  schedule.begin();
  EXPECT_THAT(take_all_ready(schedule), ElementsAre(first, second));
  schedule.mark_completed(second);
  EXPECT_THAT(take_all_ready(schedule), IsEmpty());
  schedule.mark_completed(first);
  EXPECT_THAT(take_all_ready(schedule), ElementsAre(third));
}

// Its last tile may be done, and so the message be sent, before the item is.
TEST(Schedule, a_message_may_be_stored_once_its_items_are_submitted) {
  Tasks tasks;
  const int item = tasks.add_item(other_nodes), other = tasks.add_item(nobody);
  const int stored = tasks.add(Task::stored, {submission_of(item), submission_of(other)});
  const int follows = tasks.add(Task::receive, {submission_of(stored)});
  const int send = tasks.add(Task::send, {completion_of(stored)});
  Schedule schedule(tasks.program);
  schedule.begin();
  EXPECT_EQ(schedule.take_item(), item);
  EXPECT_THAT(take_all_ready(schedule), IsEmpty());
  EXPECT_EQ(schedule.take_item(), other);
  EXPECT_THAT(take_all_ready(schedule), ElementsAre(follows)) << "nobody has to submit `stored`";
  EXPECT_FALSE(schedule.has_completed(stored));
  schedule.mark_completed(stored);
  EXPECT_THAT(take_all_ready(schedule), ElementsAre(send));
  EXPECT_FALSE(schedule.has_completed(item));
}

TEST(Schedule, what_is_not_submitted_cannot_complete_and_nothing_completes_twice) {
  Tasks tasks;
  const int item = tasks.add_item(nobody);
  Schedule schedule(tasks.program);
  schedule.begin();
  EXPECT_THROW(schedule.mark_completed(item), Error);
  EXPECT_EQ(schedule.take_item(), item);
  schedule.mark_completed(item);
  EXPECT_THROW(schedule.mark_completed(item), Error);
}

TEST(Schedule, milestones_complete_each_other_whatever_their_order) {
  Tasks tasks;
  const int third = tasks.add(Task::milestone, {completion_of(2)});
  const int first = tasks.add(Task::receive);
  const int second = tasks.add(Task::milestone, {completion_of(first)});
  const int item = tasks.add_item(nobody, {completion_of(third)});
  Schedule schedule(tasks.program);
  schedule.begin();
  EXPECT_EQ(schedule.take_item(), -1);
  EXPECT_EQ(schedule.take_ready(), first);
  schedule.mark_completed(first);
  EXPECT_TRUE(schedule.has_completed(second));
  EXPECT_TRUE(schedule.has_completed(third));
  EXPECT_EQ(schedule.take_item(), item);
}

// A receive that is paired with a send is posted after it.
TEST(Schedule, tasks_that_become_ready_together_are_taken_in_the_order_of_the_program) {
  for (const auto& kinds : {std::array{Task::send, Task::receive, Task::send},
                            std::array{Task::receive, Task::send, Task::raise}}) {
    Tasks tasks;
    const int awaited = tasks.add(Task::await);
    std::vector<int> followers;
    for (const Task::Kind kind : kinds)
      followers.push_back(tasks.add(kind, {completion_of(awaited)}));
    Schedule schedule(tasks.program);
    schedule.begin();
    EXPECT_EQ(schedule.take_ready(), awaited);
    EXPECT_EQ(schedule.take_ready(), -1);
    schedule.mark_completed(awaited);
    for (const int follower : followers) EXPECT_EQ(schedule.take_ready(), follower);
  }
}

TEST(Schedule, milestones_that_wait_for_nothing_complete_at_the_beginning_with_all_that_follows) {
  for (const bool is_backward : {false, true}) {
    Tasks tasks;
    for (int i = 0; i < 3; ++i) tasks.add(Task::milestone);
    const int first = is_backward ? 2 : 0, last = is_backward ? 0 : 2;
    tasks.program.tasks[1].waits = {completion_of(first)};
    tasks.program.tasks[static_cast<std::size_t>(last)].waits = {completion_of(1),
                                                                 completion_of(first)};
    const int item = tasks.add_item(nobody, {completion_of(last), completion_of(first)});
    Schedule schedule(tasks.program);
    schedule.begin();
    EXPECT_TRUE(schedule.has_completed(last));
    EXPECT_THAT(run_items(schedule), ElementsAre(item));
    EXPECT_TRUE(schedule.is_done());
  }
}

TEST(Schedule, counts_the_arrivals_of_each_step) {
  Tasks tasks;
  const int early = tasks.add(Task::receive), late = tasks.add(Task::receive);
  tasks.add_arrival({completion_of(early)});
  tasks.add_arrival({completion_of(late)});
  tasks.add_arrival();
  tasks.add(Task::milestone, {completion_of(late)});  // no arrival
  Schedule schedule(tasks.program);
  for (int run = 0; run < 2; ++run) {
    schedule.begin();
    EXPECT_EQ(schedule.arrivals_left(0), 0);
    EXPECT_EQ(schedule.arrivals_left(1), 2);
    EXPECT_THAT(take_all_ready(schedule), ElementsAre(early, late));
    schedule.mark_completed(late);
    EXPECT_EQ(schedule.arrivals_left(1), 1);
    schedule.mark_completed(early);
    EXPECT_EQ(schedule.arrivals_left(1), 0);
  }
}

TEST(Schedule, begins_again_wherever_it_was) {
  Tasks tasks;
  const int receive = tasks.add(Task::receive);
  const int arrived = tasks.add_arrival({completion_of(receive)});
  const int first = tasks.add_item(this_node);
  const int waits_for_arrival = tasks.add_item(other_nodes, {completion_of(arrived)});
  const int passed = tasks.add(Task::milestone, {completion_of(first)});
  const int waits_for_first = tasks.add_item(other_nodes, {completion_of(passed)});
  Schedule schedule(tasks.program);
  for (int run = 0; run < 3; ++run) {
    schedule.begin();
    EXPECT_FALSE(schedule.has_completed(arrived));
    EXPECT_FALSE(schedule.has_completed(passed));
    EXPECT_EQ(schedule.take_ready(), receive);
    EXPECT_THAT(run_items(schedule), ElementsAre(first, waits_for_first));
    if (run == 1) continue;  // an error ended it
    schedule.mark_completed(receive);
    EXPECT_THAT(run_items(schedule), ElementsAre(waits_for_arrival));
    EXPECT_TRUE(schedule.is_done());
  }
}

// Of items in a stream.
TEST(Schedule, lets_items_follow_what_is_enqueued_and_others_what_is_complete) {
  Tasks tasks;
  const int first = tasks.add_item(this_node);
  const int passed = tasks.add(Task::milestone, {completion_of(first)});
  const int second = tasks.add_item(this_node, {completion_of(passed)});
  const int raise = tasks.add(Task::raise, {completion_of(passed)});
  Schedule schedule(tasks.program, Schedule::Items::are_enqueued);
  for (int run = 0; run < 2; ++run) {
    schedule.begin();
    EXPECT_EQ(schedule.take_item(), first);
    EXPECT_EQ(schedule.take_item(), -1);
    schedule.mark_enqueued(first);
    EXPECT_EQ(schedule.take_item(), second);
    schedule.mark_enqueued(second);
    EXPECT_EQ(schedule.take_ready(), -1);
    EXPECT_FALSE(schedule.has_completed(passed));
    EXPECT_FALSE(schedule.is_enqueued());
    schedule.mark_completed(first);
    EXPECT_TRUE(schedule.has_completed(passed));
    EXPECT_EQ(schedule.take_ready(), raise);
    schedule.mark_completed(raise);
    EXPECT_TRUE(schedule.is_enqueued());
    EXPECT_FALSE(schedule.is_done());
    schedule.mark_completed(second);
    EXPECT_TRUE(schedule.is_done());
  }
}

namespace {

/// Tasks that wait for any of those before them in `order`, which is not that of their numbers.
struct RandomTasks : Tasks {
  std::vector<int> order;

  explicit RandomTasks(Dice& dice) {
    const auto count = static_cast<std::size_t>(dice.between(0, 25));
    for (std::size_t i = 0; i < count; ++i) {
      const int kind = static_cast<int>(dice.between(0, 9));
      if (kind < 3)
        add_item(dice.pick<Feeds>({other_nodes, this_node, nobody}));
      else if (kind < 5)
        add(Task::milestone);
      else if (kind < 6)
        add_arrival();
      else
        add(dice.pick<Task::Kind>(
            {Task::stored, Task::receive, Task::send, Task::collective, Task::raise, Task::await}));
    }
    order.resize(count);
    std::iota(order.begin(), order.end(), 0);
    dice.shuffle(order);
    for (std::size_t later = 1; later < count; ++later)
      for (std::size_t earlier = 0; earlier < later; ++earlier)
        if (dice.chance(15))
          program.tasks[static_cast<std::size_t>(order[later])].waits.push_back(
              dice.chance(30) ? submission_of(order[earlier]) : completion_of(order[earlier]));
  }
};

/// The same by definition: everything is looked at again after every step.
struct Model {
  const RandomTasks& tasks;
  bool enqueues;  // items
  std::vector<bool> is_ready, is_submitted, is_enqueued, is_completed;

  Model(const RandomTasks& tasks_, Schedule::Items items)
      : tasks(tasks_),
        enqueues(items == Schedule::Items::are_enqueued),
        is_ready(tasks_.order.size()),
        is_submitted(tasks_.order.size()),
        is_enqueued(tasks_.order.size()),
        is_completed(tasks_.order.size()) {
    look();
  }
  const Task& task(int number) const {
    return tasks.program.tasks[static_cast<std::size_t>(number)];
  }
  // Whether all that a task waits for has been submitted, or is as `state` says.
  bool waits_are_over(const Task& one, const std::vector<bool>& state) const {
    return std::all_of(one.waits.begin(), one.waits.end(), [&](const Wait& wait) {
      const auto other = static_cast<std::size_t>(wait.task);
      return wait.until_submitted ? is_submitted[other] : state[other];
    });
  }
  // What is complete is no less than enqueued.
  void look() {
    for (const int number : tasks.order) {
      const auto t = static_cast<std::size_t>(number);
      const Task& one = task(number);
      is_enqueued[t] = is_enqueued[t] || is_completed[t];
      const bool is_early = one.kind == Task::compute || one.kind == Task::milestone;
      is_ready[t] = waits_are_over(one, enqueues && is_early ? is_enqueued : is_completed);
      if (!is_ready[t]) continue;
      if (one.kind == Task::milestone || one.kind == Task::stored) is_submitted[t] = true;
      if (one.kind == Task::milestone) is_enqueued[t] = true;
      if (one.kind == Task::milestone) is_completed[t] = waits_are_over(one, is_completed);
    }
  }
  int urgency(int number) const {
    return static_cast<int>(
        tasks.program.sweeps[0].items[static_cast<std::size_t>(task(number).index)].feeds);
  }
  // What waits to be taken: items, or all others; ascending.
  std::vector<int> waiting(bool items) const {
    std::vector<int> found;
    for (std::size_t t = 0; t < is_ready.size(); ++t)
      if (is_ready[t] && !is_submitted[t] &&
          (task(static_cast<int>(t)).kind == Task::compute) == items)
        found.push_back(static_cast<int>(t));
    return found;
  }
  int next_item() const {
    int best = -1;
    for (const int item : waiting(true))
      if (best < 0 || urgency(item) < urgency(best)) best = item;
    return best;
  }
  std::vector<int> under_way() const {
    std::vector<int> found;
    for (std::size_t t = 0; t < is_ready.size(); ++t)
      if (is_submitted[t] && !is_completed[t] && task(static_cast<int>(t)).kind != Task::milestone)
        found.push_back(static_cast<int>(t));
    return found;
  }
  bool is_all_enqueued() const {
    for (std::size_t t = 0; t < is_ready.size(); ++t) {
      const Task::Kind kind = task(static_cast<int>(t)).kind;
      if (kind != Task::stored && kind != Task::milestone && !is_enqueued[t]) return false;
    }
    return true;
  }
  bool is_done() const {
    return std::all_of(is_completed.begin(), is_completed.end(), [](bool is) { return is; });
  }
  int arrivals_left() const {
    int left = 0;
    for (std::size_t t = 0; t < is_completed.size(); ++t)
      left += task(static_cast<int>(t)).what == Task::arrived && !is_completed[t] ? 1 : 0;
    return left;
  }
};

void expect_same(const Schedule& schedule, const Model& model) {
  for (std::size_t t = 0; t < model.is_completed.size(); ++t)
    ASSERT_EQ(schedule.has_completed(static_cast<int>(t)), model.is_completed[t]) << t;
  const int next = model.next_item();
  ASSERT_EQ(schedule.urgency(), next < 0 ? Schedule::none : model.urgency(next));
  ASSERT_EQ(schedule.is_done(), model.is_done());
  if (model.enqueues) {
    ASSERT_EQ(schedule.is_enqueued(), model.is_all_enqueued());
  }
  ASSERT_EQ(schedule.arrivals_left(1), model.arrivals_left());
}

// Until all is done, or for some steps only; tasks are taken, and complete, in random order.
void run(Schedule& schedule, Model model, Dice& dice, std::int64_t most_steps) {
  schedule.begin();
  for (std::int64_t steps = 0; steps < most_steps && !model.is_done(); ++steps) {
    ASSERT_NO_FATAL_FAILURE(expect_same(schedule, model));
    const std::int64_t choice = dice.between(0, 2);
    int submitted = -1;
    if (choice == 0) {
      submitted = schedule.take_item();
      ASSERT_EQ(submitted, model.next_item());
    } else if (choice == 1) {
      const std::vector<int> waiting = model.waiting(false);
      submitted = schedule.take_ready();
      ASSERT_EQ(submitted < 0, waiting.empty());
      ASSERT_TRUE(submitted < 0 || testing::Matches(testing::Contains(submitted))(waiting));
    } else if (const std::vector<int> all = model.under_way(); !all.empty()) {
      const int task = dice.pick(all);
      const auto t = static_cast<std::size_t>(task);
      const bool is_item = model.task(task).kind == Task::compute;
      if (model.enqueues && is_item && !model.is_enqueued[t]) {
        schedule.mark_enqueued(task);
        model.is_enqueued[t] = true;
      } else {
        schedule.mark_completed(task);
        model.is_completed[t] = true;
      }
    }
    if (submitted >= 0) model.is_submitted[static_cast<std::size_t>(submitted)] = true;
    model.look();
  }
  ASSERT_NO_FATAL_FAILURE(expect_same(schedule, model));
}

}  // namespace

TEST(Schedule, does_as_the_model_does_run_after_run) {
  for (unsigned seed = 0; seed < 600; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    const RandomTasks tasks(dice);
    const auto items = seed % 2 == 0 ? Schedule::Items::run_at_once : Schedule::Items::are_enqueued;
    Schedule schedule(tasks.program, items);
    const Model model(tasks, items);
    for (int times = 0; times < 3 && !testing::Test::HasFatalFailure(); ++times)
      run(schedule, model, dice, dice.chance(20) ? dice.between(0, 30) : 100000);
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace weft
