// program/program: what one rank does in one direction of a strategy, as a value: buffers, items of
// work, messages, collectives, signals, and which task waits for which.
// Pure: no pointers, no MPI objects, no callbacks. It compares, prints, and is made for any rank of
// any machine (program/maker); run/ executes it, program/check proves it free of races.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/grid/patches.hpp"
#include "weft/program/pass_spec.hpp"

namespace weft {

/// Which memory an array or a buffer is in: this process's own, or memory that all ranks of the
/// node map.
enum class MemorySpace { host, node };

/// What a buffer is a part of: one of the two arrays that the user gives to a run, or the
/// workspace, which both directions of a plan use in turn.
enum class Home { source, target, workspace };

/// A piece of memory; patches, messages and collectives name it by its index in Program::buffers.
/// Buffers of other ranks are those that this rank's passes load from or store to.
struct BufferSpec {
  int rank = 0;  ///< the owner
  int role = 0;  ///< the same number on every rank that has this buffer; 0: source, 1: target
  Home home = Home::workspace;
  MemorySpace space = MemorySpace::host;
  std::int64_t offset = 0;  ///< bytes, in its home
  std::int64_t bytes = 0;

  friend bool operator==(const BufferSpec&, const BufferSpec&) = default;
};

/// A point-to-point message. What one rank sends to another with a tag is what that rank receives
/// from it with this tag; no two messages of a pair of ranks in one program have the same tag.
struct Message {
  int peer = 0;
  int tag = 0;
  int buffer = 0;
  std::int64_t offset = 0, count = 0;  ///< elements, in the buffer
  int cell = 0;                        ///< of the exchange's cutting

  friend bool operator==(const Message&, const Message&) = default;
};

/// One non-blocking collective over `group`. All members start the collectives of an exchange in
/// the order of their numbers.
struct Collective {
  enum Method { alltoall, alltoallv, alltoallw };
  /// What goes to (comes from) one member: a run of `count` elements, or (alltoallw) boxes of an
  /// array where they lie.
  struct Part {
    int peer = 0;                        ///< rank of the whole communicator
    std::int64_t offset = 0, count = 0;  ///< elements, in the buffer
    Patches boxes;                       ///< alltoallw only

    friend bool operator==(const Part&, const Part&) = default;
  };
  Method method = alltoallv;
  std::vector<int> group;  ///< its members, ascending
  int send_buffer = 0, receive_buffer = 0;
  std::vector<Part> sends, receives;
  /// The same on all members. alltoall: elements of every slot. alltoallv: the most elements that
  /// any member sends or receives.
  std::int64_t largest_count = 0;
  std::int64_t first_slot = 0;  ///< alltoall: element at which member 0's slot begins, in both

  friend bool operator==(const Collective&, const Collective&) = default;
};

/// A counter in the memory of a node. In every run of the program `raisers` members raise it once
/// each; it is never reset. Signal number i is the same signal for all ranks of a node.
struct SignalSpec {
  std::string name;
  int raisers = 0;

  friend bool operator==(const SignalSpec&, const SignalSpec&) = default;
};

/// The more urgent first: who waits for what an item stores.
enum class Feeds { other_nodes, this_node, nobody };
const char* to_string(Feeds feeds);

/// A tile of a pass: its box before and after the forward transform, which differ along the axis
/// that r2c halves, and the number of its block.
struct Tile {
  Box real, spectral;
  std::size_t block = 0;

  friend bool operator==(const Tile&, const Tile&) = default;
};

/// A pass and its tiles in the order of their blocks: those of block b are
/// [first_tiles[b], first_tiles[b + 1]). A tile is loaded completely before any of it is stored.
struct PassProgram {
  PassSpec spec;
  std::vector<Tile> tiles;
  std::vector<std::size_t> first_tiles;

  std::size_t blocks() const { return first_tiles.size() - 1; }
  friend bool operator==(const PassProgram&, const PassProgram&) = default;
};

/// Work that needs the same incoming messages: the pieces order[first] to order[last - 1] of a
/// sweep. Threads may run the pieces of an item at the same time.
struct Item {
  std::size_t first = 0, last = 0;
  std::vector<int> messages;  ///< incoming, by number
  Feeds feeds = Feeds::nobody;

  friend bool operator==(const Item&, const Item&) = default;
};

/// Passes over the same boxes. A piece is a tile where there is one pass; else it is a block, which
/// one thread takes through all passes, one pass after the other. Only the first pass loads from
/// messages, only the last stores to them.
struct SweepProgram {
  std::vector<PassProgram> passes;
  std::vector<std::size_t> order;  ///< numbers of tiles, or of blocks
  std::vector<Item> items;

  /// The tiles of piece `number` in pass `pass`: [first_tile(pass, number), first_tile(pass,
  /// number + 1)).
  std::size_t first_tile(std::size_t pass, std::size_t number) const {
    return passes.size() == 1 ? number : passes[pass].first_tiles[number];
  }
  friend bool operator==(const SweepProgram&, const SweepProgram&) = default;
};

/// How one exchange moves data on this rank.
struct ExchangeProgram {
  std::string name;  ///< of the table of exchanges
  std::int64_t element_bytes = 16;
  std::vector<Message> receives, sends;
  /// Sends leave the most urgent (the lowest number) first and few at a time.
  bool limits_sends = false;
  /// Collectives move the data, on this rank or others: they have a communicator of their own.
  bool by_collectives = false;
  std::vector<Collective> collectives;
  int segments = 1;  ///< that the message between a pair of nodes is cut into, at most

  friend bool operator==(const ExchangeProgram&, const ExchangeProgram&) = default;
};

/// A step of a program: a sweep, or an exchange between two sweeps.
struct Step {
  std::string name;   ///< "pass 0: axes 2,1", "exchange 0: p2p to 1x2x1"
  int sweep = -1;     ///< index in Program::sweeps; -1: the step is an exchange
  int exchange = -1;  ///< index in Program::exchanges
  /// Of an exchange: for every outgoing message the task `stored`, for every incoming one the
  /// milestone `arrived`. Patch::message counts these.
  std::vector<int> stored, arrived;
  /// What this rank sends to other ranks; of that, what goes to other nodes.
  std::int64_t bytes = 0, messages = 0, message_bytes = 0;

  friend bool operator==(const Step&, const Step&) = default;
};

/// Why a task waits for another.
enum class Why {
  begun,        ///< the step has begun
  arrived,      ///< the message that is loaded has arrived
  stored,       ///< what is sent, or told, has been stored
  counted,      ///< members of the node have done their part
  opened,       ///< the exchange may be stored to
  in_turn,      ///< the step before has run: both use the same memory
  finished,     ///< the exchange before has finished: its buffers may be used again
  others_read,  ///< others of the node may still load from what is to be overwritten
  source_read,  ///< the source, which is the target too, has been read
  ordered,      ///< collectives start in the same order everywhere
  met,          ///< all ranks of the node have begun the run and told where their arrays are
  loaded,       ///< all that arrived has been loaded
  done          ///< a milestone: what it stands for is done
};
const char* to_string(Why why);

/// A task waits until another has completed or, where that is all it takes, has been submitted.
struct Wait {
  int task = 0;
  Why why = Why::done;
  bool until_submitted = false;

  friend bool operator==(const Wait&, const Wait&) = default;
};

/// What a rank does. A task is submitted when all that it waits for is done, and completes later;
/// signals are raised, and milestones complete, when they are submitted.
struct Task {
  enum Kind {
    compute,     ///< item `index` of the step's sweep
    stored,      ///< outgoing message `index` has been stored by all tiles that store to it; waits
                 ///< for the items of these to be submitted, and completes when the last of these
                 ///< tiles is done, which may be before its item is
    receive,     ///< message `index` of the step's exchange
    send,        ///< message `index` of the step's exchange
    collective,  ///< number `index` of the step's exchange
    raise,       ///< signal `index` of the program
    await,       ///< signal `index`: all its raisers have raised it in this run, or the run `lag`
                 ///< runs before
    milestone    ///< nothing; others wait for it
  };
  enum Milestone { none, begins, passes, opens, arrived, finishes };
  Kind kind = milestone;
  Milestone what = none;  ///< of a milestone
  int step = 0;
  int index = 0;  ///< of a milestone `arrived`: the incoming message
  int lag = 0;
  std::vector<Wait> waits;

  friend bool operator==(const Task&, const Task&) = default;
};

/// One direction of a plan on one rank. A run submits every task once; it is complete when all
/// tasks are. The next run of this program, or of the other direction's, begins after that.
struct Program {
  int rank = 0;
  std::vector<BufferSpec> buffers;  ///< the first two are the rank's own source and target arrays
  std::vector<Step> steps;
  std::vector<SweepProgram> sweeps;
  std::vector<ExchangeProgram> exchanges;
  std::vector<SignalSpec> signals;
  std::vector<Task> tasks;
  std::int64_t workspace_bytes = 0;
  /// Whether ranks of the node work on each other's source (target) arrays; then `meets` is the
  /// task that awaits that all have told where theirs are, else -1.
  bool shares_source = false, shares_target = false;
  int meets = -1;

  friend bool operator==(const Program&, const Program&) = default;
};

/// All of the program as text, one line a buffer, item, message, signal and task.
std::string to_string(const Program& program);

/// One task in words: "step 2 (pass 1: axes 0): item 3 of tiles 12 to 15".
std::string describe_task(const Program& program, int task);

}  // namespace weft
