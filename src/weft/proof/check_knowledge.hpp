// proof/check_knowledge: which tasks of some ranks have completed before an event in every
// execution. This is reachability in the graph of events, within a run and from run to run.
// Pure. Keeps: the answers are exact for the ranks it is made for; runs are treated one after the
// other, so the memory is that of one run.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "weft/program/index.hpp"
#include "weft/proof/check_order.hpp"

namespace weft {

/// The bits that stand for the tasks of a rank in one direction.
struct TaskBits {
  std::vector<int> completed;  ///< by task: the bit for its completion; -1: none is needed
  std::vector<int> submitted;  ///< by task: the bit for its submission; only for collectives
  int bits = 0;                ///< number of bits
};
/// Gives bits to the tasks of a program.
TaskBits task_bits(const Program& program);

/// For every event of a run, what has certainly happened before it on some ranks: how many runs
/// each of them has begun, and which tasks of the last of these runs have completed. A rank that
/// has begun a run has completed the run before, so earlier runs need not be kept.
class Knowledge {
 public:
  using Word = std::uint64_t;

  /// One direction: its graph, its events in order, and the bits of every rank.
  struct Direction {
    const OrderGraph* graph = nullptr;
    std::vector<int> order;
    std::vector<TaskBits> bits;
  };
  /// `runs` has the direction of every run; `ranks` are the ranks to know about, of `all_ranks`.
  /// The arguments must outlive this.
  Knowledge(const std::vector<Direction>& all, const std::vector<int>& runs,
            const std::vector<int>& ranks, int all_ranks);

  /// Goes on to the next run. Before the first call there is no run.
  void advance();
  int run() const { return run_; }
  int direction() const { return runs_[at(run_)]; }
  /// The latest run of `direction` before run `run`; -1 if there is none.
  int run_before(int run, int direction) const {
    for (--run; run >= 0 && runs_[at(run)] != direction;) --run;
    return run;
  }

  /// The number of words of a mask of tasks of `rank`.
  int words(int rank) const { return words_[at(slots_[at(rank)])]; }
  static void set_bit(Word* mask, int bit) { mask[bit / 64] |= Word{1} << (bit % 64); }

  /// Whether `rank` has begun run `run` before `event`.
  bool has_begun(int event, int rank, int run) const {
    return known_[at(event)] != 0 && begun(row(event))[slots_[at(rank)]] > run;
  }
  /// Whether a task of `rank` that is in `mask` has completed in run `run` before `event`.
  bool has_completed(int event, int rank, int run, const Word* mask) const {
    if (known_[at(event)] == 0) return false;
    const int slot = slots_[at(rank)];
    const Word* words = row(event);
    const int runs = begun(words)[slot];
    if (runs != run + 1) return runs > run + 1;
    words += first_words_[at(slot)];
    for (int w = 0; w < words_[at(slot)]; ++w)
      if ((words[w] & mask[w]) != 0) return true;
    return false;
  }
  bool has_completed(int event, int rank, int run, int bit) const {
    if (known_[at(event)] == 0) return false;
    const int slot = slots_[at(rank)];
    const Word* words = row(event);
    const int runs = begun(words)[slot];
    if (runs != run + 1) return runs > run + 1;
    return (words[first_words_[at(slot)] + bit / 64] >> (bit % 64) & 1) != 0;
  }

 private:
  // The bit that an event sets in its row, if any.
  struct Tells {
    int slot = -1, bit = 0;
  };
  Word* row(int event) { return rows_.data() + at(event) * at(row_words_); }
  const Word* row(int event) const { return rows_.data() + at(event) * at(row_words_); }
  static std::uint8_t* begun(Word* words) { return reinterpret_cast<std::uint8_t*>(words); }
  static const std::uint8_t* begun(const Word* words) {
    return reinterpret_cast<const std::uint8_t*>(words);
  }
  void add_tells(const std::vector<Direction>& all);
  void begin_rank(int rank, int event);
  void learn(int event, const Word* from);
  void merge(Word* into, const Word* from) const;
  void learn_of_earlier_run(const OrderGraph::LagWait& wait);
  void keep_ends();

  const std::vector<Direction>& all_;
  const std::vector<int>& runs_;
  const std::vector<int>& ranks_;
  int all_ranks_;
  int run_ = -1;
  std::vector<int> slots_;                // by rank: index in ranks_, or -1
  std::vector<int> words_, first_words_;  // by slot
  int begun_words_ = 0, row_words_ = 0;
  std::vector<std::vector<Tells>> tells_;  // by direction and event
  std::vector<Word> rows_;
  std::vector<std::uint8_t> known_;  // by event: whether its row has been set
  std::vector<Word> ended_;          // by rank: the row at the end of the run before
  std::vector<std::uint8_t> ended_known_;
  struct Signals {
    std::vector<Word> rows;
    std::vector<std::uint8_t> known;
  };
  std::vector<Signals> signals_;  // by run
};

}  // namespace weft
