// exchange/node: ranks that share a node share memory. What stays in the node rests where it was
// stored, and the next pass loads it from there; between each pair of nodes goes one message, cut
// into segments that all their ranks send and receive, and loaded where it arrived.
// With one node nothing is sent at all: that is the exchange `shared`.

#include <algorithm>
#include <map>

#include "weft/exchange/exchange.hpp"
#include "weft/exchange/posted.hpp"
#include "weft/exchange/segments.hpp"

namespace weft {

namespace {

// Messages are not cut into smaller segments than this.
constexpr std::int64_t least_segment_bytes = 65536;

bool all_in_one_node(const std::vector<Transfer>& transfers, const Team& team) {
  return std::all_of(transfers.begin(), transfers.end(),
                     [&](const Transfer& transfer) { return team.member(transfer.peer) >= 0; });
}

// Parts of `patches` that lie in `box`, appended to `parts`.
void append_clipped(const Patches& patches, const Box& box, Patches& parts) {
  for (const Patch& patch : patches) {
    const Patch part = clipped(patch, box);
    if (part.box.empty()) continue;
    parts.push_back(part);
    parts.back().message = Patch::resident;
  }
}

class NodeExchange : public Exchange {
 public:
  explicit NodeExchange(const ExchangeSpec& spec)
      : comm_(spec.comm),
        team_(spec.shared.team),
        poll_(spec.shared.poll),
        posted_(*spec.comm, spec.element_bytes, spec.count_limit),
        send_buffer_(spec.send_buffer),
        receive_buffer_(spec.receive_buffer),
        opens_(spec.shared.opens),
        closes_(spec.shared.closes) {
    if (spec.shared.rest)
      rest_in_place(spec);
    else
      rest_in_buffer(spec);
    if (spec.shared.machine->nodes() > 1) add_segments(spec);
    sends_ = spec.comm->max(std::int64_t{posted_.receives() + posted_.sends() > 0}) > 0;
    ensure(!sends_ || (!spec.source_array && !spec.target_array));
  }

  void start(const Addresses& addresses) override {
    Exchange::start(addresses);
    if (opens_) team_->barrier(poll_);
  }

  // All of the node have stored, and nobody loads any more what the receives overwrite. Then each
  // sends and receives its segments; sends take as long as receives, and with both done the
  // buffers they left are free for the next pass.
  void flush() override {
    team_->barrier(poll_);
    if (!sends_) return;
    for (std::size_t i = 0; i < posted_.receives(); ++i)
      posted_.receive(i, address(receive_buffer_));
    for (std::size_t i = 0; i < posted_.sends(); ++i) posted_.send(i, address(send_buffer_));
    posted_.wait_all();
    team_->barrier(poll_);
  }

  void finish() override {
    if (closes_) team_->barrier(poll_);
  }

 private:
  // What stays in the node has a place already.
  void rest_in_place(const ExchangeSpec& spec) {
    const int rank = comm_->rank();
    const auto sends = spec.moves.sends(rank), receives = spec.moves.receives(rank);
    std::map<int, Patches> rests;
    const auto rest_of = [&](int owner) -> const Patches& {
      auto [found, is_new] = rests.try_emplace(owner);
      if (is_new) found->second = spec.shared.rest(owner);
      return found->second;
    };
    const auto side = [&](const std::vector<Transfer>& transfers, bool at_peer) {
      Patches patches;
      if (!at_peer && all_in_one_node(transfers, *team_)) {
        patches = rest_of(rank);
        for (Patch& patch : patches) patch.message = Patch::resident;
        return patches;
      }
      for (const Transfer& transfer : transfers)
        if (team_->member(transfer.peer) >= 0)
          append_clipped(rest_of(at_peer ? transfer.peer : rank), transfer.box, patches);
      return patches;
    };
    outgoing_ = side(sends, spec.shared.rests_with_taker);
    incoming_ = side(receives, !spec.shared.rests_with_taker);
  }

  // It rests with its giver, box by box in the order of the transfers.
  void rest_in_buffer(const ExchangeSpec& spec) {
    for (int giver : team_->ranks()) {
      const int buffer = spec.shared.buffer_of(giver, spec.shared.rest_buffer);
      std::int64_t offset = 0;
      for (const Transfer& transfer : spec.moves.sends(giver)) {
        if (team_->member(transfer.peer) < 0) continue;
        const Patch patch = packed_patch(transfer.box, buffer, offset);
        if (giver == comm_->rank()) outgoing_.push_back(patch);
        if (transfer.peer == comm_->rank()) incoming_.push_back(patch);
        offset += transfer.box.volume();
      }
      if (giver == comm_->rank()) rest_elements_ = offset;
    }
  }

  void add_segments(const ExchangeSpec& spec) {
    const Machine& machine = *spec.shared.machine;
    const int rank = comm_->rank();
    const NodeTraffic traffic(spec.moves, machine, machine.node(rank),
                              least_segment_bytes / spec.element_bytes);
    for (const NodeSegment& segment : traffic.received) {
      if (segment.receiver == rank) {
        posted_.add_receive({segment.sender, segment.receive_offset, segment.count});
        receive_elements_ += segment.count;
      }
      const int buffer = spec.shared.buffer_of(segment.receiver, receive_buffer_);
      for (const Piece& piece : segment.pieces)
        if (piece.taker == rank)
          incoming_.push_back(
              packed_patch(piece.box, buffer, segment.receive_offset + piece.offset));
    }
    std::map<int, int> segments_to;  // by node
    for (const NodeSegment& segment : traffic.sent) {
      segments_ = std::max(segments_, ++segments_to[machine.node(segment.receiver)]);
      if (segment.sender == rank) {
        posted_.add_send({segment.receiver, segment.send_offset, segment.count});
        sent_.push_back({segment.receiver, segment.count * spec.element_bytes});
        send_elements_ += segment.count;
      }
      const int buffer = spec.shared.buffer_of(segment.sender, send_buffer_);
      for (const Piece& piece : segment.pieces)
        if (piece.giver == rank)
          outgoing_.push_back(packed_patch(piece.box, buffer, segment.send_offset + piece.offset));
    }
  }

  const Communicator* comm_;
  Team* team_;
  const Team::Poll* poll_;
  Posted posted_;
  int send_buffer_, receive_buffer_;
  bool opens_, closes_;
  bool sends_ = false;  // whether any rank sends anything
};

std::unique_ptr<Exchange> make_node_exchange(const ExchangeSpec& spec) {
  ensure(spec.shared.team != nullptr && spec.shared.machine != nullptr);
  return std::make_unique<NodeExchange>(spec);
}

}  // namespace

ExchangeRow shared_row() {
  return {"shared",
          "nothing is sent: a node's ranks load from each other's memory",
          false,
          true,
          Preferred::in_nodes,
          [](const Problem&, const Machine& machine) -> std::optional<std::string> {
            if (machine.nodes() == 1) return std::nullopt;
            return fmt::format("the ranks are on {} nodes; within each, `node` does the same",
                               machine.nodes());
          },
          make_node_exchange};
}

ExchangeRow node_row() {
  return {"node",
          "shared memory within nodes, one message per pair of nodes, sent and received by all",
          false,
          true,
          Preferred::between_nodes,
          everywhere,
          make_node_exchange};
}

}  // namespace weft
