// exchange/node: ranks that share a node share memory. What stays in the node rests where it was
// stored, and the next pass loads it from there; between each pair of nodes goes one message per
// cell, cut into segments that all their ranks send and receive, and loaded where it arrived.
// With one node nothing is sent at all: that is the exchange `shared`.
// Nobody meets: for every cell the node counts who has stored, and who has received.

#include <algorithm>
#include <map>
#include <set>

#include "weft/comm/agreement.hpp"
#include "weft/exchange/exchange.hpp"
#include "weft/exchange/posted.hpp"
#include "weft/exchange/segments.hpp"

namespace weft {

namespace {

// Messages are not cut into smaller segments than this.
constexpr std::int64_t least_segment_bytes = 65536;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Parts of `patches` that lie in `box`, appended to `parts` as `message`.
void append_clipped(const Patches& patches, const Box& box, int message, Patches& parts) {
  for (const Patch& patch : patches) {
    const Patch part = clipped(patch, box);
    if (part.box.empty()) continue;
    parts.push_back(part);
    parts.back().message = message;
  }
}

std::vector<int> cells_of(const std::vector<Transfer>& transfers) {
  std::set<int> cells;
  for (const Transfer& transfer : transfers) cells.insert(transfer.cell);
  return {cells.begin(), cells.end()};
}

class NodeExchange : public Exchange {
 public:
  explicit NodeExchange(const ExchangeSpec& spec)
      : comm_(spec.comm),
        team_(spec.shared.team),
        posted_(*spec.comm, spec.element_bytes, spec.count_limit, spec.first_tag),
        send_buffer_(spec.send_buffer),
        receive_buffer_(spec.receive_buffer),
        opens_(spec.shared.opens),
        closes_(spec.shared.closes),
        is_stored_(spec.source_array.has_value()),
        cells_(at(spec.moves.cutting().cells())) {
    make_signals();
    number_cells(spec);
    if (spec.shared.rest)
      rest_in_place(spec);
    else
      rest_in_buffer(spec);
    if (spec.shared.machine->nodes() > 1) add_segments(spec);
    const bool sends = spec.comm->max(std::int64_t{posted_.receives() + posted_.sends() > 0}) > 0;
    ensure(!sends || (!spec.source_array && !spec.target_array));
    if (spec.source_array) outgoing_.clear();
    if (spec.target_array) incoming_ = *spec.target_array;
    outgoing_messages_ = spec.source_array ? 0 : static_cast<int>(given_.size());
    incoming_messages_ = spec.target_array ? 0 : static_cast<int>(taken_.size());
    make_room();
    something_ = [this] { return complete_messages() || may_send(); };
  }

  void start(const Addresses& addresses) override {
    Exchange::start(addresses);
    ++run_;
    is_open_ = is_loaded_ = has_left_ = false;
    to_store_ = given_.size();
    to_take_ = taken_.size();
    to_receive_ = posted_.receives();
    to_send_ = posted_.sends();
    for (Cell& cell : cells_) {
      cell.is_missing_mine = cell.stores;
      cell.missing_receives = cell.receives;
      cell.is_unsent = cell.first_send < cell.last_send;
    }
    for (Taken& taken : taken_) taken.has_come = false;
    if (opens_) team_->count(*started_, all_members(run_));
    is_open();
  }

  // When all have left the run before, nobody loads any more what the receives overwrite, and the
  // counts of cells stand at its end: those of this run do not mix with them.
  bool is_open() override {
    if (is_open_) return true;
    if (opens_ && !team_->reached(*started_, all_members(run_))) return false;
    if (!team_->reached(*left_, all_members(run_ - 1))) return false;
    is_open_ = true;
    for (std::size_t i = 0; i < posted_.receives(); ++i)
      posted_.receive(i, address(receive_buffer_));
    if (is_stored_)
      for (const int cell : given_) stored(cell);
    return true;
  }

  void ready(int message) override {
    ensure(is_open_);
    stored(given_[at(message)]);
  }

  void progress() override {
    if (!is_open()) return;
    complete_messages();
    send_stored();
    take();
    leave();
    // Notices when a member fails or dies.
    if (const Awaited next = awaited(); next.signal != nullptr)
      team_->reached(*next.signal, next.value);
  }

  void loaded() override {
    is_loaded_ = true;
    leave();
  }

  bool has_finished() const override {
    return has_left_ && (!closes_ || has_reached(*left_, all_members(run_)));
  }

  // Signals alone are slept for. Who has messages under way, or some to send when others have
  // stored, looks again and again.
  void wait() override {
    const Awaited next = awaited();
    const bool asks = !posted_.is_idle() || (is_open_ && to_send_ > 0);
    if (next.signal != nullptr || !posted_.is_idle())
      team_->wait_briefly(next.signal, next.value, asks ? &something_ : nullptr);
    progress();
  }

 private:
  // What a cell is for this rank, and in this run.
  struct Cell {
    Signal* stored = nullptr;                   // by how many, in all runs
    Signal* arrived = nullptr;                  // who has received all of its segments, in all runs
    std::uint32_t storers = 0;                  // members
    std::uint32_t receivers = 0;                // members
    bool stores = false;                        // this rank does
    std::size_t receives = 0;                   // segments that this rank receives
    std::size_t first_send = 0, last_send = 0;  // segments that it sends
    bool is_missing_mine = false, is_unsent = false;
    std::size_t missing_receives = 0;
  };
  // An incoming message: a cell of which others of the node, or other nodes, give something.
  struct Taken {
    int cell;
    bool rests = false, comes = false;
    bool has_come = false;
  };
  struct Awaited {
    Signal* signal = nullptr;
    std::uint32_t value = 0;
  };

  // ---- running

  std::uint32_t all_members(std::uint32_t run) const {
    return run * static_cast<std::uint32_t>(team_->size());
  }
  // In one piece, what arrives tells also that all of the node have done what was before: the steps
  // of a program then use the same memory in turn, arrays of others among it.
  bool is_cut() const { return cells_.size() > 1; }
  bool is_stored(const Cell& cell) const { return has_reached(*cell.stored, cell.storers * run_); }
  bool has_arrived(const Cell& cell) const {
    return has_reached(*cell.arrived, cell.receivers * run_);
  }

  // What I store in the cell.
  void stored(int number) {
    Cell& cell = cells_[at(number)];
    cell.is_missing_mine = false;
    --to_store_;
    team_->count(*cell.stored, cell.storers * run_);
  }

  // Whether any has completed.
  bool complete_messages() {
    if (posted_.is_idle()) return false;
    const std::size_t before = to_receive_ + to_send_;
    posted_.test([this](std::size_t i) { received(cells_[at(cell_of_receive_[i])]); },
                 [this](std::size_t) { --to_send_; });
    return to_receive_ + to_send_ < before;
  }
  void received(Cell& cell) {
    --to_receive_;
    if (--cell.missing_receives == 0) team_->count(*cell.arrived, cell.receivers * run_);
  }

  bool may_send() const {
    return to_send_ > 0 && std::any_of(cells_.begin(), cells_.end(), [this](const Cell& cell) {
             return cell.is_unsent && is_stored(cell);
           });
  }
  void send_stored() {
    if (to_send_ == 0) return;
    for (Cell& cell : cells_) {
      if (!cell.is_unsent || !is_stored(cell)) continue;
      cell.is_unsent = false;
      for (std::size_t i = cell.first_send; i < cell.last_send; ++i)
        posted_.send(i, address(send_buffer_));
    }
  }

  void take() {
    if (to_take_ == 0) return;
    for (std::size_t m = 0; m < taken_.size(); ++m) {
      Taken& taken = taken_[m];
      const Cell& cell = cells_[at(taken.cell)];
      if (taken.has_come || ((taken.rests || !is_cut()) && !is_stored(cell)) ||
          (taken.comes && !has_arrived(cell)))
        continue;
      taken.has_come = true;
      --to_take_;
      if (incoming_messages_ > 0) arrivals_.push_back(static_cast<int>(m));
    }
  }

  void leave() {
    if (!is_open_ || has_left_) return;
    if (to_store_ + to_take_ + to_receive_ + to_send_ > 0) return;
    if (!is_loaded_ && incoming_messages_ > 0) return;
    has_left_ = true;
    team_->count(*left_, all_members(run_));
  }

  // The next signal that others have to raise: not where they may wait for what I store.
  Awaited awaited() const {
    if (!is_open_) {
      const bool starts = opens_ && !has_reached(*started_, all_members(run_));
      return starts ? Awaited{started_, all_members(run_)} : Awaited{left_, all_members(run_ - 1)};
    }
    const auto stored = [this](const Cell& cell) {
      return Awaited{cell.stored, cell.storers * run_};
    };
    if (to_take_ > 0)
      for (const Taken& taken : taken_) {
        const Cell& cell = cells_[at(taken.cell)];
        if (taken.has_come || cell.is_missing_mine) continue;
        if ((taken.rests || !is_cut()) && !is_stored(cell)) return stored(cell);
        return taken.comes ? Awaited{cell.arrived, cell.receivers * run_} : stored(cell);
      }
    if (to_send_ > 0)
      for (const Cell& cell : cells_)
        if (cell.is_unsent && !cell.is_missing_mine) return stored(cell);
    if (has_left_ && closes_) return {left_, all_members(run_)};
    return {};
  }

  // ---- making

  void make_signals() {
    const std::size_t signals = 2 + 2 * cells_.size();
    together(*comm_,
             [&] { memory_ = team_->common(static_cast<std::int64_t>(signals * sizeof(Signal))); });
    auto* next = reinterpret_cast<Signal*>(memory_->data());
    started_ = next++;
    left_ = next++;
    for (Cell& cell : cells_) {
      cell.stored = next++;
      cell.arrived = next++;
    }
  }

  // Messages are the cells in which this rank gives (takes) anything.
  void number_cells(const ExchangeSpec& spec) {
    for (int rank : team_->ranks())
      for (const int cell : cells_of(spec.moves.sends(rank))) {
        ++cells_[at(cell)].storers;
        if (rank != comm_->rank()) continue;
        cells_[at(cell)].stores = true;
        given_.push_back(cell);
      }
    const auto receives = spec.moves.receives(comm_->rank());
    for (const int cell : cells_of(receives)) taken_.push_back({cell});
    for (const Transfer& transfer : receives) {
      Taken& taken = taken_[at(taken_message(transfer.cell))];
      (team_->member(transfer.peer) >= 0 ? taken.rests : taken.comes) = true;
    }
  }
  int given_message(int cell) const {
    const auto found = std::lower_bound(given_.begin(), given_.end(), cell);
    ensure(found != given_.end() && *found == cell, cell);
    return static_cast<int>(found - given_.begin());
  }
  int taken_message(int cell) const {
    const auto found =
        std::lower_bound(taken_.begin(), taken_.end(), cell,
                         [](const Taken& taken, int number) { return taken.cell < number; });
    ensure(found != taken_.end() && found->cell == cell, cell);
    return static_cast<int>(found - taken_.begin());
  }

  // What stays in the node has a place already.
  void rest_in_place(const ExchangeSpec& spec) {
    std::map<int, Patches> rests;
    const auto rest_of = [&](int owner) -> const Patches& {
      auto [found, is_new] = rests.try_emplace(owner);
      if (is_new) found->second = spec.shared.rest(owner);
      return found->second;
    };
    const int rank = comm_->rank();
    const Redistribution& moves = spec.moves;
    const Cutting& cutting = moves.cutting();
    const auto in_node = [this](const std::vector<Transfer>& transfers) {
      return std::all_of(transfers.begin(), transfers.end(), [this](const Transfer& transfer) {
        return team_->member(transfer.peer) >= 0;
      });
    };
    const auto by_transfer = [&](const std::vector<Transfer>& transfers, bool at_peer,
                                 const auto& message, Patches& patches) {
      for (const Transfer& transfer : transfers)
        if (team_->member(transfer.peer) >= 0)
          append_clipped(rest_of(at_peer ? transfer.peer : rank), transfer.box,
                         message(transfer.cell), patches);
    };
    // Where only my own boxes are cut, what lies with me need not be in as many pieces as there are
    // peers.
    const auto by_part = [&](const std::vector<Box>& boxes, int axis, int parts,
                             const auto& message, Patches& patches) {
      for (const Box& box : boxes)
        for (const BoxPart& part : parts_of_region(box, box, axis, parts))
          append_clipped(rest_of(rank), part.box, message(part.part), patches);
    };
    const auto sends = moves.sends(rank), receives = moves.receives(rank);
    const auto given = [this](int cell) { return given_message(cell); };
    const auto taken = [this](int cell) { return taken_message(cell); };
    const bool with_taker = spec.shared.rests_with_taker;
    if (!with_taker && cutting.target_parts == 1 && in_node(sends))
      by_part(moves.source().boxes(rank), cutting.source_axis, cutting.source_parts, given,
              outgoing_);
    else
      by_transfer(sends, with_taker, given, outgoing_);
    if (with_taker && cutting.source_parts == 1 && in_node(receives))
      by_part(moves.target().boxes(rank), cutting.target_axis, cutting.target_parts, taken,
              incoming_);
    else
      by_transfer(receives, !with_taker, taken, incoming_);
  }

  // It rests with its giver, box by box in the order of the transfers.
  void rest_in_buffer(const ExchangeSpec& spec) {
    for (int giver : team_->ranks()) {
      const int buffer = spec.shared.buffer_of(giver, spec.shared.rest_buffer);
      std::int64_t offset = 0;
      for (const Transfer& transfer : spec.moves.sends(giver)) {
        if (team_->member(transfer.peer) < 0) continue;
        if (giver == comm_->rank())
          outgoing_.push_back(
              packed_patch(transfer.box, buffer, offset, given_message(transfer.cell)));
        if (transfer.peer == comm_->rank())
          incoming_.push_back(
              packed_patch(transfer.box, buffer, offset, taken_message(transfer.cell)));
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
    std::set<std::pair<int, int>> receivers;  // by cell
    for (const NodeSegment& segment : traffic.received) {
      Cell& cell = cells_[at(segment.cell)];
      if (receivers.insert({segment.cell, segment.receiver}).second) ++cell.receivers;
      if (segment.receiver == rank) {
        posted_.add_receive({segment.sender, segment.receive_offset, segment.count, segment.cell});
        cell_of_receive_.push_back(segment.cell);
        ++cell.receives;
        receive_elements_ += segment.count;
      }
      const int buffer = spec.shared.buffer_of(segment.receiver, receive_buffer_);
      for (const Piece& piece : segment.pieces)
        if (piece.taker == rank)
          incoming_.push_back(packed_patch(piece.box, buffer, segment.receive_offset + piece.offset,
                                           taken_message(segment.cell)));
    }
    std::map<std::pair<int, int>, int> segments_to;  // by cell and node
    for (const NodeSegment& segment : traffic.sent) {
      segments_ =
          std::max(segments_, ++segments_to[{segment.cell, machine.node(segment.receiver)}]);
      if (segment.sender == rank) {
        Cell& cell = cells_[at(segment.cell)];
        if (cell.last_send == 0) cell.first_send = posted_.sends();
        posted_.add_send({segment.receiver, segment.send_offset, segment.count, segment.cell});
        cell.last_send = posted_.sends();
        sent_.push_back({segment.receiver, segment.count * spec.element_bytes});
        send_elements_ += segment.count;
      }
      const int buffer = spec.shared.buffer_of(segment.sender, send_buffer_);
      for (const Piece& piece : segment.pieces)
        if (piece.giver == rank)
          outgoing_.push_back(packed_patch(piece.box, buffer, segment.send_offset + piece.offset,
                                           given_message(segment.cell)));
    }
  }

  const Communicator* comm_;
  Team* team_;
  Posted posted_;
  int send_buffer_, receive_buffer_;
  bool opens_, closes_;
  bool is_stored_;  // before it starts: in source_array

  std::shared_ptr<Segment> memory_;  // of the signals
  Signal *started_ = nullptr, *left_ = nullptr;
  std::vector<Cell> cells_;
  std::vector<int> given_;    // cells, by outgoing message
  std::vector<Taken> taken_;  // by incoming message
  std::vector<int> cell_of_receive_;
  Team::Something something_;

  std::uint32_t run_ = 0;  // 1 in the first; signals count on from run to run
  bool is_open_ = false, is_loaded_ = false, has_left_ = false;
  std::size_t to_store_ = 0, to_take_ = 0, to_receive_ = 0, to_send_ = 0;
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
          true,
          Preferred::between_nodes,
          everywhere,
          make_node_exchange};
}

}  // namespace weft
