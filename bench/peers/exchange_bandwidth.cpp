// bench/peers/exchange_bandwidth: measures a plain exchange, with which bench/wire compares weft.
// Every rank sends equal parts of its bytes to all other ranks, with one MPI_Isend and one
// MPI_Irecv per pair, from and into plain memory; with all partners at once, and with one after
// another.
#include <cstring>
#include <limits>

#include "peer.hpp"

namespace {

struct Job {
  std::vector<std::int64_t> bytes;
  int repeat = 5;
};

std::int64_t number_of(const std::string& text) {
  std::size_t used = 0;
  long long value = 0;
  try {
    value = std::stoll(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used == 0 || used != text.size() || value < 1)
    throw std::invalid_argument("'" + text + "' is not a whole number of at least 1");
  return value;
}

Job parse(const std::vector<std::string>& words) {
  Job job;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] != "--repeat")
      job.bytes.push_back(number_of(words[i]));
    else if (++i < words.size())
      job.repeat = static_cast<int>(std::min<std::int64_t>(number_of(words[i]), 1000));
  }
  if (job.bytes.empty())
    throw std::invalid_argument(
        "usage: mpiexec -n 2 exchange_bandwidth BYTES... [--repeat N]; BYTES are those "
        "that each "
        "rank sends");
  return job;
}

/// Seconds of the slowest rank for each of `repeat` exchanges, after one that is not timed.
std::vector<double> exchange(const peer::Processes& processes, std::int64_t bytes, int repeat,
                             bool in_turn) {
  const int others = processes.size() - 1;
  const std::int64_t each = bytes / others;
  if (each < 1 || each > std::numeric_limits<int>::max())
    throw std::invalid_argument(std::to_string(bytes) + " bytes are not 1 to 2^31 - 1 to each of " +
                                std::to_string(others) + " others");
  const peer::Field<std::byte> sent(each * others), received(each * others);
  std::memset(sent.data(), processes.rank() + 1, static_cast<std::size_t>(each * others));
  std::memset(received.data(), 0, static_cast<std::size_t>(each * others));
  std::vector<MPI_Request> requests(2 * static_cast<std::size_t>(others));
  std::vector<double> seconds;
  for (int run = -1; run < repeat; ++run) {
    processes.barrier();
    const double begin = peer::now();
    std::size_t posted = 0;
    for (int i = 0; i < others; ++i) {
      const int from = (processes.rank() + processes.size() - 1 - i) % processes.size();
      const int to = (processes.rank() + 1 + i) % processes.size();
      MPI_Irecv(received.data() + i * each, static_cast<int>(each), MPI_BYTE, from, 0,
                MPI_COMM_WORLD, &requests[posted++]);
      MPI_Isend(sent.data() + i * each, static_cast<int>(each), MPI_BYTE, to, 0, MPI_COMM_WORLD,
                &requests[posted++]);
      if (in_turn) MPI_Waitall(static_cast<int>(posted), requests.data(), MPI_STATUSES_IGNORE);
    }
    MPI_Waitall(static_cast<int>(posted), requests.data(), MPI_STATUSES_IGNORE);
    const double slowest = processes.slowest(peer::now() - begin);
    if (run >= 0) seconds.push_back(slowest);
  }
  for (int i = 0; i < others; ++i) {
    const int from = (processes.rank() + processes.size() - 1 - i) % processes.size();
    for (std::int64_t at : {i * each, (i + 1) * each - 1})
      if (received.data()[at] != static_cast<std::byte>(from + 1))
        throw std::logic_error("what came from rank " + std::to_string(from) + " is wrong");
  }
  return seconds;
}

std::string json_of(const std::vector<double>& seconds) {
  std::string times;
  for (const double s : seconds) times += (times.empty() ? "" : ", ") + peer::number(s);
  return "[" + times + "]";
}

}  // namespace

int main(int argc, char** argv) {
  const peer::Processes processes(argc, argv);
  const auto report = [&](const std::exception& error, int status) {
    if (processes.rank() == 0) std::fprintf(stderr, "exchange_bandwidth: %s\n", error.what());
    return status;
  };
  try {
    const Job job = parse({argv + 1, argv + argc});
    if (processes.size() < 2) throw std::invalid_argument("an exchange needs at least 2 ranks");
    std::string all;
    for (const std::int64_t bytes : job.bytes)
      all += (all.empty() ? "" : ", ") + ("{\"bytes\": " + std::to_string(bytes)) +
             ", \"at_once\": " + json_of(exchange(processes, bytes, job.repeat, false)) +
             ", \"in_turn\": " + json_of(exchange(processes, bytes, job.repeat, true)) + "}";
    if (processes.rank() == 0)
      std::printf("{\"peer\": \"exchange\", \"ranks\": %d, \"exchanges\": [%s]}\n",
                  processes.size(), all.c_str());
    return 0;
  } catch (const std::invalid_argument& error) {
    return report(error, 2);
  } catch (const std::exception& error) {
    return report(error, 1);
  }
}
