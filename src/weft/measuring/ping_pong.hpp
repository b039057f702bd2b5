// measuring/ping_pong: messages there and back between two ranks.
#pragma once

#include <cstdint>

#include "weft/comm/communicator.hpp"
#include "weft/measuring/machine_measurement.hpp"
#include "weft/measuring/time_limit.hpp"
#include "weft/memory/buffer.hpp"

namespace weft {

/// Sends messages between two ranks of `comm`, while the others wait for the result.
class PingPong {
 public:
  /// Messages of up to `most_bytes`. Collective. Error::system if the memory cannot be had.
  PingPong(const Communicator& comm, std::int64_t most_bytes);

  /// Seconds of a message in one direction: half of a way there and back, until about its aim.
  /// Collective.
  Repeated one_way(int first, int second, std::int64_t bytes, const TimeLimit& limit);
  /// Seconds for each of many small messages that follow one another in one direction: what the
  /// slower of the two ranks takes for a message. Collective.
  double of_stream(int first, int second, const TimeLimit& limit);

 private:
  Repeated lead(int second, std::int64_t bytes, const TimeLimit& limit);
  void follow(int first, std::int64_t bytes);
  double send_stream(int second, const TimeLimit& limit);
  void receive_stream(int first);
  void there_and_back(int partner, std::int64_t bytes, bool begins);

  const Communicator& comm_;
  Buffer memory_;
};

}  // namespace weft
