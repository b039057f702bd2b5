// memory/segment: memory that other processes of the node can map.
// Keeps: a segment has no name in any file system, so that a killed process leaves nothing behind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace weft {

/// What another process needs to map a segment; plain data that can be sent to it.
struct SegmentHandle {
  std::int64_t process = 0, descriptor = -1, bytes = 0;
  std::int64_t number = 0;  ///< unique in its process, never reused
  friend bool operator==(const SegmentHandle&, const SegmentHandle&) = default;
};

/// Owner of zeroed memory that other processes of this node can map, or of a mapping of another
/// process's segment. The memory has huge pages where the system allows them, near the thread that
/// makes the segment.
class Segment {
 public:
  Segment() = default;
  /// Error::system, with the size, if there is not enough memory, or a limit of the system is
  /// exceeded. For 0 bytes nothing is allocated, and data() is null.
  explicit Segment(std::int64_t bytes);
  /// Maps another process's segment, or one of this process a second time. Error::system, with the
  /// reason, if the maker has released the segment, runs as another user, or is not visible.
  static Segment open(const SegmentHandle& handle);
  Segment(Segment&& other) noexcept;
  Segment& operator=(Segment&& other) noexcept;
  ~Segment();

  std::byte* data() const { return data_; }
  std::int64_t bytes() const { return handle_.bytes; }
  const SegmentHandle& handle() const { return handle_; }
  /// Whether the maker still holds the segment; if not, a mapping of it only wastes memory. The
  /// maker's destructor reports the end; a maker that was killed does not. False without memory.
  bool is_alive() const;

  /// A location in a segment that this process made.
  struct Location {
    SegmentHandle handle;
    std::int64_t offset = 0;
    friend bool operator==(const Location&, const Location&) = default;
  };
  /// The location of `address` in a segment that this process made (not opened), if there is one.
  /// Thread-safe.
  static std::optional<Location> containing(const void* address);
  /// The start of the segment with this handle if this process made it and still holds it, else
  /// null. Thread-safe.
  static std::byte* made_here(const SegmentHandle& handle);

 private:
  void map(int descriptor);
  void release();

  std::byte* data_ = nullptr;
  SegmentHandle handle_;
  bool is_maker_ = false;
};

}  // namespace weft
