// device/late_nccl: a library like NCCL for late devices, whose groups move their messages as late
// as their streams come to them. It is for tests, and not part of the library.
// Keeps: one thread. Ranks are processes of one machine, which meet in shared memory. A message is
// sent when it is received, piece by piece, and a group is over when all its messages are.
#pragma once

#include "weft/device/late.hpp"
#include "weft/device/nccl.hpp"

namespace weft {

/// What goes wrong in this process. Ranks are those of a communicator; -1: none.
struct LateNcclFaults {
  int version = 22803;
  int fails_to_begin = -1;      ///< the rank whose ncclCommInitRankConfig fails
  int fails_to_start = -1;      ///< the rank that is told so when it asks for the state
  int never_starts = -1;        ///< the rank that never comes
  int fails_in_group = -1;      ///< the rank whose call for a group fails,
  int breaks_in_group = -1;     ///< the rank that is told so later,
  int group = 0;                ///< from this one of its groups on
  int group_that_is_lost = -1;  ///< of any rank: it is never put into its stream
};
LateNcclFaults& late_nccl_faults();

/// The functions, for pretend_nccl(). Communicators that are made from now on are of `driver`.
const NcclFunctions* late_nccl(LateDriver& driver);

/// How many groups with messages this process has enqueued.
int late_nccl_groups();

}  // namespace weft
