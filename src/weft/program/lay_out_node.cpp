// program/lay_out_node: ranks that share a node share memory. What stays in the node rests where it
// was stored, and the next pass loads it from there; between each pair of nodes goes one message
// per cell, cut into segments that all their ranks send and receive, and loaded where it arrived.

#include <algorithm>
#include <map>
#include <utility>

#include "weft/program/exchange_layout.hpp"
#include "weft/program/node_exchange.hpp"

namespace weft {

namespace {

// Parts of `patches` that lie in `box`, appended to `parts` as `message`.
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
  }

  ExchangeLayout make() {
    number_cells();
    if (question_.rest)
      rest_in_place();
    else
      rest_in_buffer();
    for (const NodeSegment& segment : node_.traffic().received) add_received(segment);
    for (const NodeSegment& segment : node_.traffic().sent) add_sent(segment);
    const bool is_sent = !layout_.program.sends.empty() || !layout_.program.receives.empty();
    ensure(!is_sent || (!question_.source_array && !question_.target_array));
    if (question_.source_array)
      layout_.outgoing.clear();
    else
      for (const int cell : layout_.given_cells)
        layout_.outgoing_messages.push_back({.cell = cell});
    if (question_.target_array)
      layout_.incoming = *question_.target_array;
    else
      layout_.incoming_messages = layout_.taken_cells;
    return std::move(layout_);
  }

 private:
  bool is_in_node(int rank) const { return node_.has(rank); }
  CellUse& cell_use(int cell) { return layout_.cells[static_cast<std::size_t>(cell)]; }

  // Messages are the cells in which this rank gives (takes) anything.
  void number_cells() {
    for (std::size_t c = 0; c < layout_.cells.size(); ++c) {
      layout_.cells[c].storers = node_.storers()[c];
      layout_.cells[c].receivers = node_.receivers()[c];
    }
    layout_.given_cells = cells_of(node_.sends(rank_));
    const auto receives = moves_.receives(rank_);
    for (const int cell : cells_of(receives)) layout_.taken_cells.push_back({.cell = cell});
    for (const Transfer& transfer : receives) {
      Incoming& taken = layout_.taken_cells[static_cast<std::size_t>(taken_message(transfer.cell))];
      (is_in_node(transfer.peer) ? taken.rests : taken.comes) = true;
    }
  }
  int given_message(int cell) const {
    const auto& given = layout_.given_cells;
    const auto found = std::lower_bound(given.begin(), given.end(), cell);
    ensure(found != given.end() && *found == cell, cell);
    return static_cast<int>(found - given.begin());
  }
  int taken_message(int cell) const {
    const auto& taken = layout_.taken_cells;
    const auto found =
        std::lower_bound(taken.begin(), taken.end(), cell,
                         [](const Incoming& message, int number) { return message.cell < number; });
    ensure(found != taken.end() && found->cell == cell, cell);
    return static_cast<int>(found - taken.begin());
  }

  const Patches& rest_of(int owner) {
    auto [found, is_new] = rests_.try_emplace(owner);
    if (is_new) found->second = question_.rest(owner);
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
        append_clipped(rest_of(at_peer ? transfer.peer : rank_), transfer.box,
                       number(transfer.cell), patches);
  }
  // Where only this rank's own boxes are cut, what lies with it need not be in as many pieces as
  // there are peers.
  template <class Number>
  void add_by_part(const std::vector<Box>& boxes, int axis, int parts, const Number& number,
                   Patches& patches) {
    for (const Box& box : boxes)
      for (const BoxPart& part : parts_of_region(box, box, axis, parts))
        append_clipped(rest_of(rank_), part.box, number(part.part), patches);
  }

  // What stays in the node has a place already.
  void rest_in_place() {
    const Cutting& cutting = moves_.cutting();
    const auto& sends = node_.sends(rank_);
    const auto receives = moves_.receives(rank_);
    const auto given = [this](int cell) { return given_message(cell); };
    const auto taken = [this](int cell) { return taken_message(cell); };
    const bool with_taker = question_.rests_with_taker;
    if (!with_taker && cutting.target_parts == 1 && all_in_node(sends))
      add_by_part(moves_.source().boxes(rank_), cutting.source_axis, cutting.source_parts, given,
                  layout_.outgoing);
    else
      add_by_transfer(sends, with_taker, given, layout_.outgoing);
    if (with_taker && cutting.source_parts == 1 && all_in_node(receives))
      add_by_part(moves_.target().boxes(rank_), cutting.target_axis, cutting.target_parts, taken,
                  layout_.incoming);
    else
      add_by_transfer(receives, !with_taker, taken, layout_.incoming);
  }

  // It rests with its giver, box by box in the order of the transfers.
  void rest_in_buffer() {
    for (const NodeExchange::Rest& rest : node_.given(rank_))
      layout_.outgoing.push_back(
          packed_patch(rest.box, question_.rest_buffer, rest.offset, given_message(rest.cell)));
    for (const NodeExchange::Rest& rest : node_.taken(rank_))
      layout_.incoming.push_back(
          packed_patch(rest.box, question_.buffer_of(rest.giver, question_.rest_buffer),
                       rest.offset, taken_message(rest.cell)));
    layout_.rest_elements = node_.rest_elements(rank_);
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
    for (const Piece& piece : segment.pieces)
      if (piece.taker == rank_)
        layout_.incoming.push_back(
            packed_patch(piece.box, question_.buffer_of(segment.receiver, question_.receive_buffer),
                         segment.receive_offset + piece.offset, taken_message(segment.cell)));
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
    for (const Piece& piece : segment.pieces)
      if (piece.giver == rank_)
        layout_.outgoing.push_back(
            packed_patch(piece.box, question_.buffer_of(segment.sender, question_.send_buffer),
                         segment.send_offset + piece.offset, given_message(segment.cell)));
  }

  const ExchangeQuestion& question_;
  const Redistribution& moves_;
  const Machine& machine_;
  const NodeExchange& node_;
  int rank_;
  std::map<int, Patches> rests_;
  std::map<std::pair<int, int>, int> segments_to_;  // by cell and node
  ExchangeLayout layout_;
};

}  // namespace

ExchangeLayout lay_out_node(const ExchangeQuestion& question) {
  ensure(question.node != nullptr);
  return NodeLayout(question).make();
}

}  // namespace weft
