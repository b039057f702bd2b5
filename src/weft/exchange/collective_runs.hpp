// exchange/collective_runs: which bytes of a buffer a collective sends or receives.
// Pure. Keeps: the runs ascend, and no two of them touch each other.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/program/program.hpp"

namespace weft {

/// A run of bytes in a buffer.
struct ByteRun {
  std::int64_t offset = 0, bytes = 0;

  friend bool operator==(const ByteRun&, const ByteRun&) = default;
};

/// What `collective` sends from its send buffer, or receives to its receive buffer. Slots of an
/// alltoall, which MPI moves as a whole, are one run.
std::vector<ByteRun> sent_runs(const Collective& collective, std::int64_t element_bytes);
std::vector<ByteRun> received_runs(const Collective& collective, std::int64_t element_bytes);

}  // namespace weft
