// program/exchange_layout: how one rank takes part in an exchange - what its passes store and load,
// what it sends and receives, and how its messages depend on each other.
// Pure. Keeps: every rank computes the same messages; nothing is negotiated.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "weft/grid/redistribution.hpp"
#include "weft/model/machine.hpp"
#include "weft/program/messages.hpp"
#include "weft/program/program.hpp"

namespace weft {

class NodeExchange;

/// What an exchange is laid out for. Buffers are numbers of Program::buffers.
struct ExchangeQuestion {
  int rank = 0;
  const Redistribution* moves = nullptr;
  const Machine* machine = nullptr;
  std::int64_t element_bytes = 16;
  int send_buffer = 0;     ///< what is sent, in the exchange's own order
  int receive_buffer = 0;  ///< what is received, and what stays with its owner
  int rest_buffer = 0;     ///< what stays in its node, where `rest` does not say otherwise
  /// Where the source already lies (the target must lie), where no pass stores (loads) it.
  std::optional<Patches> source_array, target_array;
  /// Its messages have this tag and the following ones, as many as its cutting has cells.
  int first_tag = 0;
  /// Where what stays in the node rests, if it has a place already: the patches of a rank of the
  /// node that cover its boxes before the exchange (rests_with_taker: after it). A null function:
  /// in rest_buffer, with its giver.
  std::function<Patches(int rank)> rest;
  bool rests_with_taker = false;
  /// The number of another rank's buffer, as seen from this rank.
  std::function<int(int rank, int buffer)> buffer_of;
  /// What all ranks of the node have in common; where the exchange shares memory.
  const NodeExchange* node = nullptr;
};

/// An outgoing message: a pass stores it. It is sent, or a collective takes it away, or it stays
/// as an incoming message, or it is this rank's part of a cell of its node.
struct Outgoing {
  int send = -1, collective = -1, stays_as = -1, cell = -1;
};

/// An incoming message: a pass loads it. It is received, or a collective brings it, or it is what
/// members of the node give (`rests`) and other nodes send (`comes`) in a cell.
struct Incoming {
  int receive = -1, collective = -1, cell = -1;
  bool rests = false, comes = false;
};

/// What a cell of an exchange is for a rank whose node shares memory.
struct CellUse {
  int storers = 0, receivers = 0;    ///< members of the node
  std::vector<int> sends, receives;  ///< segments of this rank, by number
};

struct ExchangeLayout {
  /// Where what this rank owns before must be stored; empty where it lies in source_array.
  Patches outgoing;
  /// Where what it owns afterwards is found; target_array where that was given.
  Patches incoming;
  std::vector<Outgoing> outgoing_messages;  ///< by number; none with source_array
  std::vector<Incoming> incoming_messages;  ///< by number; none with target_array
  /// The cells that this rank gives and takes, whether or not passes store and load them.
  std::vector<int> given_cells;
  std::vector<Incoming> taken_cells;
  std::vector<CellUse> cells;  ///< by cell, where the node shares memory
  /// Elements that the buffers must hold.
  std::int64_t send_elements = 0, receive_elements = 0, rest_elements = 0;
  ExchangeProgram program;
  /// The messages this rank sends to others in one run.
  struct Sent {
    int peer;
    std::int64_t bytes;
  };
  std::vector<Sent> sent;
};

// One for each way of moving data; program/exchange_table says which exchange is which.
ExchangeLayout lay_out_p2p(const ExchangeQuestion& question);
ExchangeLayout lay_out_alltoall(const ExchangeQuestion& question);
ExchangeLayout lay_out_alltoallv(const ExchangeQuestion& question);
ExchangeLayout lay_out_alltoallw(const ExchangeQuestion& question);
ExchangeLayout lay_out_node(const ExchangeQuestion& question);

}  // namespace weft
