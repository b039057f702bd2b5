// comm/message_handling: arithmetic with and without messages, in turn.

#include "weft/comm/message_handling.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "weft/base/trace.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/mpi_comm.hpp"

namespace weft {

namespace {

constexpr double smallest_message = 1 << 16, largest_message = 1 << 22;  // bytes
constexpr double times_as_long = 3;    // as messages take, does arithmetic
constexpr double part_seconds = 2e-5;  // between two calls of MPI: a tile takes about as long
constexpr double most_parts = 1e4;     // so that slow links do not take seconds

// Arithmetic of a fixed amount, which nobody can leave out.
class Arithmetic {
 public:
  // So many steps take `seconds`.
  explicit Arithmetic(double seconds) {
    double each = std::numeric_limits<double>::infinity();
    for (int i = 0; i < probes; ++i) {
      const double begin = now();
      run(probed_steps);
      each = std::min(each, (now() - begin) / static_cast<double>(probed_steps));
    }
    steps_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(seconds / std::max(each, 1e-12)));
  }
  void run() { run(steps_); }

 private:
  static constexpr std::int64_t probed_steps = 20000;
  static constexpr int probes = 5;
  void run(std::int64_t steps) {
    double value = value_;
    for (std::int64_t i = 0; i < steps; ++i) value = value * 0.999999 + 1e-9;
    value_ = value;
  }

  volatile double value_ = 1;
  std::int64_t steps_ = 1;
};

// What one of the two ranks does.
class Partner {
 public:
  // `memory` has room for two messages.
  Partner(const Communicator& comm, int partner, std::vector<std::byte>& memory, int tries)
      : comm_(comm),
        partner_(partner),
        bytes_(static_cast<int>(memory.size() / 2)),
        tries_(tries),
        memory_(memory),
        arithmetic_(part_seconds) {}

  // How much longer arithmetic takes beside messages than alone; at most what messages take alone.
  double more_seconds() {
    timed(true, 0);  // connects
    const double alone = fastest([&] { return timed(true, 0); });
    const double parts = std::clamp(times_as_long * alone / part_seconds, 1.0, most_parts);
    double with = std::numeric_limits<double>::infinity(), without = with;
    for (int i = 0; i < tries_; ++i) {
      without = std::min(without, timed(false, static_cast<int>(parts)));
      with = std::min(with, timed(true, static_cast<int>(parts)));
    }
    // With less arithmetic, what a rank waits for messages would be taken for handling.
    return parts < most_parts ? std::clamp(with - without, 0.0, alone) : 0;
  }

 private:
  static constexpr int tag = 3;

  template <class Timed>
  double fastest(const Timed& timed) const {
    double seconds = timed();
    for (int i = 1; i < tries_; ++i) seconds = std::min(seconds, timed());
    return seconds;
  }

  // Seconds of so many parts of arithmetic, and of a message there and one back, if it sends.
  double timed(bool sends, int parts) {
    std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    meet();
    const double begin = now();
    if (sends) {
      check_mpi(MPI_Irecv(memory_.data(), bytes_, MPI_BYTE, partner_, tag, comm_.handle(),
                          requests.data()),
                "MPI_Irecv");
      check_mpi(MPI_Isend(memory_.data() + bytes_, bytes_, MPI_BYTE, partner_, tag, comm_.handle(),
                          &requests[1]),
                "MPI_Isend");
    }
    for (int part = 0; part < parts; ++part) {
      arithmetic_.run();
      int have_ended = 0;
      check_mpi(MPI_Testall(2, requests.data(), &have_ended, MPI_STATUSES_IGNORE), "MPI_Testall");
    }
    check_mpi(MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    return now() - begin;
  }

  void meet() {
    char sent = 0, received = 0;
    check_mpi(MPI_Sendrecv(&sent, 1, MPI_CHAR, partner_, tag, &received, 1, MPI_CHAR, partner_, tag,
                           comm_.handle(), MPI_STATUS_IGNORE),
              "MPI_Sendrecv");
  }

  const Communicator& comm_;
  int partner_, bytes_, tries_;
  std::vector<std::byte>& memory_;
  Arithmetic arithmetic_;
};

}  // namespace

double handling_seconds_per_byte(const Communicator& comm, PairOfRanks pair,
                                 double bytes_per_second, const HandlingTrial& trial) {
  const auto bytes = static_cast<std::int64_t>(
      std::clamp(bytes_per_second * trial.transfer_seconds, smallest_message, largest_message));
  // Before any rank waits for the other one.
  std::vector<std::byte> memory =
      agree(comm, [&] { return std::vector<std::byte>(static_cast<std::size_t>(2 * bytes)); });
  double mine = 0;
  agree(comm, [&] {
    const int partner = comm.rank() == pair.first    ? pair.second
                        : comm.rank() == pair.second ? pair.first
                                                     : -1;
    if (partner >= 0) mine = Partner(comm, partner, memory, trial.tries).more_seconds();
  });
  const double sent_and_received = 2 * static_cast<double>(bytes);
  return comm.max(mine) / sent_and_received;
}

}  // namespace weft
