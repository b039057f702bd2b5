// run/schedule: which items of work are ready, as events happen. Pure: knows neither MPI nor
// memory. Keeps: quiet execution - a run allocates nothing; every item runs once.
#pragma once

#include <cstddef>
#include <vector>

namespace weft {

/// Items of work, and the events they wait for and bring about:
///
///     const int arrived = schedule.add_event(1);        // one cause: happens(arrived)
///     const int item = schedule.add_item(0);            // urgency: lower is sooner
///     schedule.needs(item, arrived);
///     schedule.causes(item, passed);                    // done(item) is a cause of `passed`
///
/// An event happens when all its causes have. Items of equal urgency run in the order in which they
/// were added, where they are ready together.
class Schedule {
 public:
  // ---- while it is made
  int add_item(int urgency);
  /// `causes`: how often happens(event) is called from outside, beyond what causes() adds.
  int add_event(int causes = 0);
  void needs(int item, int event);
  void causes(int item, int event);
  /// `later` has `earlier` as a cause.
  void causes_event(int earlier, int later);

  // ---- run after run
  void begin();
  void happens(int event);
  bool has_happened(int event) const { return missing_causes_[at(event)] == 0; }
  /// The most urgent item that is ready, taken from those that are; -1 if there is none.
  int take();
  /// Urgency of what take() would return; `none` if nothing is ready.
  int urgency() const;
  /// A taken item is done.
  void done(int item);
  bool is_done() const { return items_left_ == 0; }

  static constexpr int none = 1 << 30;

 private:
  struct Item {
    int urgency;
    int events = 0;  // it needs
    std::vector<int> causes;
  };
  struct Event {
    int causes = 0;
    std::vector<int> items, events;  // that wait for it
  };
  static std::size_t at(int number) { return static_cast<std::size_t>(number); }
  bool is_later(int a, int b) const;
  void make_ready(int item);
  void happened(int event);

  std::vector<Item> items_;
  std::vector<Event> events_;
  std::vector<int> missing_events_, missing_causes_;  // of items; of events
  std::vector<int> ready_;                            // a heap, the most urgent on top
  std::size_t items_left_ = 0;
};

}  // namespace weft
