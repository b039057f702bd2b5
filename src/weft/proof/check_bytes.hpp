// proof/check_bytes: which accesses of the ranks of some nodes touch the same bytes.
// Pure. Keeps: every byte has the set of accesses that touch it. Equal sets are stored once, so two
// accesses are compared once, however many bytes they share.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/program/index.hpp"
#include "weft/proof/accesses.hpp"
#include "weft/proof/check_knowledge.hpp"
#include "weft/proof/check_memory.hpp"
#include "weft/proof/pair_table.hpp"

namespace weft {

/// The accesses of a task that end at the same events. An access is a number: 4 * (number of its
/// Accessor) + its Touch::Kind.
struct Accessor {
  int direction = 0, rank = 0, task = 0;
  std::size_t mask = 0;  ///< for ByteMap::mask: tasks of the rank, any of which ends the accesses
};
constexpr int accessor_of(int access) { return access / 4; }
constexpr Touch::Kind kind_of(int access) { return static_cast<Touch::Kind>(access % 4); }
constexpr bool writes(Touch::Kind kind) { return kind >= Touch::write; }

/// Bytes of one memory: an array or the workspace of a rank.
struct Bytes {
  int memory = 0;
  std::int64_t first = 0, last = 0;
};

/// The memory of some nodes, with the accesses to every byte.
class ByteMap {
 public:
  /// `ranks` are all ranks of some nodes. Adds to `hazards` what is wrong in any order of tasks:
  /// accesses outside of buffers, and conflicts between grains of one task that may run at the same
  /// time.
  ByteMap(const CheckedRuns& runs, const std::vector<int>& ranks, const Knowledge& knowledge,
          HazardList& hazards);

  const Accessor& accessor(int number) const { return accessors_[at(number)]; }
  const Knowledge::Word* mask(const Accessor& accessor) const { return &masks_[accessor.mask]; }

  /// Two accessors touch the same bytes, and one of them writes there.
  struct Conflict {
    int first, second;
    Touch::Kind first_kind, second_kind;
    Bytes bytes;
  };
  const std::vector<Conflict>& conflicts() const { return conflicts_; }
  /// A rank touches a user's array of another rank.
  struct Visit {
    int accessor;
    Touch::Kind kind;
    Bytes bytes;
  };
  const std::vector<Visit>& visits() const { return visits_; }
  /// Bytes that have the same accesses: those of the set and of its parents.
  struct Content {
    int set;
    Bytes bytes;  ///< some bytes of this content, for messages
  };
  const std::vector<Content>& contents() const { return contents_; }
  /// The access that set `set` adds to those of its parent. Set 0 is empty.
  int access(int set) const { return sets_[at(set)].access; }
  int parent(int set) const { return sets_[at(set)].parent; }

  int owner(int memory) const { return ranks_[at(memory / homes)]; }
  /// Whether the user writes this memory before a run of `direction`, which reads it.
  bool is_source(int memory, int direction) const {
    const int home = memory % homes;
    return home == (in_one_array_ || direction == 0 ? input : output);
  }
  /// "bytes [0,4096) of the input array of rank 1"
  std::string in_words(const Bytes& bytes) const;

 private:
  enum { input, output, workspace, homes };
  // A unit of bytes: the set of its accesses, and which grains of the current task touch it.
  struct Cell {
    std::uint32_t set = 0, turn = 0, reader = 0, writer = 0;
  };
  struct Set {
    int parent = 0, access = -1;
    int last_access = -1, last_set = 0;  // the access that was added last, and the resulting set
  };
  static constexpr std::uint32_t many = UINT32_MAX;

  int memory_of(int direction, int rank, Home home) const;
  void measure();
  void find_unit();
  void add(int direction, int rank, const TaskBits& bits);
  void add_task(AccessReader& reader, const Program& program, const TaskBits& bits);
  void name_accessors(const AccessReader& reader, const Program& program, const TaskBits& bits);
  void check_stored(const AccessReader& reader, const Program& program);
  void mark(const Touch& touch, const Program& program);
  bool is_inside(const Touch& touch, const Program& program);
  void mark_region(const Strided& region, std::int64_t offset);
  void mark_run(std::int64_t first, std::int64_t last);
  int added(int set, int access, std::int64_t unit, std::int64_t last);
  void compare(int earlier, int access, const Bytes& bytes);
  void tell_grains(std::int64_t unit);
  void collect_contents();

  const ProgramSet& set_;
  const bool in_one_array_;
  const std::vector<int>& ranks_;
  const Knowledge& knowledge_;
  HazardList& hazards_;
  std::vector<int> slots_;                         // by rank: index in ranks_, or -1
  int unit_shift_ = 0;                             // a unit has 1 << unit_shift_ bytes
  std::vector<std::int64_t> bytes_, first_cells_;  // by memory
  std::vector<Cell> cells_;
  std::vector<Set> sets_ = std::vector<Set>(1);
  PairTable set_numbers_;  // by set and access
  std::vector<Accessor> accessors_;
  std::vector<Knowledge::Word> masks_;
  PairTable compared_, visited_;
  std::vector<Conflict> conflicts_;
  std::vector<Visit> visits_;
  std::vector<Content> contents_;

  // The current task.
  int direction_ = 0, rank_ = 0, task_ = 0;
  std::uint32_t turn_ = 0;
  bool is_told_ = false;
  std::vector<int> named_;  // accessors by Touch::ends
  Touch::Kind kind_ = Touch::read;
  int accessor_ = 0, memory_ = 0;
  std::uint32_t grain_ = 0;
};

}  // namespace weft
