// proof/check: proof that the programs of all ranks, run after run, have no race and no deadlock.
// Pure: compares values, runs nothing. Keeps: it takes no order for granted but what the executor
// and MPI guarantee.
#pragma once

#include <string>
#include <vector>

#include "weft/program/program.hpp"

namespace weft {

/// The programs of a plan, by rank. If `backward` is empty, only forward runs are checked.
struct ProgramSet {
  std::vector<Program> forward, backward;
  std::vector<int> node_of_rank;  ///< nodes numbered from 0; only ranks of a node share memory
  bool in_place = false;          ///< the user's two arrays may be the same memory
};

/// Something that may go wrong. `text` names ranks, runs, steps, tasks and bytes.
struct Hazard {
  enum Kind {
    malformed,  ///< an index out of range, or work that is done by no task or by two tasks
    unmatched,  ///< a message or collective that another rank does not have, or has differently
    signal,     ///< a signal that is raised too seldom or too often, or whose runs mix
    deadlock,   ///< tasks that wait for each other
    outside,    ///< an access beyond the end of a buffer
    race,       ///< two unordered accesses to the same bytes, one of them a write
    unwritten   ///< a read of bytes that nothing has written in the run before
  };
  Kind kind = malformed;
  bool forward = true;  ///< direction and rank of the program, or of the first of two
  int rank = 0;
  int task = -1;
  std::string text;
};

struct CheckOptions {
  /// The sequence of runs that is checked: F is a forward run, B a backward one. The default has
  /// every pair of directions one after the other. Users write their arrays before, between and
  /// after the runs.
  std::string runs = "FFBBF";
  int most_hazards = 10;  ///< the check ends when it has found this number of hazards
};

/// Returns the hazards of `set`. If there are none, these runs are proved to be free of them.
/// Steps; each is taken only if the steps before have found nothing:
///   1. check_structure: all indices are in range, all work is done by one task.
///   2. check_matches: every send has its receive, collectives are the same on all members, and
///      signals are raised by their raisers.
///   3. check_order: no tasks wait for each other, even if MPI holds back every send until its
///      receive is posted, and an exchange that limits its sends delays them.
///   4. check_memory: any two accesses to the same bytes, one of them a write, are ordered, and
///      every byte has been written before it is read. In place, this is checked with one array,
///      and with two: a rank may give either to a run, whatever others give. Two accesses of which
///      one writes are to the same bytes only if they are so with one array for all.
/// The order of tasks is decided exactly: for every event of a run and every rank, it is known
/// which tasks of the rank have completed before the event in every execution. Bytes are compared
/// one by one (in units that divide all element sizes and offsets), so memory and time are
/// proportional to the number of points of the problem.
std::vector<Hazard> check(const ProgramSet& set, const CheckOptions& options = {});

}  // namespace weft
