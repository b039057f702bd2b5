// tune/message_handling: how much of the time of messages is lost for computing.
#pragma once

#include "weft/comm/communicator.hpp"

namespace weft {

/// Two ranks of different nodes.
struct PairOfRanks {
  int first = 0, second = 0;
};

/// Seconds for each byte that a rank sends or receives in which it cannot compute: how much longer
/// the same arithmetic takes both ranks, which call MPI between its parts as executions do, while
/// a message of each goes to the other. The arithmetic takes three times as long as the messages
/// alone; so nothing is counted that has only not ended. At most what the messages take alone. A
/// message has 64 KiB to 4 MiB, as many as take 5 ms at `bytes_per_second`. Some 0.2 s, on slow
/// links more. Collective; Error::system if MPI fails or the memory cannot be had.
double handling_seconds_per_byte(const Communicator& comm, PairOfRanks pair,
                                 double bytes_per_second);

}  // namespace weft
