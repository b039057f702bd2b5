// choose/turns: runs candidates in turn, whatever they are, and decides which is kept.
// Pure: makes no MPI call and no FFT library's.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace weft {

/// What ran in fewer turns was not tried: one run tells nothing on a machine that does something
/// else, too. More turns than the most tell little more. Choices.
constexpr int fewest_turns = 2, most_turns = 8;

/// What the runs of one candidate took.
struct Times {
  static constexpr double none = std::numeric_limits<double>::infinity();

  double seconds = none;  ///< the sum of the shortest times of all parts of a run
  std::array<double, most_turns> turns = filled_with_none();  ///< `none` where it did not run

  int count() const;  ///< of the turns in which it ran
  bool is_told() const { return count() >= fewest_turns; }

 private:
  static constexpr std::array<double, most_turns> filled_with_none() {
    std::array<double, most_turns> all{};
    all.fill(none);
    return all;
  }
};

/// The rule by which a difference counts: whether `challenger` should take the place of
/// `incumbent`.
bool is_faster(const Times& challenger, const Times& incumbent);

/// The number of the candidate that is kept: of the first `peers`, among which nothing speaks for
/// one, the fastest, unless another candidate is faster than that one by the rule. 0 if the first
/// one was not tried.
std::size_t kept(std::span<const Times> all, std::size_t peers = 1);

/// One of several candidates. Those with the same number of a group are compared with each other.
struct Entrant {
  std::size_t group = 0;
  Times times;
  std::vector<double> shortest = {};  ///< of each part of a run

  /// A run in this turn, which took so many seconds in each of its parts.
  void add(int turn, std::span<const double> parts);
};

/// Runs all candidates in turn, so that what else the machine does meets all of them, until
/// `is_time_up` or most_turns are over. run(number, turn) runs a candidate and adds what it took to
/// its times. After a few turns, candidates that are hopelessly slow do not run again. The
/// first two of each group run in the fewest turns in any case.
void run_in_turns(std::span<Entrant* const> all, const std::function<void(std::size_t, int)>& run,
                  const std::function<bool()>& is_time_up);

}  // namespace weft
