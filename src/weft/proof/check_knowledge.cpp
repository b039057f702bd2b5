// proof/check_knowledge: merges rows of bits in the order of events.

#include "weft/proof/check_knowledge.hpp"

#include <algorithm>

namespace weft {

TaskBits task_bits(const Program& program) {
  TaskBits bits;
  bits.completed.assign(program.tasks.size(), -1);
  bits.submitted.assign(program.tasks.size(), -1);
  for (std::size_t t = 0; t < program.tasks.size(); ++t) {
    const Task::Kind kind = program.tasks[t].kind;
    if (kind == Task::await || kind == Task::milestone) continue;
    bits.completed[t] = bits.bits++;
    if (kind == Task::collective) bits.submitted[t] = bits.bits++;
  }
  return bits;
}

Knowledge::Knowledge(const std::vector<Direction>& all, const std::vector<int>& runs,
                     const std::vector<int>& ranks, int all_ranks)
    : all_(all), runs_(runs), ranks_(ranks), all_ranks_(all_ranks), slots_(at(all_ranks), -1) {
  begun_words_ = static_cast<int>((ranks.size() + sizeof(Word) - 1) / sizeof(Word));
  row_words_ = begun_words_;
  for (std::size_t slot = 0; slot < ranks.size(); ++slot) {
    slots_[at(ranks[slot])] = static_cast<int>(slot);
    int bits = 1;
    for (const Direction& direction : all)
      if (!direction.bits.empty()) bits = std::max(bits, direction.bits[at(ranks[slot])].bits);
    first_words_.push_back(row_words_);
    words_.push_back((bits + 63) / 64);
    row_words_ += words_.back();
  }
  add_tells(all);
  int events = 0;
  for (const Direction& direction : all)
    if (direction.graph != nullptr) events = std::max(events, direction.graph->events());
  rows_.resize(at(events) * at(row_words_));
  known_.assign(at(events), 0);
  ended_.assign(at(all_ranks) * at(row_words_), 0);
  ended_known_.assign(at(all_ranks), 0);
}

void Knowledge::add_tells(const std::vector<Direction>& all) {
  for (const Direction& direction : all) {
    tells_.emplace_back();
    if (direction.graph == nullptr) continue;
    const OrderGraph& graph = *direction.graph;
    tells_.back().resize(at(graph.events()));
    for (std::size_t slot = 0; slot < ranks_.size(); ++slot) {
      const int rank = ranks_[slot];
      const TaskBits& bits = direction.bits[at(rank)];
      for (int task = 0; task < static_cast<int>(bits.completed.size()); ++task) {
        const int completed = bits.completed[at(task)], submitted = bits.submitted[at(task)];
        if (completed >= 0)
          tells_.back()[at(graph.complete(rank, task))] = {static_cast<int>(slot), completed};
        if (submitted >= 0)
          tells_.back()[at(graph.submit(rank, task))] = {static_cast<int>(slot), submitted};
      }
    }
  }
}

void Knowledge::advance() {
  if (run_ >= 0) keep_ends();
  ++run_;
  const Direction& direction = all_[at(runs_[at(run_)])];
  const OrderGraph& graph = *direction.graph;
  std::vector<int> begins(at(graph.events()), -1);
  for (int rank = 0; rank < all_ranks_; ++rank) begins[at(graph.begin(rank))] = rank;
  std::fill(known_.begin(), known_.end(), 0);
  const auto& tells = tells_[at(runs_[at(run_)])];
  for (const int event : direction.order) {
    if (const int rank = begins[at(event)]; rank >= 0) begin_rank(rank, event);
    for (const int earlier : graph.before(event))
      if (known_[at(earlier)] != 0) learn(event, row(earlier));
    if (const auto* wait = graph.lag_wait(event)) learn_of_earlier_run(*wait);
    if (const Tells& tell = tells[at(event)]; tell.slot >= 0)
      set_bit(row(event) + first_words_[at(tell.slot)], tell.bit);
  }
}

// The first event of a rank knows what was known at the end of the run before, and that the rank
// has begun this run.
void Knowledge::begin_rank(int rank, int event) {
  if (ended_known_[at(rank)] != 0) learn(event, &ended_[at(rank) * at(row_words_)]);
  const int slot = slots_[at(rank)];
  if (slot < 0) return;
  Word* words = row(event);
  if (known_[at(event)] == 0) std::fill_n(words, row_words_, 0);
  known_[at(event)] = 1;
  begun(words)[slot] = static_cast<std::uint8_t>(run_ + 1);
  std::fill_n(words + first_words_[at(slot)], words_[at(slot)], 0);
}

void Knowledge::learn(int event, const Word* from) {
  if (known_[at(event)] != 0) {
    merge(row(event), from);
    return;
  }
  std::copy_n(from, row_words_, row(event));
  known_[at(event)] = 1;
}

void Knowledge::merge(Word* into, const Word* from) const {
  if (std::equal(into, into + begun_words_, from)) {
    for (int w = begun_words_; w < row_words_; ++w) into[w] |= from[w];
    return;
  }
  for (std::size_t slot = 0; slot < words_.size(); ++slot) {
    const std::uint8_t theirs = begun(from)[slot];
    std::uint8_t& mine = begun(into)[slot];
    if (theirs < mine) continue;
    const int first = first_words_[slot], last = first + words_[slot];
    for (int w = first; w < last; ++w) into[w] = (theirs > mine ? 0 : into[w]) | from[w];
    mine = theirs;
  }
}

void Knowledge::learn_of_earlier_run(const OrderGraph::LagWait& wait) {
  int run = run_;
  for (int lag = 0; lag < wait.lag && run >= 0; ++lag) run = run_before(run, direction());
  if (run < 0) return;
  const Signals& signals = signals_[at(run)];
  const auto number = at(wait.signal - all_[at(direction())].graph->first_signal());
  if (signals.known[number] != 0) learn(wait.event, &signals.rows[number * at(row_words_)]);
}

void Knowledge::keep_ends() {
  const OrderGraph& graph = *all_[at(direction())].graph;
  for (int rank = 0; rank < all_ranks_; ++rank) {
    ended_known_[at(rank)] = known_[at(graph.end(rank))];
    std::copy_n(row(graph.end(rank)), row_words_, ended_.begin() + rank * row_words_);
  }
  const auto first = known_.begin() + graph.first_signal();
  const Word* rows = row(graph.first_signal());
  signals_.push_back(
      {{rows, rows + at(graph.signals()) * at(row_words_)}, {first, first + graph.signals()}});
}

}  // namespace weft
