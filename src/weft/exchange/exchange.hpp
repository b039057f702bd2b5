// exchange/exchange: engines that carry out a redistribution, one row of a table each.
// Between passes data are never packed or unpacked: a pass stores straight into what an exchange
// sends, and the next pass loads straight from what it received.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/grid/patches.hpp"
#include "weft/grid/redistribution.hpp"
#include "weft/model/machine.hpp"
#include "weft/model/problem.hpp"

namespace weft {

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
  /// Largest count and displacement given to MPI as an int; smaller only in tests.
  std::int64_t count_limit = std::numeric_limits<int>::max();
};

/// Addresses of all buffers of a running plan, by number.
using Addresses = std::vector<std::byte*>;

/// A redistribution bound to a communicator, to be carried out again and again:
///
///     start(addresses)           receives may arrive
///     ready(m), in any order     message m is stored completely
///     flush()                    all of them are
///     await(m), in any order     returns when message m is there
///     finish()                   everything has left and arrived; buffers may be reused
///
/// Messages are numbered separately on the sending and on the receiving side; what rests with its
/// owner belongs to none. Collective as a whole: start, flush and finish on every rank; ready and
/// await as each rank's messages ask for.
class Exchange {
 public:
  virtual ~Exchange() = default;

  /// Where what I own before must be stored, in buffers send_buffer and receive_buffer; empty if
  /// it lies in source_array.
  const Patches& outgoing() const { return outgoing_; }
  /// Where what I own afterwards is found; target_array, if that was given.
  const Patches& incoming() const { return incoming_; }
  int outgoing_messages() const { return outgoing_messages_; }
  int incoming_messages() const { return incoming_messages_; }
  /// Elements that the two buffers must hold.
  std::int64_t send_elements() const { return send_elements_; }
  std::int64_t receive_elements() const { return receive_elements_; }
  /// The messages this rank sends to others in one run.
  struct Sent {
    int peer;
    std::int64_t bytes;
  };
  const std::vector<Sent>& sent() const { return sent_; }

  virtual void start(const Addresses& addresses) { addresses_ = &addresses; }
  virtual void flush() = 0;
  // A blocking collective does all in flush.
  virtual void ready(int /*message*/) {}
  virtual void await(int /*message*/) {}
  virtual void finish() {}

 protected:
  std::byte* address(int buffer) const { return (*addresses_)[static_cast<std::size_t>(buffer)]; }

  const Addresses* addresses_ = nullptr;
  Patches outgoing_, incoming_;
  int outgoing_messages_ = 0, incoming_messages_ = 0;
  std::int64_t send_elements_ = 0, receive_elements_ = 0;
  std::vector<Sent> sent_;
};

/// A row of the table of exchanges.
struct ExchangeRow {
  std::string name;
  std::string summary;
  /// Moves data straight from and to users' arrays, and is done with them when flush returns; the
  /// others need a pass, or a copy, at each end.
  bool moves_arrays;
  /// What the planner takes where nothing else is asked for, below and above its size of a message.
  bool for_small_messages, for_large_messages;
  /// Nothing if it can be used for the problem on the machine, else the reason why not.
  std::optional<std::string> (*applies)(const Problem& problem, const Machine& machine);
  /// Collective over spec.comm.
  std::unique_ptr<Exchange> (*make)(const ExchangeSpec& spec);
};

/// All exchanges weft knows, the preferred first.
const std::vector<ExchangeRow>& exchanges();

/// The row called `name`; Error::invalid lists the exchanges there are, and why the others do not
/// apply.
const ExchangeRow& find_exchange(const std::string& name, const Problem& problem,
                                 const Machine& machine);

// The rows, each in its own file.
ExchangeRow p2p_row();
ExchangeRow alltoallv_row();
ExchangeRow alltoall_row();
ExchangeRow alltoallw_row();

}  // namespace weft
