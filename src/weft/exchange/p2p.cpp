// exchange/p2p: one isend and one irecv per pair of ranks and cell. A message leaves when its last
// point is stored, the most urgent first, and few at a time: what follows would share the wire.

#include <algorithm>
#include <functional>

#include "weft/exchange/exchange.hpp"
#include "weft/exchange/posted.hpp"

namespace weft {

namespace {

// While fewer messages, or fewer bytes, are on their way, the next one goes. Nobody looks within a
// tile, so the wire must have enough until the next look; but what is under way shares the wire,
// and keeps no order. Tiles grow with the problem: an eighth of all was best of 1/64 to all, for
// 128^3 and 192^3 points as slabs on 8 simulated hosts at 1 GB/s. Open MPI's TCP takes the two
// directions of a link one after the other where much is handed to it at once: 256^3 between two
// hosts at 2 Gbit/s took 520 to 580 ms with 16 MiB under way, 330 with these.
constexpr int least_under_way = 2;
constexpr std::int64_t part_under_way = 8;
constexpr std::int64_t most_bytes_under_way = std::int64_t{1} << 20;

class P2p : public Exchange {
 public:
  explicit P2p(const ExchangeSpec& spec)
      : sides_(spec.moves, spec.comm->rank(), spec.send_buffer, spec.receive_buffer),
        posted_(*spec.comm, spec.element_bytes, spec.count_limit, spec.first_tag),
        send_buffer_(spec.send_buffer),
        receive_buffer_(spec.receive_buffer) {
    ensure(!spec.source_array && !spec.target_array);
    lay_out(sides_, spec.element_bytes);
    for (const Message& message : sides_.received.messages) posted_.add_receive(message);
    for (const Message& message : sides_.sent.messages) posted_.add_send(message);
    least_bytes_under_way_ =
        std::min(sides_.sent.elements * spec.element_bytes / part_under_way, most_bytes_under_way);
    waiting_.reserve(posted_.sends());
  }

  void start(const Addresses& addresses) override {
    Exchange::start(addresses);
    waiting_.clear();
    to_send_ = posted_.sends();
    under_way_ = 0;
    bytes_under_way_ = 0;
    for (std::size_t i = 0; i < posted_.receives(); ++i)
      posted_.receive(i, address(receive_buffer_));
  }

  void ready(int message) override {
    if (const int arrival = sides_.stays_as(message); arrival >= 0) {
      arrivals_.push_back(arrival);
      return;
    }
    waiting_.push_back(message);
    std::push_heap(waiting_.begin(), waiting_.end(), std::greater<>());
    send_waiting();
  }
  void progress() override {
    posted_.test([this](std::size_t i) { received(i); }, [this](std::size_t i) { sent(i); });
    send_waiting();
  }
  // Asking takes its time for every request; between tiles it matters only which sends are done.
  void move() override {
    if (under_way_ == 0) return progress();
    posted_.test_sends([this](std::size_t i) { sent(i); });
    send_waiting();
  }
  void wait() override {
    posted_.wait_some([this](std::size_t i) { received(i); }, [this](std::size_t i) { sent(i); });
    send_waiting();
  }
  bool has_finished() const override { return to_send_ == 0 && has_all(); }

 private:
  void send_waiting() {
    while (!waiting_.empty() &&
           (under_way_ < least_under_way || bytes_under_way_ < least_bytes_under_way_)) {
      std::pop_heap(waiting_.begin(), waiting_.end(), std::greater<>());
      const auto i = static_cast<std::size_t>(waiting_.back());
      waiting_.pop_back();
      posted_.send(i, address(send_buffer_));
      ++under_way_;
      bytes_under_way_ += sent_[i].bytes;
    }
  }
  void received(std::size_t i) { arrivals_.push_back(static_cast<int>(i)); }
  void sent(std::size_t i) {
    --to_send_;
    --under_way_;
    bytes_under_way_ -= sent_[i].bytes;
  }

  MessageSides sides_;
  Posted posted_;
  int send_buffer_, receive_buffer_;
  std::vector<int> waiting_;  // stored but not yet sent: a heap, the most urgent on top
  std::size_t to_send_ = 0;
  int under_way_ = 0;
  std::int64_t bytes_under_way_ = 0, least_bytes_under_way_ = 0;
};

}  // namespace

ExchangeRow p2p_row() {
  return {"p2p",      "isend and irecv; tiles are taken further as their messages arrive",
          false,      false,
          true,       Preferred::large_messages,
          everywhere, make_exchange<P2p>};
}

}  // namespace weft
