// proof/accesses: the regions of memory that a task reads and writes.
// Pure. Keeps: regions of one grain are listed in the order in which a thread touches them; regions
// of different grains may be touched at the same time.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "weft/program/program.hpp"

namespace weft {

/// Runs of bytes at regular distances: `run` bytes at first + sum_a i[a] * strides[a] for all
/// 0 <= i[a] < counts[a]. Empty if `run` is 0.
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

/// The part of `patch` inside `box`, in bytes of the patch's buffer.
Strided region_of(const Patch& patch, const Box& box, std::int64_t element_bytes);

/// One region that a task reads or writes.
struct Touch {
  enum Kind {
    read,       ///< reads values that must have been written
    read_idly,  ///< reads values that do not matter, such as the padding of a slot
    write,
    write_idly  ///< writes values that nobody may use, such as the padding of a slot
  };
  Kind kind = read;
  int buffer = 0;
  Strided region;
  int grain = 0;  ///< touches of one grain follow each other; grains run in any order
  int ends = 0;   ///< which messages end the access: see AccessReader::messages
};

/// Lists the accesses of the tasks of one program.
class AccessReader {
 public:
  explicit AccessReader(const Program& program) : program_(program) {}

  /// Calls touch(Touch) for all regions of a task.
  void read(int task, const std::function<void(const Touch&)>& touch);
  /// For the task that was read last: an access with Touch::ends == `ends` has ended when the task
  /// is complete and, for an item, already when one of these outgoing messages is stored.
  const std::vector<int>& messages(int ends) const { return ends_[static_cast<std::size_t>(ends)]; }
  /// The number of values of Touch::ends so far.
  int ends() const { return used_; }

 private:
  using Visitor = std::function<void(const Touch&)>;

  void read_item(const SweepProgram& sweep, const Item& item, const Visitor& touch);
  void read_tile(const PassProgram& pass, const Tile& tile, int grain, int ends,
                 const Visitor& touch);
  void read_points(const PointMap& map, const Patch& patch, std::int64_t bytes,
                   const Visitor& touch);
  void read_message(const Message& message, std::int64_t element_bytes, Touch::Kind kind,
                    const Visitor& touch);
  void read_collective(const Collective& collective, std::int64_t element_bytes,
                       const Visitor& touch);
  int number_of(const std::vector<int>& messages);

  const Program& program_;
  std::vector<std::vector<int>> ends_;  // sets of messages, of which the first used_ are in use
  int used_ = 0;
  std::vector<int> messages_, tile_ends_;  // for the current grain
  Touch touch_;
};

}  // namespace weft
