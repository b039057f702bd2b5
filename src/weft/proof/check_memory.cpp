// proof/check_memory: asks, run after run, what has certainly happened before an access begins.

#include "weft/proof/check_memory.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/program/index.hpp"
#include "weft/proof/check_bytes.hpp"

namespace weft {

namespace {

class MemoryCheck {
 public:
  MemoryCheck(const CheckedRuns& runs, const std::vector<int>& ranks, HazardList& hazards)
      : set_(runs.set),
        all_(runs.all),
        ranks_(ranks),
        hazards_(hazards),
        knowledge_(runs.all, runs.directions, ranks, ranks_of(runs.set)),
        map_(runs, ranks, knowledge_, hazards) {}

  void check_next_run() {
    knowledge_.advance();
    run_ = knowledge_.run();
    direction_ = knowledge_.direction();
    const bool is_first = knowledge_.run_before(run_, direction_) < 0;
    for (const ByteMap::Conflict& conflict : map_.conflicts()) check(conflict, is_first);
    for (const ByteMap::Visit& visit : map_.visits()) check(visit);
    if (is_first) {
      for (const ByteMap::Content& content : map_.contents()) check(content);
      for (const int rank : ranks_) check_collectives(rank);
    } else {
      check_signals();
    }
  }

 private:
  int start(const Accessor& accessor) const {
    return all_[at(direction_)].graph->submit(accessor.rank, accessor.task);
  }
  // Whether `earlier` has ended in run `run` before `later` begins in this run.
  bool is_before(const Accessor& earlier, int run, const Accessor& later) const {
    return knowledge_.has_completed(start(later), earlier.rank, run, map_.mask(earlier));
  }
  std::string in_words(const Accessor& accessor, int run) const {
    return weft::in_words(set_, accessor.direction, accessor.rank, accessor.task, run);
  }

  // In the same run, either access must be before the other. In different runs, the access of the
  // earlier run must be before that of the later one. It is enough to compare with the latest
  // earlier run, as the runs of one program are ordered.
  void check(const ByteMap::Conflict& conflict, bool is_first) {
    const Accessor &a = map_.accessor(conflict.first), &b = map_.accessor(conflict.second);
    if (a.direction == direction_ && b.direction == direction_ && is_first)
      if (!is_before(a, run_, b) && !is_before(b, run_, a)) tell(conflict, run_, run_);
    if (b.direction == direction_)
      if (const int run = knowledge_.run_before(run_, a.direction);
          run >= 0 && !is_before(a, run, b))
        tell(conflict, run, run_);
    if (a.direction == direction_)
      if (const int run = knowledge_.run_before(run_, b.direction);
          run >= 0 && !is_before(b, run, a))
        tell(conflict, run_, run);
  }
  // "reads" or "writes", and for a collective whether it is the padding of slots.
  std::string verb(const Accessor& accessor, Touch::Kind kind) const {
    const Program& program = program_of(set_, accessor.direction, accessor.rank);
    const bool is_padding = program.tasks[at(accessor.task)].kind == Task::collective &&
                            (kind == Touch::read_idly || kind == Touch::write_idly);
    return std::string(writes(kind) ? "writes" : "reads") + (is_padding ? " as padding" : "");
  }
  // The text names the access of the earlier run first.
  void tell(ByteMap::Conflict conflict, int first_run, int second_run) {
    if (second_run < first_run) {
      std::swap(conflict.first, conflict.second);
      std::swap(conflict.first_kind, conflict.second_kind);
      std::swap(first_run, second_run);
    }
    const Accessor &a = map_.accessor(conflict.first), &b = map_.accessor(conflict.second);
    if (is_told(a, b)) return;
    hazards_.add(
        {Hazard::race, a.direction == 0, a.rank, a.task,
         fmt::format("{} {} {}, which {} {}: neither waits for the other", in_words(a, first_run),
                     verb(a, conflict.first_kind), map_.in_words(conflict.bytes),
                     in_words(b, second_run), verb(b, conflict.second_kind))});
  }
  // Two tasks are reported once, however many accesses and runs conflict.
  bool is_told(const Accessor& a, const Accessor& b) {
    const std::array<int, 6> both{a.direction, a.rank, a.task, b.direction, b.rank, b.task};
    if (std::find(told_.begin(), told_.end(), both) != told_.end()) return true;
    told_.push_back(both);
    return false;
  }

  // The user of a rank may write its arrays before and after a run, so other ranks must not touch
  // them then.
  void check(const ByteMap::Visit& visit) {
    const Accessor& visitor = map_.accessor(visit.accessor);
    if (visitor.direction != direction_) return;
    const int owner = map_.owner(visit.bytes.memory);
    const auto tell = [&](const char* when, const char* missing) {
      if (is_told(visitor, {direction_, owner, -1, 0})) return;
      hazards_.add({Hazard::race, direction_ == 0, visitor.rank, visitor.task,
                    fmt::format("{} {} {}, which the user of rank {} may write {} run {}: {}",
                                in_words(visitor, run_), verb(visitor, visit.kind),
                                map_.in_words(visit.bytes), owner, when, run_ + 1, missing)});
    };
    if (!knowledge_.has_begun(start(visitor), owner, run_))
      tell("before", "it does not wait until that rank has begun the run");
    const int end = all_[at(direction_)].graph->end(owner);
    if (!knowledge_.has_completed(end, visitor.rank, run_, map_.mask(visitor)))
      tell("after", "that rank does not wait for it before it ends the run");
  }

  // Bytes that are read must have been written in this run, or by the user before it.
  void check(const ByteMap::Content& content) {
    if (map_.is_source(content.bytes.memory, direction_)) return;
    accesses_.clear();
    for (int set = content.set; set != 0; set = map_.parent(set))
      if (map_.accessor(accessor_of(map_.access(set))).direction == direction_)
        accesses_.push_back(map_.access(set));
    for (const int access : accesses_) {
      if (kind_of(access) != Touch::read) continue;
      const Accessor& reader = map_.accessor(accessor_of(access));
      const auto is_written_by = [&](int other) {
        const Accessor& writer = map_.accessor(accessor_of(other));
        return kind_of(other) == Touch::write && is_before(writer, run_, reader);
      };
      if (std::any_of(accesses_.begin(), accesses_.end(), is_written_by)) continue;
      if (is_told(reader, {direction_, -1, content.bytes.memory, 0})) continue;
      hazards_.add({Hazard::unwritten, direction_ == 0, reader.rank, reader.task,
                    fmt::format("{} reads {}, which nothing has written before in this run",
                                in_words(reader, run_), map_.in_words(content.bytes))});
    }
  }

  // Collectives of an exchange use one communicator, so MPI matches them in the order in which they
  // start.
  void check_collectives(int rank) {
    const Program& program = program_of(set_, direction_, rank);
    std::vector<std::array<int, 3>> collectives;  // step, number, task
    for (int t = 0; t < static_cast<int>(program.tasks.size()); ++t)
      if (const Task& task = program.tasks[at(t)]; task.kind == Task::collective)
        collectives.push_back({task.step, task.index, t});
    std::sort(collectives.begin(), collectives.end());
    const Knowledge::Direction& all = all_[at(direction_)];
    for (std::size_t i = 1; i < collectives.size(); ++i) {
      const auto [step, number, later] = collectives[i];
      const auto [step_before, number_before, earlier] = collectives[i - 1];
      if (step != step_before ||
          knowledge_.has_completed(all.graph->submit(rank, later), rank, run_,
                                   all.bits[at(rank)].submitted[at(earlier)]))
        continue;
      hazards_.add({Hazard::unmatched, direction_ == 0, rank, later,
                    weft::in_words(set_, direction_, rank, later) +
                        " may start before the collective of the number before"});
    }
  }

  // Signals are never reset, so a rank must not raise a signal for the next run while another has
  // not raised it in this run.
  void check_signals() {
    const std::vector<Raise>& raises = sorted_raises();
    for (auto first = raises.begin(); first != raises.end();) {
      const auto last = std::find_if(first, raises.end(), [&](const Raise& raise) {
        return raise.node != first->node || raise.signal != first->signal;
      });
      for (auto later = first; later != last; ++later)
        for (auto earlier = first; earlier != last; ++earlier) check(*earlier, *later);
      first = last;
    }
  }
  struct Raise {
    int node, signal, rank, task;
    friend auto operator<=>(const Raise&, const Raise&) = default;
  };
  // `earlier` raises the signal in the run before of this direction, `later` in this run.
  void check(const Raise& earlier, const Raise& later) {
    const int before = knowledge_.run_before(run_, direction_);
    const Knowledge::Direction& all = all_[at(direction_)];
    const int bit = all.bits[at(earlier.rank)].completed[at(earlier.task)];
    if (later.rank == earlier.rank ||
        knowledge_.has_completed(all.graph->submit(later.rank, later.task), earlier.rank, before,
                                 bit))
      return;
    hazards_.add(
        {Hazard::signal, direction_ == 0, later.rank, later.task,
         fmt::format("signal mixed: {} may come before {}",
                     weft::in_words(set_, direction_, later.rank, later.task, run_),
                     weft::in_words(set_, direction_, earlier.rank, earlier.task, before))});
  }
  const std::vector<Raise>& sorted_raises() {
    auto& raises = raises_[at(direction_)];
    if (!raises.empty()) return raises;
    for (const int rank : ranks_) {
      const Program& program = program_of(set_, direction_, rank);
      for (int t = 0; t < static_cast<int>(program.tasks.size()); ++t)
        if (program.tasks[at(t)].kind == Task::raise)
          raises.push_back({set_.node_of_rank[at(rank)], program.tasks[at(t)].index, rank, t});
    }
    std::sort(raises.begin(), raises.end());
    return raises;
  }

  const ProgramSet& set_;
  const std::vector<Knowledge::Direction>& all_;
  const std::vector<int>& ranks_;
  HazardList& hazards_;
  Knowledge knowledge_;
  ByteMap map_;
  int run_ = -1, direction_ = 0;
  std::vector<std::array<int, 6>> told_;
  std::vector<int> accesses_;
  std::array<std::vector<Raise>, directions> raises_;
};

}  // namespace

void check_memory(const CheckedRuns& runs, const std::vector<int>& ranks, HazardList& hazards) {
  MemoryCheck memory(runs, ranks, hazards);
  for (std::size_t run = 0; run < runs.directions.size() && !hazards.is_full(); ++run)
    memory.check_next_run();
}

}  // namespace weft
