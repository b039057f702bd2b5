// making/exchange_layout: how one rank takes part in an exchange: what its passes store and load,
// what it sends and receives, and how its messages depend on each other.
// Pure. Keeps: every rank computes the same messages; nothing is negotiated.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "weft/grid/redistribution.hpp"
#include "weft/machine/machine.hpp"
#include "weft/making/messages.hpp"
#include "weft/program/program.hpp"

namespace weft {

class NodeExchange;

/// An exchange through a ring holds few cells at a time of what passes between the ranks of a node,
/// so that these stay in the caches. The sweeps before it and after it run together, cell by cell.
/// One of them is a copy: of what other ranks need, from the source; or of what they have stored,
/// to the target. What a rank keeps for itself, the other sweep loads from the source, or stores to
/// the target.
enum class Ring { none, from_source, to_target };

/// The input of laying out an exchange for one rank. Buffers are indices in Program::buffers.
struct ExchangeQuestion {
  int rank = 0;
  const Redistribution* moves = nullptr;
  const Machine* machine = nullptr;
  std::int64_t element_bytes = 16;
  int send_buffer = 0;        ///< data that are sent, in the exchange's own order
  int receive_buffer = 0;     ///< data that are received, and data that stay with their owner
  int stationary_buffer = 0;  ///< data that stay in their node, unless `stationary_patches` is set
  /// If no pass stores what the exchange moves: where the data already are. If no pass loads what
  /// it has moved: where the data must be put.
  std::optional<Patches> source_array, target_array;
  /// The first tag of its messages. Tags follow each other, one for each cell of the cutting.
  int first_tag = 0;
  /// Where data that stay in their node are kept, if they are kept in users' arrays: returns the
  /// patches of a rank of the node that cover its boxes before the exchange or, if
  /// stationary_at_target, after it. Null: they are kept in the stationary buffer of the rank that
  /// stores them.
  std::function<Patches(int rank)> stationary_patches;
  bool stationary_at_target = false;
  /// Only what this rank keeps for itself is kept there; the rest is in stationary buffers.
  bool stationary_own_only = false;
  /// It is through a ring: what this rank keeps is in the source, or the target, and no part of the
  /// exchange.
  Ring ring = Ring::none;
  /// The index, in this rank's program, of the buffer of another rank of the node.
  std::function<int(int rank, int buffer)> buffer_of;
  /// The part of the exchange that all ranks of the node have in common; null unless the exchange
  /// shares memory.
  const NodeExchange* node = nullptr;
};

/// An outgoing message, which a pass stores. One of these numbers is set: it is sent, a collective
/// carries it, it stays as an incoming message of this rank, or it is this rank's part of a cell.
struct Outgoing {
  int send = -1, collective = -1, stays_as = -1, cell = -1;
};

/// An incoming message, which a pass loads. It is received, or a collective carries it, or it is
/// this rank's part of what comes to a cell from members of its node, or from other nodes.
struct Incoming {
  int receive = -1, collective = -1, cell = -1;
  bool from_other_nodes = false;  ///< of a cell: what other nodes send; else, what the node stores
};

/// A cell of an exchange that shares memory, as seen from one rank.
struct CellUse {
  int storers = 0, receivers = 0;    ///< members of the node that store it, and that receive
  int loaders = 0;                   ///< members that load from stationary buffers of others
  std::vector<int> sends, receives;  ///< indices of the messages that this rank sends and receives
};

/// One rank's part of an exchange.
struct ExchangeLayout {
  /// Where the pass before must store the points that this rank owns before the exchange; empty
  /// with source_array.
  Patches outgoing;
  /// Where the points that this rank owns after the exchange are found; target_array if given.
  Patches incoming;
  std::vector<Outgoing> outgoing_messages;  ///< by number; none with source_array
  std::vector<Incoming> incoming_messages;  ///< by number; none with target_array
  /// The cells in which this rank owns points before the exchange, and what comes to those in which
  /// it owns points after it, by cell and then from the node first, whether or not passes store and
  /// load them. Only where the node shares memory.
  std::vector<int> outgoing_cells;
  std::vector<Incoming> incoming_cells;
  std::vector<CellUse> cells;  ///< by cell, where the node shares memory
  int slots = 0;               ///< of a ring: the cells that it holds, else 0
  int ring_buffer = -1;        ///< that holds them
  /// Sizes of the buffers, in elements.
  std::int64_t send_elements = 0, receive_elements = 0, stationary_elements = 0;
  ExchangeProgram program;
  /// The messages that this rank sends to others in one run.
  struct Sent {
    int peer;
    std::int64_t bytes;
  };
  std::vector<Sent> sent;
};

/// A layout with the patches, buffer sizes and sent bytes of `sides`; the caller adds the messages.
ExchangeLayout layout_by_messages(const MessageSides& sides, std::int64_t element_bytes);

// One function for each way of moving data; making/exchange_table lists the exchanges.
ExchangeLayout lay_out_p2p(const ExchangeQuestion& question);
ExchangeLayout lay_out_alltoall(const ExchangeQuestion& question);
ExchangeLayout lay_out_alltoallv(const ExchangeQuestion& question);
ExchangeLayout lay_out_alltoallw(const ExchangeQuestion& question);
ExchangeLayout lay_out_node(const ExchangeQuestion& question);

}  // namespace weft
