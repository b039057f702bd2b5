// exchange/staging: messages and collectives of memory of a device, by way of registered memory of
// the processor, which MPI can read and write.
// Keeps: nothing waits but await_copy(); quiet execution - a run allocates nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "weft/device/device_buffer.hpp"
#include "weft/exchange/collective_runs.hpp"
#include "weft/exchange/copy_queue.hpp"
#include "weft/exchange/cut_messages.hpp"
#include "weft/exchange/device_messages.hpp"

namespace weft {

/// The mirror of what an exchange sends and receives, and the copies between the mirror and the
/// device, in one stream for each way. Messages are cut into pieces, and mirrored one after the
/// other. Of the buffer of collectives, the span of what they move is mirrored, as the boxes of a
/// collective have strides; only what they move is copied.
class Staging {
 public:
  /// Allocates the mirror, and makes streams and events. Error::system if there is not enough
  /// memory.
  Staging(const ExchangeProgram& exchange, const DeviceMessages& device);

  /// The exchange as MPI carries it out: of pieces, on the addresses mirror().
  const ExchangeProgram& exchange() const { return exchange_; }
  const Addresses& mirror() const { return mirror_; }
  std::int64_t mirror_bytes() const { return mirror_bytes_; }
  /// Which pieces belong to which message.
  CutMessages& pieces() { return pieces_; }

  /// Begins a run on the buffers at these addresses, which must outlive it.
  void begin(const Addresses& device_addresses);
  /// Copies down what piece `number` of a send, or collective `number`, sends.
  void copy_down(Task::Kind kind, int number);
  /// Copies up what piece `number` of a receive, or collective `number`, has received.
  void copy_up(Task::Kind kind, int number);

  /// A piece of a send or of a receive, or a collective. `number` is -1 if there is none.
  struct Copied {
    Task::Kind kind;
    int number;
  };
  /// The next of which all has been copied down, or up, in the order of the calls above.
  Copied take_down();
  Copied take_up();
  /// Waits until one of them has something. Returns false if nothing is under way.
  bool await_copy();
  bool is_idle() const { return down_->is_empty() && up_->is_empty(); }

 private:
  // What is copied, by the numbers of copies: the pieces come first, and then the collectives. The
  // runs of copy i are runs[firsts[i]] to runs[firsts[i + 1] - 1].
  struct Side {
    std::vector<MirroredRun> runs;
    std::vector<std::size_t> firsts = {0};
    int pieces = 0;

    void add(std::span<const MirroredRun> copy);
    std::size_t copies() const { return firsts.size() - 1; }
    int copy(Task::Kind kind, int number) const;
    std::span<const MirroredRun> of(int copy) const;
    Copied copied(int copy, Task::Kind kind) const;
  };
  Side mirrored_pieces(std::vector<Message>& pieces);
  void mirror_collectives();
  std::vector<std::int64_t> place_buffers();

  ExchangeProgram exchange_;
  CutMessages pieces_;
  int buffers_;  // of the program; the mirror of the pieces follows them
  std::int64_t mirror_bytes_ = 0;
  Side sent_, received_;
  DeviceBuffer memory_;
  Addresses mirror_;
  std::unique_ptr<CopyQueue> down_, up_;
  const Addresses* device_addresses_ = nullptr;
};

}  // namespace weft
