// memory/shared_region: memory that other processes of the node can map.
// Keeps: a region has no name in any file system, so that a killed process leaves nothing behind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace weft {

/// What another process needs to map a region; plain data that can be sent to it.
struct SharedRegionHandle {
  std::int64_t process = 0, descriptor = -1, bytes = 0;
  std::int64_t number = 0;  ///< unique in its process, never reused
  friend bool operator==(const SharedRegionHandle&, const SharedRegionHandle&) = default;
};

/// Owner of zeroed memory that other processes of this node can map, or of a mapping of another
/// process's region. The memory has huge pages where the system allows them, near the thread that
/// makes the region.
class SharedRegion {
 public:
  SharedRegion() = default;
  /// Error::system, with the size, if there is not enough memory, or a limit of the system is
  /// exceeded; Error::unsupported if the system refuses such memory to this process. For 0 bytes
  /// nothing is allocated, and data() is null.
  explicit SharedRegion(std::int64_t bytes);
  /// Maps another process's region, or one of this process a second time. Error::unsupported, with
  /// the reason, if this process may not see the maker's memory (it runs as another user, in
  /// another container, or denies it) or the maker has released the region; Error::system if a
  /// limit of the system is exceeded.
  static SharedRegion open(const SharedRegionHandle& handle);
  SharedRegion(SharedRegion&& other) noexcept;
  SharedRegion& operator=(SharedRegion&& other) noexcept;
  ~SharedRegion();

  std::byte* data() const { return data_; }
  std::int64_t bytes() const { return handle_.bytes; }
  const SharedRegionHandle& handle() const { return handle_; }
  /// Whether the maker still holds the region; if not, a mapping of it only wastes memory. The
  /// maker's destructor reports the end; a maker that was killed does not. False without memory.
  bool is_alive() const;
  /// Closes the maker's file descriptor, so that nobody can open the region any more; its memory
  /// and all mappings stay. To be called once all processes that need the region have opened it: a
  /// process may hold many more regions than descriptors. No effect on an opened region.
  void close_descriptor();

  /// A location in a region that this process made.
  struct Location {
    SharedRegionHandle handle;
    std::int64_t offset = 0;
    friend bool operator==(const Location&, const Location&) = default;
  };
  /// The location of `address` in a region that this process made (not opened), if there is one.
  /// Thread-safe.
  static std::optional<Location> containing(const void* address);
  /// The start of the region with this handle if this process made it and still holds it, else
  /// null. Thread-safe.
  static std::byte* made_here(const SharedRegionHandle& handle);

 private:
  void map(int descriptor);
  void release();

  std::byte* data_ = nullptr;
  SharedRegionHandle handle_;
  bool is_maker_ = false;
  bool has_descriptor_ = false;  // the maker's, until close_descriptor()
};

}  // namespace weft
