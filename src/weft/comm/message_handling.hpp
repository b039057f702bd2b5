// comm/message_handling: how much of the time of messages is lost for computing.
#pragma once

#include "weft/comm/communicator.hpp"

namespace weft {

/// Two ranks of different nodes.
struct PairOfRanks {
  int first = 0, second = 0;
};

/// How it is measured.
struct HandlingTrial {
  double transfer_seconds = 5e-3;  ///< what a message is to take, if it then has 64 KiB to 4 MiB
  int tries = 5;                   ///< of which the fastest count
};

/// Seconds for each byte that a rank sends or receives in which it cannot compute: how much longer
/// the same arithmetic takes both ranks, which call MPI between its parts as executions do, while a
/// message of each goes to the other. The arithmetic takes three times as long as the messages
/// alone, so that the messages have ended before it. 0 where it would take longer than 0.2 s, as
/// beside messages of more than 67 ms. At most what the messages take alone. A message has as many
/// bytes as `trial` says, at `bytes_per_second`. All of it takes some 8 times as long as a message
/// for each try, on slow links more. Collective; Error::system if MPI fails or the memory cannot be
/// had.
double handling_seconds_per_byte(const Communicator& comm, PairOfRanks pair,
                                 double bytes_per_second, const HandlingTrial& trial = {});

}  // namespace weft
