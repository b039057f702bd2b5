// measuring/node_pairs: partners, and streams with a window of messages under way.

#include "weft/measuring/node_pairs.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/trace.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/measuring/repeat.hpp"

namespace weft {

namespace {

constexpr std::int64_t one_message = std::int64_t{1} << 20;
constexpr std::int64_t smallest_streamed = std::int64_t{1} << 12,
                       largest_streamed = std::int64_t{4} << 20;
// As SendWindow limits the messages of `p2p`: so many, or so many bytes.
constexpr int least_under_way = 2;
constexpr std::int64_t bytes_under_way = std::int64_t{1} << 20;
// A stream is long enough that its ends do not count, and short enough to be repeated.
constexpr double stream_seconds = 5e-3;
constexpr std::int64_t shortest_stream = std::int64_t{1} << 20;  // of all ranks of a node
// The most messages of a stream: with small messages, their number decides how long it takes.
constexpr std::int64_t most_messages = 1024;
// The bytes of the rings that are sent from and received to, which together exceed most caches.
constexpr std::int64_t most_ring = std::int64_t{32} << 20;
constexpr int fewest_streams = 3;            // of which the median counts
constexpr double patience_with_links = 0.5;  // seconds
constexpr int stream_tag = 4;

// At most a ring, in which receives that are posted together have a place each.
int messages_of(std::int64_t bytes, std::int64_t stream_bytes) {
  return static_cast<int>(
      std::clamp<std::int64_t>(stream_bytes / bytes, least_under_way, most_messages));
}

}  // namespace

struct NodePairs::Requests {
  std::vector<MPI_Request> receives, sends;
};

NodePairs::NodePairs(const Communicator& comm, const JobFacts& job)
    : comm_(comm),
      ring_(std::clamp(job.spare_bytes / 2, least_under_way * largest_streamed, most_ring)),
      memory_(agree(comm, [&] { return Buffer(2 * ring_); })) {
  agree(comm, [&] {
    requests_ = std::make_unique<Requests>();
    requests_->receives.reserve(static_cast<std::size_t>(messages_of(smallest_streamed, ring_)));
    requests_->sends.reserve(requests_->receives.capacity());
    ranks_of_nodes_.resize(static_cast<std::size_t>(job.nodes));
    for (std::size_t r = 0; r < job.ranks.size(); ++r)
      ranks_of_nodes_[static_cast<std::size_t>(job.ranks[r].node)].push_back(static_cast<int>(r));
  });
}

NodePairs::~NodePairs() = default;

double NodePairs::bytes_per_second(int first, int second, const TimeLimit& limit) {
  const std::size_t both = std::min(ranks_of(first).size(), ranks_of(second).size());
  const Repeated time = repeated_stream(first, second, one_message, 1, limit);
  return static_cast<double>(both) * one_message / time.median;
}

SizeCurve NodePairs::streams(double bytes_per_second, const TimeLimit& limit) {
  int sizes = 0;
  for (std::int64_t bytes = smallest_streamed; bytes <= largest_streamed; bytes *= 2) ++sizes;
  const auto [first, second] = largest_nodes();
  const std::size_t both = ranks_of(second).size();
  SizeCurve curve = agree(comm_, [&] {
    SizeCurve made{"between nodes, both ways at once", static_cast<int>(both), {}, true};
    made.times.reserve(static_cast<std::size_t>(sizes));
    return made;
  });
  const auto stream_bytes = static_cast<std::int64_t>(std::clamp(
      std::max(stream_seconds * bytes_per_second, static_cast<double>(shortest_stream)) /
          static_cast<double>(both),
      static_cast<double>(least_under_way * smallest_streamed), static_cast<double>(ring_)));
  const double begin = now(), each = limit.left(comm_) / sizes;
  for (std::int64_t bytes = smallest_streamed; bytes <= largest_streamed; bytes *= 2) {
    const int messages = messages_of(bytes, stream_bytes);
    const double expected = fewest_streams * static_cast<double>(both) * messages *
                            static_cast<double>(bytes) / bytes_per_second;
    const double left = std::max(limit.left(comm_), patience_with_links - comm_.max(now() - begin));
    if (!curve.times.empty() && (expected > left || limit.is_over(comm_))) break;
    const Repeated time = repeated_stream(first, second, bytes, messages, limit.part(each));
    curve.times.push_back({bytes, time.median / messages});
  }
  return curve;
}

Repeated NodePairs::repeated_stream(int first, int second, std::int64_t bytes, int messages,
                                    const TimeLimit& limit) {
  const std::vector<int>&a = ranks_of(first), &b = ranks_of(second);
  int partner = -1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i] == comm_.rank()) partner = b[i];
    if (b[i] == comm_.rank()) partner = a[i];
  }
  return repeat_together(comm_, {limit, fewest_streams, 15}, [&] {
    if (partner >= 0) stream(partner, bytes, messages);
  });
}

// The next `bytes` of the ring that begins at `first`.
std::byte* NodePairs::next(std::int64_t& at, std::int64_t bytes, std::int64_t first) {
  if (at + bytes > ring_) at = 0;
  std::byte* const found = memory_.data() + first + at;
  at += bytes;
  return found;
}

void NodePairs::stream(int partner, std::int64_t bytes, int messages) {
  const int count = static_cast<int>(bytes);
  auto& [receives, sends] = *requests_;
  // All are received at the same time, so that they must not come round to the first one.
  if (received_ + messages * bytes > ring_) received_ = 0;
  receives.assign(static_cast<std::size_t>(messages), MPI_REQUEST_NULL);
  sends.assign(receives.size(), MPI_REQUEST_NULL);
  for (MPI_Request& receive : receives)
    check_mpi(MPI_Irecv(next(received_, bytes, ring_), count, MPI_BYTE, partner, stream_tag,
                        comm_.handle(), &receive),
              "MPI_Irecv");
  const auto window =
      static_cast<std::size_t>(std::max<std::int64_t>(least_under_way, bytes_under_way / bytes));
  // The oldest message is awaited before the next one is sent.
  for (std::size_t i = 0; i < sends.size(); ++i) {
    if (i >= window) check_mpi(MPI_Wait(&sends[i - window], MPI_STATUS_IGNORE), "MPI_Wait");
    check_mpi(MPI_Isend(next(sent_, bytes, 0), count, MPI_BYTE, partner, stream_tag, comm_.handle(),
                        &sends[i]),
              "MPI_Isend");
  }
  check_mpi(MPI_Waitall(messages, sends.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  check_mpi(MPI_Waitall(messages, receives.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
}

// If several are equally large, the first ones.
std::pair<int, int> NodePairs::largest_nodes() const {
  int first = 0, second = 1;
  const auto is_larger = [&](int a, int b) { return ranks_of(a).size() > ranks_of(b).size(); };
  if (is_larger(second, first)) std::swap(first, second);
  for (int node = 2; node < static_cast<int>(ranks_of_nodes_.size()); ++node)
    if (is_larger(node, first))
      second = std::exchange(first, node);
    else if (is_larger(node, second))
      second = node;
  return {first, second};
}

}  // namespace weft
