// comm/link_probe: rounds in which each node sends to the next one.

#include "weft/comm/link_probe.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>

#include "weft/base/simulation.hpp"
#include "weft/base/trace.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/message_handling.hpp"
#include "weft/comm/mpi_comm.hpp"

namespace weft {

namespace {

// The lowest rank of every node, by node.
std::vector<int> leaders_of(const std::vector<int>& node_of_rank, int ranks) {
  std::vector<int> leaders;
  std::vector<bool> has_leader(static_cast<std::size_t>(ranks), false);
  for (int rank = 0; rank < ranks; ++rank) {
    const int node = node_of_rank.empty() ? rank : node_of_rank[static_cast<std::size_t>(rank)];
    if (has_leader[static_cast<std::size_t>(node)]) continue;
    has_leader[static_cast<std::size_t>(node)] = true;
    leaders.push_back(rank);
  }
  return leaders;
}

class Ring {
 public:
  Ring(const Communicator& comm, const std::vector<int>& leaders, int most_bytes, int most_messages)
      : comm_(comm),
        from_(static_cast<std::size_t>(most_bytes)),
        to_(static_cast<std::size_t>(most_bytes)) {
    requests_.reserve(2 * static_cast<std::size_t>(most_messages));
    const auto mine = std::find(leaders.begin(), leaders.end(), comm.rank());
    if (mine == leaders.end()) return;
    next_ = mine + 1 == leaders.end() ? leaders.front() : *(mine + 1);
    previous_ = mine == leaders.begin() ? leaders.back() : *(mine - 1);
  }

  // The seconds of the slowest node for so many rounds. Collective.
  double timed(int bytes, int rounds) {
    comm_.barrier();
    const double begin = now();
    agree(comm_, [&] {
      for (int round = 0; round < rounds && next_ >= 0; ++round)
        check_mpi(MPI_Sendrecv(from_.data(), bytes, MPI_BYTE, next_, tag, to_.data(), bytes,
                               MPI_BYTE, previous_, tag, comm_.handle(), MPI_STATUS_IGNORE),
                  "MPI_Sendrecv");
      seconds_ = now() - begin;
    });
    return comm_.max(next_ >= 0 ? seconds_ : 0.0);
  }

  // The same for one round of so many messages that are under way together.
  double timed_together(int bytes, int messages) {
    comm_.barrier();
    const double begin = now();
    agree(comm_, [&] {
      requests_.clear();
      for (int i = 0; i < messages && next_ >= 0; ++i) {
        check_mpi(MPI_Irecv(to_.data() + std::ptrdiff_t{i} * bytes, bytes, MPI_BYTE, previous_, tag,
                            comm_.handle(), &requests_.emplace_back()),
                  "MPI_Irecv");
        check_mpi(MPI_Isend(from_.data(), bytes, MPI_BYTE, next_, tag, comm_.handle(),
                            &requests_.emplace_back()),
                  "MPI_Isend");
      }
      check_mpi(
          MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
          "MPI_Waitall");
      seconds_ = now() - begin;
    });
    return comm_.max(next_ >= 0 ? seconds_ : 0.0);
  }

 private:
  static constexpr int tag = 0;
  const Communicator& comm_;
  std::vector<std::byte> from_, to_;
  std::vector<MPI_Request>
      requests_;                   // with room for all: who has none of it would not be waited for
  int next_ = -1, previous_ = -1;  // of this node's leader
  double seconds_ = 0;
};

}  // namespace

LinkProbe probed_links(const Communicator& comm, const std::vector<int>& node_of_rank) {
  // Links that take longer for a small message are not asked for the larger ones.
  constexpr int all_sizes[] = {1 << 16, 1 << 18, 1 << 20, 1 << 22};
  // Simulated links have no bursts, and all simulated ranks are in one process.
  const std::span<const int> sizes =
      std::span(all_sizes).first(std::size(all_sizes) - (is_simulated ? 1 : 0));
  // The fastest of several groups counts: on a busy machine a rank may lose its core for
  // milliseconds.
  constexpr int small_rounds = 5, small_messages = 16, groups = 4, tries = 3;
  constexpr double patience = 5e-3, least_seconds = 1e-7;
  constexpr HandlingTrial handling_trial{0.7e-3, 3};
  const std::vector<int> leaders =
      agree(comm, [&] { return leaders_of(node_of_rank, comm.size()); });
  Ring ring = agree(comm, [&] { return Ring(comm, leaders, sizes.back(), small_messages); });
  ring.timed(sizes.front(), 1);  // connects
  LinkProbe probe;
  double small_seconds = ring.timed(8, small_rounds);
  for (int group = 1; group < groups; ++group)
    small_seconds = std::min(small_seconds, ring.timed(8, small_rounds));
  probe.message_seconds = std::max(small_seconds / small_rounds, least_seconds);
  double together = ring.timed_together(8, small_messages);
  for (int group = 1; group < groups; ++group)
    together = std::min(together, ring.timed_together(8, small_messages));
  probe.overhead_seconds = together / small_messages;
  // The largest message counts: links and kernels take a burst faster than what follows. With a
  // burst of 1 ms, 1 Gbit/s told 0.58 GB/s with 64 KiB, and 10 Gbit/s told 3.2 GB/s with 1 MiB.
  bool is_patient = true;
  for (const int bytes : sizes) {
    double seconds = ring.timed(bytes, 1);
    for (int i = 1; i < tries; ++i) seconds = std::min(seconds, ring.timed(bytes, 1));
    probe.bytes_per_second = bytes / std::max(seconds, least_seconds);
    if (bytes == sizes.front()) is_patient = seconds <= patience;
    if (seconds > patience) break;
  }
  // This takes some 20 times as long as the smallest of these messages.
  if (leaders.size() > 1 && !is_simulated && is_patient)
    probe.handling_seconds_per_byte = handling_seconds_per_byte(
        comm, {leaders[0], leaders[1]}, probe.bytes_per_second, handling_trial);
  return probe;
}

}  // namespace weft
