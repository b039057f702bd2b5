// run/scheduler: choosing what to do next.

#include "weft/run/scheduler.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>

#include "weft/base/trace.hpp"
#include "weft/comm/at_finalize.hpp"

namespace weft {

namespace {

// Between tiles MPI is asked at most for this part of the time, and at least this often.
constexpr double part_for_looking = 0.01;
constexpr double least_interval = 20e-6, largest_interval = 1e-3;
// A look moves a piece of a message (Open MPI over TCP: 64 KiB); an application that calls seldom
// finds many waiting. So a call goes on looking for this part of the time since the one before.
constexpr double part_for_catching_up = 0.1, longest_catching_up = 300e-6;
constexpr int most_looks = 1000;  // a simulated clock stands still while no request is open
// A helper with nothing to do sleeps so long: at 1 Gbit/s 6 kB arrive meanwhile.
constexpr std::chrono::microseconds nap(50);
// Whoever waits for several things asks so often in vain before making room for others.
constexpr int rounds_awake = 16;

}  // namespace

Scheduler& Scheduler::of_process() {
  static Scheduler scheduler;
  return scheduler;
}

Scheduler::Scheduler() : between_([this] { look_between_tiles(); }) {
  constexpr std::size_t many = 256;  // so that starting transforms allocates nothing
  flights_.reserve(many);
  calling_.reserve(many);
}

Scheduler::~Scheduler() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  work_for_helper_.notify_all();
  if (helper_.joinable()) helper_.join();
}

void Scheduler::add(Flight* flight) {
  if (!flight->is_under_way()) return;
  // In MPI_Finalize what is under way comes to its end, as long as messages can still be moved.
  before_finalize([] { of_process().wait_for_all(); });
  flights_.push_back(flight);
  if (flight->progress() != Progress::by_thread) return;
  ++helped_flights_;
  if (!helper_.joinable()) helper_ = std::thread([this] { help(); });
  work_for_helper_.notify_all();
}

bool Scheduler::advance_all() {
  bool moved = false;
  for (Flight* flight : flights_) moved = flight->advance() || moved;
  drop_ended();
  return moved;
}

void Scheduler::drop_ended() {
  std::erase_if(flights_, [this](Flight* flight) {
    if (flight->is_under_way()) return false;
    if (flight->progress() == Progress::by_thread) --helped_flights_;
    if (flight->has_due_callback()) calling_.push_back(flight);
    return true;
  });
}

// One round: what has come, then one item.
bool Scheduler::step() {
  const bool moved = advance_all();
  Flight* next = nullptr;
  for (Flight* flight : flights_)
    if (next == nullptr || flight->urgency() < next->urgency()) next = flight;
  if (next == nullptr || next->urgency() == Schedule::none) return moved;
  next->run_item(between_);
  // The others are asked in the next round: asking takes its time for every message.
  next->advance();
  drop_ended();
  return true;
}

// On the thread that runs an item: MPI is asked as often as asking costs little.
void Scheduler::look_between_tiles() {
  const double begin = now();
  if (begin < next_look_) return;
  bool looked = false;
  for (Flight* flight : flights_)
    if (flight->progress() != Progress::by_calls) {
      flight->move();
      looked = true;
    }
  if (!looked) {
    next_look_ = begin + largest_interval;
    return;
  }
  const double end = now();
  next_look_ = end + std::clamp((end - begin) / part_for_looking, least_interval, largest_interval);
}

bool Scheduler::progress() {
  bool moved = false;
  alone([&] {
    moved = step();
    catch_up();
  });
  run_callbacks();
  return moved;
}

void Scheduler::catch_up() {
  const double begin = now();
  const double part = part_for_catching_up * (begin - last_call_);
  const double end = begin + std::min(part, longest_catching_up);
  for (int looks = 0; looks < most_looks && !flights_.empty() && now() < end; ++looks)
    advance_all();
  last_call_ = now();
}

// On threads of the application only, and with nothing locked: a callback may start and wait.
void Scheduler::run_callbacks() {
  while (true) {
    Flight* flight = nullptr;
    std::function<void()> callback;
    alone([&] {
      if (calling_.empty()) return;
      flight = calling_.front();
      calling_.erase(calling_.begin());
      callback = flight->take_callback();
    });
    if (flight == nullptr) return;
    try {
      if (callback && !flight->failure()) callback();
    } catch (...) {
      flight->keep_callback_failure(std::current_exception());
    }
  }
}

void Scheduler::forget(Flight* flight) {
  alone([&] {
    drop_ended();
    std::erase(calling_, flight);
  });
}

void Scheduler::wait(const Flight& flight, std::int64_t run) {
  double idle_since = 0;
  for (int rounds = 0;;) {
    bool has_ended = false, is_idle = false;
    alone([&] {
      has_ended = flight.run() != run || !flight.is_under_way();
      if (has_ended) return;
      const double began = now();
      if (step()) {
        idle_since = 0;
        return;
      }
      if (idle_since == 0) idle_since = began;
      is_idle = flights_.size() > 1 || helped_flights_ > 0 || !flights_.front()->wait();
      const double ended = now();
      for (Flight* each : flights_) each->waited(idle_since, ended - idle_since);
      idle_since = ended;
    });
    run_callbacks();
    if (has_ended) return;
    rounds = is_idle ? rounds + 1 : 0;
    if (rounds > rounds_awake) sched_yield();
  }
}

void Scheduler::wait_for_all() {
  while (true) {
    Flight* first = nullptr;
    alone([&] { first = flights_.empty() ? nullptr : flights_.front(); });
    if (first == nullptr) return;
    wait(*first, first->run());
  }
}

bool Scheduler::is_in_use(const void* data, std::int64_t bytes, bool writes) const {
  return std::any_of(flights_.begin(), flights_.end(), [&](const Flight* flight) {
    return writes ? flight->uses(data, bytes) : flight->writes(data, bytes);
  });
}

// The helper's thread.
void Scheduler::help() {
  std::unique_lock lock(mutex_);
  while (!ends_) {
    if (helped_flights_ == 0) {
      work_for_helper_.wait(lock);
      continue;
    }
    const bool moved = step();
    lock.unlock();
    if (moved)
      sched_yield();
    else
      std::this_thread::sleep_for(nap);
    lock.lock();
  }
}

}  // namespace weft
