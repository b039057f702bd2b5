// proof/hazard_list: the hazards found so far, and the words for ranks and tasks in their texts.
// Pure. Keeps: no text is made for hazards beyond the limit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "weft/base/ensure.hpp"
#include "weft/proof/check.hpp"

namespace weft {

/// The directions of a set are numbered: 0 forward, 1 backward.
constexpr int directions = 2;

inline const std::vector<Program>& programs_of(const ProgramSet& set, int direction) {
  return direction == 0 ? set.forward : set.backward;
}
inline const Program& program_of(const ProgramSet& set, int direction, int rank) {
  return programs_of(set, direction)[static_cast<std::size_t>(rank)];
}
inline int ranks_of(const ProgramSet& set) { return static_cast<int>(set.forward.size()); }

/// "rank 2 (backward)"
std::string in_words(int direction, int rank);
/// "rank 2 (backward), step 1 (exchange 0: p2p): send 0 to rank 1"
std::string in_words(const ProgramSet& set, int direction, int rank, int task);
/// "rank 2, run 4 (backward), step 1 (exchange 0: p2p): send 0 to rank 1"; runs count from 0 here
/// and from 1 in words.
std::string in_words(const ProgramSet& set, int direction, int rank, int task, int run);

/// Hazards up to a limit; further ones are dropped.
class HazardList {
 public:
  /// `most` is the limit, at least 1.
  explicit HazardList(int most) : most_(static_cast<std::size_t>(most < 1 ? 1 : most)) {}

  bool empty() const { return hazards_.empty(); }
  bool is_full() const { return hazards_.size() >= most_; }
  const std::vector<Hazard>& hazards() const { return hazards_; }

  void add(Hazard hazard) {
    if (!is_full()) hazards_.push_back(std::move(hazard));
  }
  /// The program, and the task in it, that a hazard concerns; -1: no task in particular.
  struct Place {
    int direction = 0, rank = 0, task = -1;
  };
  /// Adds a hazard with a formatted text unless `holds`. Returns `holds`.
  template <class... Values>
  bool require(bool holds, Hazard::Kind kind, const Place& place,
               fmt::format_string<Values...> text, Values&&... values) {
    if (!holds && !is_full())
      add({kind, place.direction == 0, place.rank, place.task,
           fmt::format(text, std::forward<Values>(values)...)});
    return holds;
  }

 private:
  std::size_t most_;
  std::vector<Hazard> hazards_;
};

}  // namespace weft
