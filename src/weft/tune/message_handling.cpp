// tune/message_handling: arithmetic with and without messages, in turn.

#include "weft/tune/message_handling.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "weft/base/trace.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/memory/buffer.hpp"

namespace weft {

namespace {

constexpr double transfer_seconds = 5e-3;  // what messages are to take
constexpr std::int64_t smallest_message = std::int64_t{64} << 10,
                       largest_message = std::int64_t{4} << 20;
constexpr int times_as_long = 3;       // as messages take, does arithmetic
constexpr double part_seconds = 2e-5;  // between two calls of MPI: a tile takes about as long
constexpr int tries = 5;               // of which the fastest count

// Arithmetic of a fixed amount, which nobody can leave out.
class Arithmetic {
 public:
  // So many steps take `seconds`.
  explicit Arithmetic(double seconds) {
    double each = std::numeric_limits<double>::infinity();
    for (int i = 0; i < tries; ++i) {
      const double begin = now();
      run(probed_steps);
      each = std::min(each, (now() - begin) / static_cast<double>(probed_steps));
    }
    steps_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(seconds / std::max(each, 1e-12)));
  }
  void run() { run(steps_); }

 private:
  static constexpr std::int64_t probed_steps = 20000;
  void run(std::int64_t steps) {
    double value = value_;
    for (std::int64_t i = 0; i < steps; ++i) value = value * 0.999999 + 1e-9;
    value_ = value;
  }

  volatile double value_ = 1;
  std::int64_t steps_ = 1;
};

class Partner {
 public:
  Partner(const Communicator& comm, int partner, std::int64_t bytes, double parts_seconds)
      : comm_(comm),
        partner_(partner),
        bytes_(static_cast<int>(bytes)),
        memory_(2 * bytes),
        arithmetic_(part_seconds),
        parts_(std::max(1, static_cast<int>(parts_seconds / part_seconds))) {}

  // Seconds of all arithmetic, with messages or without.
  double timed(bool sends) {
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
    for (int part = 0; part < parts_; ++part) {
      arithmetic_.run();
      int have_ended = 0;
      check_mpi(MPI_Testall(2, requests.data(), &have_ended, MPI_STATUSES_IGNORE), "MPI_Testall");
    }
    check_mpi(MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    return now() - begin;
  }

 private:
  static constexpr int tag = 3;
  void meet() {
    char sent = 0, received = 0;
    check_mpi(MPI_Sendrecv(&sent, 1, MPI_CHAR, partner_, tag, &received, 1, MPI_CHAR, partner_, tag,
                           comm_.handle(), MPI_STATUS_IGNORE),
              "MPI_Sendrecv");
  }

  const Communicator& comm_;
  int partner_, bytes_;
  Buffer memory_;
  Arithmetic arithmetic_;
  int parts_;
};

// How much longer the fastest run with messages takes than the fastest without.
double more_seconds(Partner partner) {
  double with = std::numeric_limits<double>::infinity(), without = with;
  partner.timed(true);  // connects
  for (int i = 0; i < tries; ++i) {
    without = std::min(without, partner.timed(false));
    with = std::min(with, partner.timed(true));
  }
  return std::max(0.0, with - without);
}

}  // namespace

double handling_seconds_per_byte(const Communicator& comm, PairOfRanks pair,
                                 double bytes_per_second) {
  const double rate = std::max(1.0, bytes_per_second);
  const double wanted = std::clamp(rate * transfer_seconds, static_cast<double>(smallest_message),
                                   static_cast<double>(largest_message));
  const auto bytes = static_cast<std::int64_t>(wanted);
  const double alone = wanted / rate;
  double mine = 0;
  agree(comm, [&] {
    const int partner = comm.rank() == pair.first    ? pair.second
                        : comm.rank() == pair.second ? pair.first
                                                     : -1;
    if (partner >= 0) mine = more_seconds({comm, partner, bytes, times_as_long * alone});
  });
  return std::min(comm.max(mine), alone) / (2 * wanted);
}

}  // namespace weft
