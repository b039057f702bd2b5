// program/accesses: the regions of memory that a task reads and writes.
// Pure. Keeps: in the order in which one thread touches them; regions of different pieces may be
// touched at the same time.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "weft/program/program.hpp"

namespace weft {

/// Runs of bytes at regular distances: `run` bytes at first + sum_a i[a] * strides[a] for all
/// 0 <= i[a] < counts[a]. Nothing if `run` is 0.
struct Strided {
  std::int64_t first = 0, run = 0;
  int axes = 0;
  std::array<std::int64_t, Dims::capacity> counts, strides;

  /// One past the last byte.
  std::int64_t end() const {
    std::int64_t last = first + run;
    for (std::size_t a = 0; a < static_cast<std::size_t>(axes); ++a)
      last += (counts[a] - 1) * strides[a];
    return last;
  }
};

/// The part of `patch` inside `box`, of elements of so many bytes; in bytes of its buffer.
Strided region_of(const Patch& patch, const Box& box, std::int64_t element_bytes);

/// One region of a task.
struct Touch {
  enum Kind {
    read,       ///< for what is there
    read_idly,  ///< the padding of a slot: what is there does not matter
    write,
    write_idly  ///< the padding of a slot: nobody may count on it
  };
  Kind kind = read;
  int buffer = 0;
  Strided region;
  int piece = 0;  ///< those of one piece follow each other, those of others are at any time
  int ends = 0;   ///< which messages end it: see AccessReader::messages
};

/// Reads the accesses of one program's tasks.
class AccessReader {
 public:
  explicit AccessReader(const Program& program) : program_(program) {}

  /// Calls touch(Touch) for all regions of a task.
  void read(int task, const std::function<void(const Touch&)>& touch);
  /// Of the task that was read last: an access with Touch::ends == `ends` has ended when the task
  /// is complete, and, for an item, also when one of these outgoing messages is stored.
  const std::vector<int>& messages(int ends) const { return ends_[static_cast<std::size_t>(ends)]; }
  int ends() const { return used_; }

 private:
  using Visitor = std::function<void(const Touch&)>;

  void read_item(const SweepProgram& sweep, const Item& item, const Visitor& touch);
  void read_tile(const PassProgram& pass, const Tile& tile, int piece, int ends,
                 const Visitor& touch);
  void read_message(const Message& message, std::int64_t element_bytes, Touch::Kind kind,
                    const Visitor& touch);
  void read_collective(const Collective& collective, std::int64_t element_bytes,
                       const Visitor& touch);
  int number_of(const std::vector<int>& messages);

  const Program& program_;
  std::vector<std::vector<int>> ends_;  // sets of messages; those before used_ are in use
  int used_ = 0;
  std::vector<int> messages_, tile_ends_;  // of the piece at hand
  Touch touch_;
};

}  // namespace weft
