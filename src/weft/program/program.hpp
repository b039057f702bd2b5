// program/program: what one rank does in one direction of a strategy, as a value: buffers, items of
// work, messages, collectives, signals, and which task waits for which.
// Pure: no pointers, no MPI objects, no callbacks. Programs are compared by value.
// making/maker makes them for any rank of any machine, run/ executes them, and proof/check
// proves that they are free of races.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/grid/patches.hpp"
#include "weft/program/pass_spec.hpp"
#include "weft/who_waits.hpp"

namespace weft {

/// Which memory an array or a buffer is in: this process's own, or memory that all ranks of the
/// node map.
enum class MemorySpace { host, node };

/// The memory that a buffer is a part of: one of the two arrays that the user gives to a run, or
/// the workspace, which the two directions of a plan use in turn.
enum class Home { source, target, workspace };

/// A range of memory. Patches, messages and collectives refer to it by its index in
/// Program::buffers. A program also lists the buffers of other ranks that its passes load from or
/// store to.
struct BufferSpec {
  int rank = 0;  ///< the owner
  int role = 0;  ///< the same number on every rank that has this buffer; 0: source, 1: target
  Home home = Home::workspace;
  MemorySpace space = MemorySpace::host;
  std::int64_t offset = 0;  ///< bytes, in its home
  std::int64_t bytes = 0;

  friend bool operator==(const BufferSpec&, const BufferSpec&) = default;
};

/// A point-to-point message. The sender's and the receiver's programs have the same tag for it; no
/// two messages from one rank to another have the same tag in one program.
struct Message {
  int peer = 0;
  int tag = 0;
  int buffer = 0;
  std::int64_t offset = 0, count = 0;  ///< elements, in the buffer
  int cell = 0;                        ///< cell of the exchange's cutting

  friend bool operator==(const Message&, const Message&) = default;
};

/// One non-blocking collective over `group`. All members start the collectives of an exchange in
/// the order of their numbers.
struct Collective {
  enum Method { alltoall, alltoallv, alltoallw };
  /// The data for (from) one member: a run of `count` elements or, for alltoallw, boxes inside an
  /// array.
  struct Part {
    int peer = 0;                        ///< rank in the whole communicator
    std::int64_t offset = 0, count = 0;  ///< elements, in the buffer
    Patches boxes;                       ///< alltoallw only

    /// How many elements are in the run, or in the boxes.
    std::int64_t elements() const;

    friend bool operator==(const Part&, const Part&) = default;
  };
  Method method = alltoallv;
  std::vector<int> group;  ///< its members, ascending
  int send_buffer = 0, receive_buffer = 0;
  std::vector<Part> sends, receives;
  /// The same on all members. alltoall: the size of a slot in elements. alltoallv: the
  /// largest number of elements that any member sends or receives.
  std::int64_t largest_count = 0;
  std::int64_t first_slot = 0;  ///< alltoall: element at which slot 0 begins, in both buffers

  friend bool operator==(const Collective&, const Collective&) = default;
};

/// A counter in the memory of a node. In every run of the program, `raisers` ranks of the node
/// raise it once each; it is never reset. Signal number i is the same signal for all ranks of a
/// node.
struct SignalSpec {
  std::string name;
  int raisers = 0;

  friend bool operator==(const SignalSpec&, const SignalSpec&) = default;
};

/// A tile of a pass: its boxes before and after the forward transform, which differ only along the
/// axis that r2c halves and axes of which not all is stored, and the number of its block.
struct Tile {
  Box real, spectral;
  std::size_t block = 0;

  friend bool operator==(const Tile&, const Tile&) = default;
};

/// A pass and its tiles in the order of their blocks: the tiles of block b have the numbers
/// [first_tiles[b], first_tiles[b + 1]). A tile is loaded completely before any of it is stored.
struct PassProgram {
  PassSpec spec;
  std::vector<Tile> tiles;
  std::vector<std::size_t> first_tiles;

  std::size_t blocks() const { return first_tiles.size() - 1; }
  friend bool operator==(const PassProgram&, const PassProgram&) = default;
};

/// An item of work: the grains order[first] to order[last - 1] of a sweep, which need the same
/// incoming messages. Threads may run the grains of an item at the same time.
struct Item {
  std::size_t first = 0, last = 0;
  std::vector<int> messages;  ///< numbers of the incoming messages
  Feeds feeds = Feeds::nobody;

  friend bool operator==(const Item&, const Item&) = default;
};

/// One or several passes over the same boxes. With one pass, a grain is a tile. With several, a
/// grain is a block, which one thread takes through all passes, one after the other. Only the first
/// pass loads from messages, and only the last stores to messages.
struct SweepProgram {
  std::vector<PassProgram> passes;
  std::vector<std::size_t> order;  ///< numbers of tiles, or of blocks
  std::vector<Item> items;

  /// The first tile of grain `number` in pass `pass`; the tiles of the grain end before
  /// first_tile(pass, number + 1).
  std::size_t first_tile(std::size_t pass, std::size_t number) const {
    return passes.size() == 1 ? number : passes[pass].first_tiles[number];
  }
  friend bool operator==(const SweepProgram&, const SweepProgram&) = default;
};

/// How one exchange moves data on this rank.
struct ExchangeProgram {
  std::string name;  ///< in the table of exchanges
  std::int64_t element_bytes = 16;
  std::vector<Message> receives, sends;
  /// Whether sends are posted in the order of their numbers, few at a time: see SendWindow.
  enum class SendLimit {
    none,
    of_all,       ///< few of all sends of a rank
    of_each_peer  ///< few to each peer, so that a late peer holds back no messages to others
  } send_limit = SendLimit::none;
  /// Collectives move the data, on this rank or on others; Wire says on which communicator.
  bool by_collectives = false;
  std::vector<Collective> collectives;
  int segments = 1;  ///< largest number of segments of a message between two nodes

  friend bool operator==(const ExchangeProgram&, const ExchangeProgram&) = default;
};

/// A step of a program: a sweep, or an exchange between two sweeps.
struct Step {
  std::string name;   ///< "pass 0: axes 2,1", "exchange 0: p2p to 1x2x1"
  int sweep = -1;     ///< index in Program::sweeps; -1: the step is an exchange
  int exchange = -1;  ///< index in Program::exchanges
  int stage = -1;     ///< the strategy's stage, the last that runs as this step; -1: a copy beside
  /// For an exchange: the task `stored` of every outgoing message, and the milestone `arrived` of
  /// every incoming one. Patch::message is an index in these.
  std::vector<int> stored, arrived;
  std::int64_t bytes = 0;                        ///< sent to other ranks
  std::int64_t messages = 0, message_bytes = 0;  ///< sent to other nodes

  friend bool operator==(const Step&, const Step&) = default;
};

/// Why a task waits for another.
enum class Why {
  begun,        ///< until the step has begun
  arrived,      ///< until the message that is loaded has arrived
  stored,       ///< until the data that are sent or announced have been stored
  counted,      ///< until members of the node have done their part
  opened,       ///< until the memory of the exchange may be stored to
  in_turn,      ///< until the step before has run, as both use the same memory
  finished,     ///< until the exchange before has finished, so that its buffers may be used again
  source_read,  ///< until the source has been read, as the target is the same memory
  ordered,      ///< until the collective before has started: the order is the same on all ranks
  all_begun,    ///< until all ranks of the node have begun the run and published their arrays
  loaded,       ///< until everything that arrived has been loaded
  paired,       ///< until what goes the other way is stored, so that both directions keep pace
  done          ///< a milestone waits for what it stands for
};
const char* to_string(Why why);

/// One task waits until another has completed or, if until_submitted, has been submitted.
struct Wait {
  int task = 0;
  Why why = Why::done;
  bool until_submitted = false;

  friend bool operator==(const Wait&, const Wait&) = default;
};

/// Something that a rank does. A task is submitted when all its waits are over, and completes
/// later. Tasks that raise a signal, and milestones, complete when they are submitted.
struct Task {
  enum Kind {
    compute,     ///< item `index` of the step's sweep
    stored,      ///< outgoing message `index` is stored by all its tiles; waits until their items
                 ///< are submitted, and completes when the last of these tiles is done, which may
                 ///< be before its item is complete
    receive,     ///< message `index` of the step's exchange
    send,        ///< message `index` of the step's exchange
    collective,  ///< number `index` of the step's exchange
    raise,       ///< signal `index` of the program
    await,       ///< until signal `index` has been raised by all its raisers in this run or, with a
                 ///< `lag`, in the run of this program that is `lag` runs before
    milestone    ///< nothing: a point that other tasks wait for
  };
  /// begins: the step begins. passes: its items are done. opens: the memory of the exchange may be
  /// stored to. arrived: incoming message `index` may be loaded. finishes: the exchange has
  /// finished.
  enum Milestone { none, begins, passes, opens, arrived, finishes };
  Kind kind = milestone;
  Milestone what = none;  ///< for a milestone
  int step = 0;
  int index = 0;  ///< see Kind and Milestone
  int lag = 0;    ///< for an await
  std::vector<Wait> waits;

  friend bool operator==(const Task&, const Task&) = default;
};

/// One direction of a plan on one rank. A run submits every task once, and is complete when all
/// tasks are complete. Only then the next run, in either direction, begins.
struct Program {
  int rank = 0;
  std::vector<BufferSpec> buffers;  ///< the first two are the rank's own source and target arrays
  std::vector<Step> steps;
  std::vector<SweepProgram> sweeps;
  std::vector<ExchangeProgram> exchanges;
  std::vector<SignalSpec> signals;
  std::vector<Task> tasks;
  std::int64_t workspace_bytes = 0;
  /// Whether ranks of the node work on each other's source (target) arrays.
  bool shares_source = false, shares_target = false;
  /// The task that awaits that all ranks of the node have begun the run and published where their
  /// arrays are; -1 if no rank of the node works on memory of another.
  int all_begun = -1;
  /// Whether messages may go in groups, which all ranks start in one order: program/message_groups.
  bool may_group = false;

  friend bool operator==(const Program&, const Program&) = default;
};

/// All of the program as text: a line for every buffer, item, message, collective, signal and task,
/// with what the task waits for.
std::string to_string(const Program& program);

/// One task in words: "step 2 (pass 1: axes 0): item 3 of tiles 12 to 15".
std::string describe_task(const Program& program, int task);

}  // namespace weft
