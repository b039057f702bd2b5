// measuring/ping_pong: the first rank decides how many messages follow, and tells the second one.

#include "weft/measuring/ping_pong.hpp"

#include <algorithm>
#include <array>

#include "weft/comm/agreement.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/measuring/repeat.hpp"

namespace weft {

namespace {

constexpr int message_tag = 1, control_tag = 2;
// Small messages are timed together, for so long at most.
constexpr double batch_seconds = 5e-4;
constexpr int most_trips = 500, most_batches = 9, fewest_batches = 2;
// As many requests as a rank of an all-to-all has at once; each is a batch.
constexpr int stream_messages = 64, stream_batches = 8;
constexpr int small_bytes = 8;

// The number of trips of the next batch, which the first rank tells the second; 0 ends.
void tell_trips(const Communicator& comm, int second, int trips) {
  check_mpi(MPI_Send(&trips, 1, MPI_INT, second, control_tag, comm.handle()), "MPI_Send");
}

int told_trips(const Communicator& comm, int first) {
  int trips = 0;
  check_mpi(MPI_Recv(&trips, 1, MPI_INT, first, control_tag, comm.handle(), MPI_STATUS_IGNORE),
            "MPI_Recv");
  return trips;
}

}  // namespace

PingPong::PingPong(const Communicator& comm, std::int64_t most_bytes)
    : comm_(comm), memory_(agree(comm, [&] {
        return Buffer(std::max<std::int64_t>(most_bytes, stream_messages * small_bytes));
      })) {}

void PingPong::there_and_back(int partner, std::int64_t bytes, bool begins) {
  const int count = narrow(bytes);
  for (const bool sends : {begins, !begins})
    if (sends)
      check_mpi(MPI_Send(memory_.data(), count, MPI_BYTE, partner, message_tag, comm_.handle()),
                "MPI_Send");
    else
      check_mpi(MPI_Recv(memory_.data(), count, MPI_BYTE, partner, message_tag, comm_.handle(),
                         MPI_STATUS_IGNORE),
                "MPI_Recv");
}

Repeated PingPong::lead(int second, std::int64_t bytes, const TimeLimit& limit) {
  std::array<double, most_batches> times{};
  int batches = 0, trips = 1;
  // The first trip, which may make a connection, counts only for the number of the next ones.
  for (bool is_first = true; trips > 0; is_first = false) {
    tell_trips(comm_, second, trips);
    const double start = now();
    for (int i = 0; i < trips; ++i) there_and_back(second, bytes, true);
    const double each = std::max(shortest_seconds, (now() - start) / trips);
    if (!is_first) times[static_cast<std::size_t>(batches++)] = each / 2;
    const bool ends = !limit.allows(batches, fewest_batches, most_batches);
    const double wanted = std::min(batch_seconds, limit.left() / 2) / each;
    trips = ends ? 0 : 1 + static_cast<int>(std::min<double>(most_trips - 1, wanted));
  }
  tell_trips(comm_, second, 0);
  std::sort(times.begin(), times.begin() + batches);
  return {times[0], times[static_cast<std::size_t>(batches / 2)]};
}

void PingPong::follow(int first, std::int64_t bytes) {
  for (int trips = told_trips(comm_, first); trips > 0; trips = told_trips(comm_, first))
    for (int i = 0; i < trips; ++i) there_and_back(first, bytes, false);
}

Repeated PingPong::one_way(int first, int second, std::int64_t bytes, const TimeLimit& limit) {
  Repeated found;
  if (comm_.rank() == first) found = lead(second, bytes, limit);
  if (comm_.rank() == second) follow(first, bytes);
  comm_.broadcast(&found, sizeof found, first);
  return found;
}

double PingPong::send_stream(int second, const TimeLimit& limit) {
  std::array<MPI_Request, stream_messages> requests{};
  double best = 0;
  // The first batch does not count.
  for (int batch = 0; batch == 0 || limit.allows(batch - 1, fewest_batches, stream_batches);
       ++batch) {
    tell_trips(comm_, second, 1);
    there_and_back(second, small_bytes, true);  // until both ranks are here
    const double start = now();
    for (MPI_Request& request : requests)
      check_mpi(MPI_Isend(memory_.data(), small_bytes, MPI_BYTE, second, message_tag,
                          comm_.handle(), &request),
                "MPI_Isend");
    check_mpi(MPI_Waitall(stream_messages, requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    told_trips(comm_, second);  // that all have arrived
    const double each = std::max(shortest_seconds, (now() - start) / stream_messages);
    if (batch > 0) best = best == 0 ? each : std::min(best, each);
  }
  tell_trips(comm_, second, 0);
  return best;
}

void PingPong::receive_stream(int first) {
  std::array<MPI_Request, stream_messages> requests{};
  while (told_trips(comm_, first) > 0) {
    there_and_back(first, small_bytes, false);
    for (int i = 0; i < stream_messages; ++i)
      check_mpi(MPI_Irecv(memory_.data() + i * small_bytes, small_bytes, MPI_BYTE, first,
                          message_tag, comm_.handle(), &requests[static_cast<std::size_t>(i)]),
                "MPI_Irecv");
    check_mpi(MPI_Waitall(stream_messages, requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    tell_trips(comm_, first, 1);
  }
}

double PingPong::of_stream(int first, int second, const TimeLimit& limit) {
  double found = 0;
  if (comm_.rank() == first) found = send_stream(second, limit);
  if (comm_.rank() == second) receive_stream(first);
  comm_.broadcast(&found, sizeof found, first);
  return found;
}

}  // namespace weft
