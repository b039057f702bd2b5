// measuring/measure_collectives: all-to-alls of growing size.

#include <algorithm>
#include <functional>

#include "weft/comm/mpi_comm.hpp"
#include "weft/measuring/measure_messages.hpp"
#include "weft/measuring/repeat.hpp"
#include "weft/memory/buffer.hpp"

namespace weft {

namespace {

// A rank's part of an all-to-all stays below MPI's limit for displacements.
constexpr std::int64_t most_bytes_of_rank = std::int64_t{1} << 30;

class AllToAll {
 public:
  AllToAll(const Communicator& comm, std::int64_t most_bytes)
      : comm_(comm), ranks_(static_cast<std::size_t>(comm.size())) {
    agree(comm, [&] {
      sent_ = Buffer(comm.size() * most_bytes);
      received_ = Buffer(comm.size() * most_bytes);
      counts_.resize(ranks_);
      starts_.resize(ranks_);
    });
  }

  void call(std::int64_t bytes) {
    const int count = narrow(bytes);
    check_mpi(MPI_Alltoall(sent_.data(), count, MPI_BYTE, received_.data(), count, MPI_BYTE,
                           comm_.handle()),
              "MPI_Alltoall");
  }
  void call_with_counts(std::int64_t bytes) {
    for (std::size_t r = 0; r < ranks_; ++r) {
      counts_[r] = narrow(bytes);
      starts_[r] = narrow(static_cast<std::int64_t>(r) * bytes);
    }
    check_mpi(
        MPI_Alltoallv(sent_.data(), counts_.data(), starts_.data(), MPI_BYTE, received_.data(),
                      counts_.data(), starts_.data(), MPI_BYTE, comm_.handle()),
        "MPI_Alltoallv");
  }

 private:
  const Communicator& comm_;
  std::size_t ranks_;
  Buffer sent_, received_;
  std::vector<int> counts_, starts_;
};

}  // namespace

std::vector<SizeCurve> measure_collectives(const Communicator& comm, const JobFacts& job,
                                           const TimeLimit& limit) {
  if (comm.size() == 1) return {};
  std::vector<std::int64_t> sizes = measured_sizes();
  const std::int64_t room = std::min(most_bytes_of_rank, job.spare_bytes / 2) / comm.size();
  std::erase_if(sizes, [&](std::int64_t bytes) { return bytes > room; });
  if (sizes.empty()) return {};
  AllToAll calls(comm, sizes.back());
  SizeCurve equal{"MPI_Alltoall", comm.size() - 1, {}},
      counted{"MPI_Alltoallv", comm.size() - 1, {}};
  const double each = limit.left(comm) / 2 / static_cast<double>(sizes.size());
  for (const std::int64_t bytes : sizes) {
    // The next size takes twice as long, and there are two calls, each at least three times. All
    // ranks have measured the same.
    if (!equal.times.empty() && 12 * equal.times.back().seconds > limit.left(comm)) break;
    // In turn, so that what else runs slows both down.
    const auto repeated = [&](const auto& call) {
      return repeat_together(comm, {limit.part(each / 2), 3, 15}, call).best;
    };
    equal.times.push_back({bytes, repeated([&] { calls.call(bytes); })});
    counted.times.push_back({bytes, repeated([&] { calls.call_with_counts(bytes); })});
  }
  return {equal, counted};
}

}  // namespace weft
