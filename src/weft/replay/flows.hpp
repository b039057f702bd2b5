// replay/flows: data under way over the links of a network, which share the bandwidth fairly.
// Pure.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace weft {

/// Flows of bytes, each over a set of links. At any time their rates are max-min fair: no flow can
/// be faster without making one slower that is not faster than it (Bertsekas and Gallager, Data
/// Networks, 1992, 6.5.2), as in the flow model of SimGrid. Rates are found by progressive filling
/// when flows have begun or ended; with a tolerance, not every time.
class Flows {
 public:
  /// The links carry these numbers of bytes per second, all positive. With a `tolerance`, a flow
  /// ends together with another one if less than this fraction of its bytes is left, and rates may
  /// be out of date for four times this fraction of what the shortest flow takes: thousands of
  /// flows of equal size that share links then take few steps.
  explicit Flows(std::vector<double> bytes_per_second, double tolerance = 0);

  /// A flow of `bytes` over `links` (each once) begins at `time`, which is not before that of any
  /// earlier call, nor after next_end(). `number` is told when it ends. One without links or bytes
  /// ends at once.
  void start(double time, const std::vector<int>& links, double bytes, int number);
  /// When the next flow ends, if none begins before that; infinity if there is none, or none before
  /// `event`, the time at which the caller will look again.
  double next_end(double event = std::numeric_limits<double>::infinity());
  /// Appends the numbers of the flows that end at next_end(), in the order in which they began, and
  /// forgets them.
  void take_ended(std::vector<int>& numbers);
  /// Flows that have begun and not ended.
  std::size_t count() const { return flows_.size(); }

 private:
  struct Flow {
    int number;
    double left;   // bytes, at time_
    double bytes;  // of all
    double rate;
    std::size_t first, last;  // its links, in links_
  };

  void advance(double time);
  void share();
  void list_users();
  void find_until_end();
  void forget_old_links();

  std::vector<double> speeds_;
  double tolerance_;
  std::vector<Flow> flows_;  // in the order in which they began
  std::vector<int> links_;   // of all flows, one after the other, also of some that have ended
  double time_ = 0;
  double until_end_ = std::numeric_limits<double>::infinity();  // from time_, with these rates
  bool is_shared_ = true;                // whether the rates are those of the present flows
  double shared_at_ = 0, shortest_ = 0;  // when rates were found, and what the shortest flow takes
  // What share() uses, kept so that it need not be allocated again: by link, what is left and for
  // how many flows; the flows of link l are flows_of_[first_of_[l]] to flows_of_[first_of_[l + 1]].
  std::vector<double> capacity_;
  std::vector<int> users_, used_, flows_of_;
  std::vector<std::size_t> first_of_;
};

}  // namespace weft
