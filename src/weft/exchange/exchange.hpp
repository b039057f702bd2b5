// exchange/exchange: engines that carry out a redistribution, one row of a table each.
// Between passes data are never packed or unpacked: a pass stores straight into what an exchange
// sends, and the next pass loads straight from what it received.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/exchange/messages.hpp"
#include "weft/exchange/team.hpp"
#include "weft/grid/patches.hpp"
#include "weft/grid/redistribution.hpp"
#include "weft/model/machine.hpp"
#include "weft/model/problem.hpp"

namespace weft {

/// What the ranks of a node keep in memory that all of them see, for exchanges that share it.
struct SharedSpec {
  Team* team = nullptr;
  const Machine* machine = nullptr;
  int rest_buffer = 0;  ///< what rests in its node, where `rest` does not say otherwise
  /// Where what stays in the node rests, if it has a place already: the patches of a rank of my
  /// node that cover its boxes, before the exchange (rests_with_taker: after it). A null function:
  /// in rest_buffer, with its giver.
  std::function<Patches(int rank)> rest;
  bool rests_with_taker = false;
  /// The number of another rank's buffer, as seen from mine.
  std::function<int(int rank, int buffer)> buffer_of;
  /// Whether it opens only when all of the node have started this run of it: where it stores into
  /// memory of others that they use for something else until then - users' arrays, unless the node
  /// has met in this run before, and memory of steps that the closing of no exchange ends. Its own
  /// run before has always been loaded and sent by all when it opens.
  bool opens = true;
  /// Whether it has finished only when all of the node have loaded and sent; else when this rank
  /// has, and others may still load from its memory.
  bool closes = true;
};

/// What an exchange is made for. Buffers are numbers (see Patch); their addresses come at run time.
struct ExchangeSpec {
  const Communicator* comm = nullptr;  ///< outlives the exchange
  Redistribution moves;
  std::int64_t element_bytes = 16;
  int send_buffer = 0;     ///< what is sent, in the exchange's own order
  int receive_buffer = 0;  ///< what is received, and what stays with its owner
  /// Where the source (target) already lies (must lie), when no pass stores (loads) it; only for
  /// exchanges that move arrays.
  std::optional<Patches> source_array, target_array;
  SharedSpec shared;  ///< only for exchanges that share memory
  /// Largest count and displacement given to MPI as an int; smaller only in tests.
  std::int64_t count_limit = std::numeric_limits<int>::max();
  /// Its messages have this tag and the following ones, as many as its cutting has cells. Exchanges
  /// on `comm` that run at the same time have others; the same on all ranks.
  int first_tag = 0;
};

/// Addresses of all buffers of a running plan, by number.
using Addresses = std::vector<std::byte*>;

/// A redistribution bound to a communicator, to be carried out again and again without ever
/// waiting:
///
///     start(addresses)           a run begins; the one before has finished
///     is_open()                  passes may store
///     ready(m), in any order     outgoing message m is stored completely
///     progress()                 moves what can be moved; what has arrived is added to arrivals()
///     move()                     the same between tiles, but what has arrived may be told later
///     loaded()                   all that came has been loaded (once, after the last arrival)
///     has_finished()             everything has left and arrived; buffers may be reused
///     wait(), between the others until progress() may have something to tell
///
/// Messages are numbered separately on the sending and on the receiving side, the most urgent
/// first; what stays with its owner is a message, too, where a pass stores it. Each has at least
/// one patch. Collective as a whole: every rank starts every run, and calls progress() until it has
/// finished. One thread of a rank calls. One whose run an error has ended is not destroyed while
/// MPI runs: messages may be under way.
class Exchange {
 public:
  virtual ~Exchange() = default;

  /// Where what I own before must be stored; empty, and no messages, if it lies in source_array.
  const Patches& outgoing() const { return outgoing_; }
  /// Where what I own afterwards is found; target_array, and no messages, if that was given: it is
  /// complete when the exchange has finished.
  const Patches& incoming() const { return incoming_; }
  int outgoing_messages() const { return outgoing_messages_; }
  int incoming_messages() const { return incoming_messages_; }
  /// Elements that the buffers must hold.
  std::int64_t send_elements() const { return send_elements_; }
  std::int64_t receive_elements() const { return receive_elements_; }
  std::int64_t rest_elements() const { return rest_elements_; }
  /// Into how many pieces the message between a pair of nodes is cut, at most.
  int segments() const { return segments_; }
  /// The messages this rank sends to others in one run.
  struct Sent {
    int peer;
    std::int64_t bytes;
  };
  const std::vector<Sent>& sent() const { return sent_; }

  virtual void start(const Addresses& addresses) {
    addresses_ = &addresses;
    arrivals_.clear();
  }
  virtual bool is_open() { return true; }
  virtual void ready(int message) = 0;
  virtual void progress() = 0;
  virtual void move() { progress(); }
  virtual void loaded() {}
  virtual bool has_finished() const = 0;
  /// Only this thread's patience: other runs do not get on meanwhile. May return early.
  virtual void wait() = 0;
  /// Incoming messages that are there, in the order in which they came.
  const std::vector<int>& arrivals() const { return arrivals_; }

 protected:
  /// At the end of making: numbers of messages are known.
  void make_room() { arrivals_.reserve(static_cast<std::size_t>(incoming_messages_)); }
  /// While it is made, where one message per pair of ranks and cell is sent, and what stays with
  /// its rank stays in place: all of the above.
  void lay_out(const MessageSides& sides, std::int64_t element_bytes);
  bool has_all() const { return arrivals_.size() == static_cast<std::size_t>(incoming_messages_); }
  std::byte* address(int buffer) const { return (*addresses_)[static_cast<std::size_t>(buffer)]; }

  const Addresses* addresses_ = nullptr;
  Patches outgoing_, incoming_;
  int outgoing_messages_ = 0, incoming_messages_ = 0;
  std::int64_t send_elements_ = 0, receive_elements_ = 0, rest_elements_ = 0;
  int segments_ = 1;
  std::vector<Sent> sent_;
  std::vector<int> arrivals_;
};

/// What the planner takes where nothing else is asked for.
enum class Preferred { never, in_nodes, between_nodes, small_messages, large_messages };

/// A row of the table of exchanges.
struct ExchangeRow {
  std::string name;
  std::string summary;
  /// Moves data straight from and to users' arrays; the others need a pass, or a copy, at each end.
  bool moves_arrays;
  /// Leaves what stays in a node where it is; needs ExchangeSpec::shared. Where nothing leaves the
  /// nodes, arrays are as good as any memory.
  bool shares_memory;
  /// Its messages are those of the redistribution's cutting; else all is one message.
  bool cuts;
  Preferred preferred;
  /// Nothing if it can be used for the problem on the machine, else the reason why not.
  std::optional<std::string> (*applies)(const Problem& problem, const Machine& machine);
  /// Collective over spec.comm.
  std::unique_ptr<Exchange> (*make)(const ExchangeSpec& spec);
};

/// For rows that can always be used.
inline std::optional<std::string> everywhere(const Problem& /*problem*/,
                                             const Machine& /*machine*/) {
  return std::nullopt;
}

/// For rows of a class that needs no more than its spec.
template <class Of>
std::unique_ptr<Exchange> make_exchange(const ExchangeSpec& spec) {
  return std::make_unique<Of>(spec);
}

/// All exchanges weft knows, the preferred first.
const std::vector<ExchangeRow>& exchanges();

/// The row called `name`; Error::invalid lists the exchanges there are, and why the others do not
/// apply.
const ExchangeRow& find_exchange(const std::string& name, const Problem& problem,
                                 const Machine& machine);

// The rows, each in its own file.
ExchangeRow shared_row();
ExchangeRow node_row();
ExchangeRow p2p_row();
ExchangeRow alltoallv_row();
ExchangeRow alltoall_row();
ExchangeRow alltoallw_row();

}  // namespace weft
