// making/lay_out_node: an exchange in which the ranks of a node share memory.
// Data that stay in their node are not moved: the next pass loads them where they were stored.
// Between each pair of nodes there is one message per cell, cut into segments that all their ranks
// send and receive; the next pass loads it from the receive buffers.

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "weft/making/exchange_layout.hpp"
#include "weft/making/node_exchange.hpp"

namespace weft {

namespace {

// Appends the parts of `patches` that lie in `box` to `parts`, as parts of `message`.
void append_clipped(const Patches& patches, const Box& box, int message, Patches& parts) {
  for (const Patch& patch : patches) {
    const Patch part = clipped(patch, box);
    if (part.box.empty()) continue;
    parts.push_back(part);
    parts.back().message = message;
  }
}

class NodeLayout {
 public:
  explicit NodeLayout(const ExchangeQuestion& question)
      : question_(question),
        moves_(*question.moves),
        machine_(*question.machine),
        node_(*question.node),
        rank_(question.rank) {
    layout_.program.element_bytes = question.element_bytes;
    layout_.cells.resize(static_cast<std::size_t>(moves_.cutting().cells()));
    // Without a limit, MPI may send all cells at the same time, and the first one arrives last.
    if (moves_.cutting().cells() > 1)
      layout_.program.send_limit = ExchangeProgram::SendLimit::of_each_peer;
  }

  ExchangeLayout make() {
    number_cells();
    if (question_.stationary_patches && question_.stationary_own_only)
      place_own_in_array();
    else if (question_.stationary_patches)
      place_in_arrays();
    if (!question_.stationary_patches || question_.stationary_own_only) place_in_buffer();
    for (const NodeSegment& segment : node_.traffic().received) add_received(segment);
    for (const NodeSegment& segment : node_.traffic().sent) add_sent(segment);
    const bool is_sent = !layout_.program.sends.empty() || !layout_.program.receives.empty();
    ensure(!is_sent || (!question_.source_array && !question_.target_array));
    if (question_.source_array)
      layout_.outgoing.clear();
    else
      for (const int cell : layout_.outgoing_cells)
        layout_.outgoing_messages.push_back({.cell = cell});
    if (question_.target_array)
      layout_.incoming = *question_.target_array;
    else
      layout_.incoming_messages = layout_.incoming_cells;
    return std::move(layout_);
  }

 private:
  bool is_in_node(int rank) const { return node_.has(rank); }
  bool has_ring() const { return question_.ring != Ring::none; }
  CellUse& cell_use(int cell) { return layout_.cells[static_cast<std::size_t>(cell)]; }

  // Outgoing messages are the cells in which this rank owns points before the exchange. A cell in
  // which it owns points after the exchange has two incoming messages, one from its node and one
  // from other nodes: lines whose points all come from the node need not wait for the network.
  void number_cells() {
    for (std::size_t c = 0; c < layout_.cells.size(); ++c) {
      layout_.cells[c].storers = node_.storers()[c];
      layout_.cells[c].receivers = node_.receivers()[c];
      layout_.cells[c].loaders = node_.loaders()[c];
    }
    layout_.outgoing_cells = cells_of(node_.sends(rank_));
    std::set<std::pair<int, bool>> found;
    for (const Transfer& transfer : moves_.receives(rank_))
      if (!has_ring() || transfer.peer != rank_)
        found.emplace(transfer.cell, !is_in_node(transfer.peer));
    for (const auto& [cell, from_other_nodes] : found)
      layout_.incoming_cells.push_back({.cell = cell, .from_other_nodes = from_other_nodes});
  }
  int outgoing_message(int cell) const {
    const auto& cells = layout_.outgoing_cells;
    const auto found = std::lower_bound(cells.begin(), cells.end(), cell);
    ensure(found != cells.end() && *found == cell, cell);
    return static_cast<int>(found - cells.begin());
  }
  int incoming_message(int cell, bool from_other_nodes) const {
    const auto& cells = layout_.incoming_cells;
    const auto key = [](const Incoming& one) { return std::pair(one.cell, one.from_other_nodes); };
    const std::pair wanted(cell, from_other_nodes);
    const auto found = std::ranges::lower_bound(cells, wanted, {}, key);
    ensure(found != cells.end() && key(*found) == wanted, cell);
    return static_cast<int>(found - cells.begin());
  }

  const Patches& stationary_of(int owner) {
    auto [found, is_new] = stationary_.try_emplace(owner);
    if (is_new) found->second = question_.stationary_patches(owner);
    return found->second;
  }
  bool all_in_node(const std::vector<Transfer>& transfers) const {
    return std::all_of(transfers.begin(), transfers.end(),
                       [this](const Transfer& transfer) { return is_in_node(transfer.peer); });
  }
  template <class Number>
  void add_by_transfer(const std::vector<Transfer>& transfers, bool at_peer, const Number& number,
                       Patches& patches) {
    for (const Transfer& transfer : transfers)
      if (is_in_node(transfer.peer))
        append_clipped(stationary_of(at_peer ? transfer.peer : rank_), transfer.box,
                       number(transfer.cell), patches);
  }
  // If only the boxes of this rank are cut, the data that it keeps need one patch per part, not one
  // per peer.
  template <class Number>
  void add_by_part(const std::vector<Box>& boxes, int axis, int parts, const Number& number,
                   Patches& patches) {
    for (const Box& box : boxes)
      for (const BoxPart& part : parts_of_region(box, box, axis, parts))
        append_clipped(stationary_of(rank_), part.box, number(part.part), patches);
  }

  // Data that stay in the node are kept in users' arrays.
  void place_in_arrays() {
    const Cutting& cutting = moves_.cutting();
    const auto& sends = node_.sends(rank_);
    const auto receives = moves_.receives(rank_);
    const auto outgoing = [this](int cell) { return outgoing_message(cell); };
    const auto incoming = [this](int cell) { return incoming_message(cell, false); };
    const bool at_target = question_.stationary_at_target;
    if (!at_target && cutting.target_parts == 1 && all_in_node(sends))
      add_by_part(moves_.source().boxes(rank_), cutting.source_axis, cutting.source_parts, outgoing,
                  layout_.outgoing);
    else
      add_by_transfer(sends, at_target, outgoing, layout_.outgoing);
    if (at_target && cutting.source_parts == 1 && all_in_node(receives))
      add_by_part(moves_.target().boxes(rank_), cutting.target_axis, cutting.target_parts, incoming,
                  layout_.incoming);
    else
      add_by_transfer(receives, !at_target, incoming, layout_.incoming);
  }

  // What the rank keeps for itself is where the sweep before stores it, and the sweep after loads
  // it. Beside a ring one of them does neither.
  void place_own_in_array() {
    for (const Transfer& transfer : moves_.sends(rank_)) {
      if (transfer.peer != rank_) continue;
      const int out = has_ring() ? Patch::resident : outgoing_message(transfer.cell);
      const int in = has_ring() ? Patch::resident : incoming_message(transfer.cell, false);
      if (question_.ring != Ring::from_source)
        append_clipped(stationary_of(rank_), transfer.box, out, layout_.outgoing);
      if (question_.ring != Ring::to_target)
        append_clipped(stationary_of(rank_), transfer.box, in, layout_.incoming);
    }
  }

  // Data that stay in the node are kept in the buffer of the rank that stores them, box by box in
  // the order of the transfers.
  void place_in_buffer() {
    for (const NodeExchange::StationaryBox& kept : node_.outgoing(rank_))
      layout_.outgoing.push_back(packed_patch(kept.box, question_.stationary_buffer, kept.offset,
                                              outgoing_message(kept.cell)));
    for (const NodeExchange::StationaryBox& kept : node_.incoming(rank_))
      layout_.incoming.push_back(
          packed_patch(kept.box, question_.buffer_of(kept.source_rank, question_.stationary_buffer),
                       kept.offset, incoming_message(kept.cell, false)));
    layout_.stationary_elements = node_.stationary_elements(rank_);
  }

  void add_received(const NodeSegment& segment) {
    auto& receives = layout_.program.receives;
    if (segment.receiver == rank_) {
      cell_use(segment.cell).receives.push_back(static_cast<int>(receives.size()));
      receives.push_back({segment.sender, question_.first_tag + segment.cell,
                          question_.receive_buffer, segment.receive_offset, segment.count,
                          segment.cell});
      layout_.receive_elements += segment.count;
    }
    for (const Fragment& fragment : segment.fragments)
      if (fragment.target_rank == rank_)
        layout_.incoming.push_back(packed_patch(
            fragment.box, question_.buffer_of(segment.receiver, question_.receive_buffer),
            segment.receive_offset + fragment.offset, incoming_message(segment.cell, true)));
  }
  void add_sent(const NodeSegment& segment) {
    int& count = segments_to_[{segment.cell, machine_.node(segment.receiver)}];
    layout_.program.segments = std::max(layout_.program.segments, ++count);
    auto& sends = layout_.program.sends;
    if (segment.sender == rank_) {
      cell_use(segment.cell).sends.push_back(static_cast<int>(sends.size()));
      sends.push_back({segment.receiver, question_.first_tag + segment.cell, question_.send_buffer,
                       segment.send_offset, segment.count, segment.cell});
      layout_.sent.push_back({segment.receiver, segment.count * question_.element_bytes});
      layout_.send_elements += segment.count;
    }
    for (const Fragment& fragment : segment.fragments)
      if (fragment.source_rank == rank_)
        layout_.outgoing.push_back(
            packed_patch(fragment.box, question_.buffer_of(segment.sender, question_.send_buffer),
                         segment.send_offset + fragment.offset, outgoing_message(segment.cell)));
  }

  const ExchangeQuestion& question_;
  const Redistribution& moves_;
  const Machine& machine_;
  const NodeExchange& node_;
  int rank_;
  std::map<int, Patches> stationary_;
  std::map<std::pair<int, int>, int> segments_to_;  // by cell and node
  ExchangeLayout layout_;
};

}  // namespace

ExchangeLayout lay_out_node(const ExchangeQuestion& question) {
  ensure(question.node != nullptr);
  return NodeLayout(question).make();
}

}  // namespace weft
