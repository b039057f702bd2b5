// measuring/node_pairs: what the ranks of one node and those of another one send to each other.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/measuring/machine_measurement.hpp"
#include "weft/measuring/time_limit.hpp"
#include "weft/memory/buffer.hpp"

namespace weft {

/// Two nodes at a time: each rank of the one sends to its partner of the other, and receives as
/// much, as in an exchange: always other data, from and to 32 MiB each, or less where
/// JobFacts::spare_bytes are, so that most caches do not hold them.
class NodePairs {
 public:
  /// Collective; Error::system if the memory cannot be had.
  NodePairs(const Communicator& comm, const JobFacts& job);
  NodePairs(const NodePairs&) = delete;
  NodePairs& operator=(const NodePairs&) = delete;
  ~NodePairs();

  /// What the node `first` sends to the node `second` per second, a message of 1 MiB of each rank
  /// after the other; the median of what there is time for. Collective.
  double bytes_per_second(int first, int second, const TimeLimit& limit);

  /// What a message of each size takes a rank, of streams between the two nodes with the most
  /// ranks, of which as much is under way as in exchanges, and which take some ms at so many bytes
  /// per second of a node; the medians. The larger sizes are left out where all
  /// would take much longer than that: on slow links, and where messages are slow. There must be
  /// two nodes. Collective.
  SizeCurve streams(double bytes_per_second, const TimeLimit& limit);

 private:
  struct Requests;  // MPI's
  Repeated repeated_stream(int first, int second, std::int64_t bytes, int messages,
                           const TimeLimit& limit);
  void stream(int partner, std::int64_t bytes, int messages);
  std::byte* next(std::int64_t& at, std::int64_t bytes, std::int64_t first);
  std::pair<int, int> largest_nodes() const;
  const std::vector<int>& ranks_of(int node) const {
    return ranks_of_nodes_[static_cast<std::size_t>(node)];
  }

  const Communicator& comm_;
  std::int64_t ring_;  // bytes that are sent, and as many that are received
  Buffer memory_;
  std::int64_t sent_ = 0, received_ = 0;  // where the next message is in each of the two
  std::unique_ptr<Requests> requests_;
  std::vector<std::vector<int>> ranks_of_nodes_;
};

}  // namespace weft
