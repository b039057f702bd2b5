// choose/remembering: finding and keeping what was fastest for a problem on this machine.
// Keeps: agreement - rank 0 reads and writes, and all ranks know what it knows.
#pragma once

#include <optional>

#include "weft/choose/remembered.hpp"
#include "weft/comm/communicator.hpp"
#include "weft/machine/machine.hpp"
#include "weft/options.hpp"
#include "weft/planning/wisdom.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

/// Whether plans with these options may run what is remembered: not with a strategy or a placement
/// of the user's, and not where nothing that was measured may decide.
bool may_recall(const Options& options);

/// What a measurement with these holds for: `problem` validated, with the boxes of all ranks, and
/// `machine` with the threads of plans that are not tuned. Collective.
WisdomKey key_of(const Communicator& comm, const Problem& problem, const Machine& machine,
                 const Options& options);

/// What a plan takes from an entry; a `path` is told as the place where it is from.
Remembered as_remembered(const WisdomEntry& entry, const std::string& path);

/// Whether plans on `comm` may have a thread that makes progress: all ranks have initialised MPI
/// with MPI_THREAD_MULTIPLE, or `comm` needs no MPI. Collective.
bool allows_progress_thread(const Communicator& comm);

/// What wisdom_path() knows: a Recall. What cannot be read, or does not fit, is told in the log, as
/// a warning, and not used; of an entry with a progress thread that MPI does not allow here, only
/// the thread is left out. Collective.
std::optional<Remembered> recalled(const Communicator& comm, const Problem& problem,
                                   const Machine& machine, const Options& options);

/// Learns `entry`, which all ranks pass alike, if wisdom_path() names a file. Collective; errors of
/// change_wisdom are those of all ranks.
void remember(const Communicator& comm, const WisdomEntry& entry);

/// The errors that `remember` would have now. Collective.
void require_rememberable(const Communicator& comm);

/// The time now, as WisdomEntry::tuned_at has it.
std::string time_text();

}  // namespace weft
