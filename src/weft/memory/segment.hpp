// memory/segment: memory that other processes of the node can map.
// Keeps: no name in any file system, so a process that is killed leaves nothing behind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace weft {

/// What another process needs to map a segment. Plain data: travels through MPI or shared memory.
struct SegmentHandle {
  std::int64_t process = 0, descriptor = -1, bytes = 0;
  std::int64_t number = 0;  ///< unique in its process, never reused
  friend bool operator==(const SegmentHandle&, const SegmentHandle&) = default;
};

/// Owner of zeroed memory that other processes of this node can map, in huge pages where the system
/// allows; or of a mapping of another process's segment. Pages lie near the thread that makes it.
class Segment {
 public:
  Segment() = default;
  /// Error::system, with the size and what to try, if there is not that much memory or a limit of
  /// the system is reached. No bytes need no memory: data() is null then.
  explicit Segment(std::int64_t bytes);
  /// Maps another process's segment (or one of this process, again). Error::system, with the
  /// reason, if it cannot be: the maker has let go of it, runs under another user, or is hidden.
  static Segment open(const SegmentHandle& handle);
  Segment(Segment&& other) noexcept;
  Segment& operator=(Segment&& other) noexcept;
  ~Segment();

  std::byte* data() const { return data_; }
  std::int64_t bytes() const { return handle_.bytes; }
  const SegmentHandle& handle() const { return handle_; }
  /// Whether its maker still holds it: a mapping of a segment whose maker let go is only a waste of
  /// memory. Only the maker's destructor tells; one that was killed does not. False without memory.
  bool is_alive() const;

  /// A place in a segment that this process made.
  struct Place {
    SegmentHandle handle;
    std::int64_t offset = 0;
    friend bool operator==(const Place&, const Place&) = default;
  };
  /// The segment made by this process (not one opened) that contains `address`, and where in it;
  /// nothing if there is none. Any thread may ask.
  static std::optional<Place> containing(const void* address);
  /// Where the segment of this handle begins if this process made it and still holds it, else null.
  /// Any thread may ask.
  static std::byte* made_here(const SegmentHandle& handle);

 private:
  void map(int descriptor);
  void release();

  std::byte* data_ = nullptr;
  SegmentHandle handle_;
  bool is_maker_ = false;
};

}  // namespace weft
