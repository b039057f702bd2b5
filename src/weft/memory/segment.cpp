// memory/segment: anonymous files, mapped by other processes through /proc/<process>/fd.

#include "weft/memory/segment.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <functional>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>

#include "weft/base/error.hpp"

// Newer than the headers of some systems; an older kernel refuses it, and it is only a hint.
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

namespace weft {

namespace {

constexpr std::int64_t page = 4096;
constexpr std::int64_t huge_page = std::int64_t{1} << 21;

// The last page of every segment, behind its bytes. Descriptors and process ids are reused, and
// mean something else in another container: only this tells that the right memory was mapped.
struct Tail {
  std::atomic<std::uint32_t> is_alive;
  std::int64_t process, number;
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free && sizeof(Tail) <= page);

// Bytes before the tail. Large segments are whole huge pages; the tail needs none.
std::int64_t body_bytes(std::int64_t bytes) {
  const std::int64_t unit = bytes >= 2 * huge_page ? huge_page : page;
  return (bytes + unit - 1) / unit * unit;
}
std::size_t file_bytes(std::int64_t bytes) {
  return static_cast<std::size_t>(body_bytes(bytes) + page);
}

Tail& tail_of(std::byte* data, std::int64_t bytes) {
  return *reinterpret_cast<Tail*>(data + body_bytes(bytes));
}

std::string reason(int error) { return std::generic_category().message(error); }

// What this process made: where it begins, and its handle. Never destroyed, because segments of
// static lifetime ask it at the very end.
struct Registry {
  std::mutex mutex;
  std::map<std::byte*, SegmentHandle, std::less<>> made;
};
Registry& registry() {
  static Registry& instance = *new Registry;
  return instance;
}

// Numbers begin at a random place: processes of two containers may have the same id, each sees the
// other's segments as its own, and equal numbers would then hide it.
std::int64_t next_number() {
  static std::atomic<std::int64_t> next = [] {
    std::uint64_t seed = 0;
    if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != sizeof(seed))
      seed = static_cast<std::uint64_t>(getpid());
    return static_cast<std::int64_t>(seed >> 2);
  }();
  return next.fetch_add(1) + 1;
}

// A size that cannot be is refused here: the kernel would take it, and end the process at the first
// touch that finds no page (or at once, with a signal, where files are limited).
void check_size(std::int64_t bytes) {
  struct sysinfo machine {};
  const bool is_known = sysinfo(&machine) == 0;
  const double there = static_cast<double>(machine.totalram + machine.totalswap) *
                       static_cast<double>(machine.mem_unit);
  if (bytes > INT64_MAX / 2 || (is_known && static_cast<double>(bytes) > there))
    throw Error(
        Error::system,
        fmt::format("there is no shared memory for {} bytes: the machine has {:.0f}", bytes, there),
        "use more nodes, or nodes with more memory");
  struct rlimit files {};
  if (getrlimit(RLIMIT_FSIZE, &files) == 0 && files.rlim_cur != RLIM_INFINITY &&
      file_bytes(bytes) > files.rlim_cur)
    throw Error(Error::system,
                fmt::format("there is no shared memory for {} bytes: files are limited to {}",
                            bytes, files.rlim_cur),
                "raise the limit: ulimit -f unlimited");
}

// Zeroed pages for all of [data, data + bytes). One touch per huge page puts it near this thread
// and lets it be collapsed: 0.06 s per GiB, ten times faster than touching all small pages, and
// forty times faster than collapsing those then. A second thread gained nothing.
void make_pages(std::byte* data, std::int64_t bytes) {
  bool may_be_huge = true;
  for (std::int64_t at = 0; at < bytes; at += huge_page) {
    const std::int64_t length = std::min(huge_page, bytes - at);
    std::byte* piece = data + at;
    if (may_be_huge && length == huge_page) {
      *static_cast<volatile std::byte*>(piece) = std::byte{0};
      if (madvise(piece, huge_page, MADV_COLLAPSE) == 0) continue;
      may_be_huge = errno != EINVAL;  // not in this kernel; else memory is fragmented just here
    }
    if (madvise(piece, static_cast<std::size_t>(length), MADV_POPULATE_WRITE) == 0) continue;
    for (std::int64_t byte = 0; byte < length; byte += page)
      *static_cast<volatile std::byte*>(piece + byte) = std::byte{0};
  }
}

// Closes a descriptor that nobody needs any more.
class [[nodiscard]] Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  int number() const { return number_; }
  int keep() { return std::exchange(number_, -1); }

 private:
  int number_;
};

}  // namespace

Segment::Segment(std::int64_t bytes) {
  ensure(bytes >= 0, bytes);
  if (bytes == 0) return;
  check_size(bytes);
  const auto refused = [&](int error) {
    return Error(Error::system,
                 fmt::format("there is no shared memory for {} bytes: {}", bytes, reason(error)),
                 "use more nodes, or raise the limits on memory and open files (ulimit -v, -n)");
  };
  Descriptor file(memfd_create("weft", MFD_CLOEXEC));
  if (file.number() < 0) throw refused(errno);
  if (ftruncate(file.number(), static_cast<off_t>(file_bytes(bytes))) != 0) throw refused(errno);
  handle_ = {getpid(), file.number(), bytes, next_number()};
  try {
    map(file.number());
  } catch (const std::system_error& error) {
    throw refused(error.code().value());
  }
  make_pages(data_, body_bytes(bytes));
  Tail& tail = tail_of(data_, bytes);
  tail.process = handle_.process;
  tail.number = handle_.number;
  tail.is_alive.store(1, std::memory_order_release);
  const std::lock_guard lock(registry().mutex);
  registry().made.emplace(data_, handle_);
  is_maker_ = true;
  file.keep();
}

Segment Segment::open(const SegmentHandle& handle) {
  Segment segment;
  if (handle.bytes == 0) return segment;
  const auto refused = [&](const std::string& why) {
    return Error(Error::system,
                 fmt::format("the memory of process {} cannot be mapped ({} bytes, descriptor {}): "
                             "{}",
                             handle.process, handle.bytes, handle.descriptor, why),
                 "processes share memory if they run on one machine, in one container, and under "
                 "one user");
  };
  if (handle.bytes < 0 || handle.bytes > INT64_MAX / 2) throw refused("that is no size");
  const std::string path = fmt::format("/proc/{}/fd/{}", handle.process, handle.descriptor);
  const Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.number() < 0) throw refused(reason(errno));
  struct stat status {};
  const char* other = "the descriptor is of something else by now";
  if (fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode) ||
      static_cast<std::size_t>(status.st_size) != file_bytes(handle.bytes))
    throw refused(other);
  segment.handle_ = handle;
  try {
    segment.map(file.number());
  } catch (const std::system_error& error) {
    throw refused(reason(error.code().value()));
  }
  const Tail& tail = tail_of(segment.data_, handle.bytes);
  if (tail.process != handle.process || tail.number != handle.number) throw refused(other);
  return segment;
}

// At a multiple of the huge page, so that what its maker collapsed is huge here too.
void Segment::map(int descriptor) {
  const std::size_t bytes = file_bytes(handle_.bytes), room = bytes + huge_page;
  void* reserved =
      mmap(nullptr, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) throw std::system_error(errno, std::generic_category());
  auto* begin = static_cast<std::byte*>(reserved);
  const std::size_t before =
      (huge_page - reinterpret_cast<std::uintptr_t>(begin) % huge_page) % huge_page;
  void* mapped =
      mmap(begin + before, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor, 0);
  if (mapped == MAP_FAILED) {
    const int error = errno;
    munmap(reserved, room);
    throw std::system_error(error, std::generic_category());
  }
  if (before > 0) munmap(begin, before);
  if (before < huge_page) munmap(begin + before + bytes, huge_page - before);
  data_ = static_cast<std::byte*>(mapped);
}

void Segment::release() {
  if (data_ == nullptr) return;
  // A forked child has copies of its parent's segments, but they are not its own to end.
  if (is_maker_ && handle_.process == getpid()) {
    tail_of(data_, handle_.bytes).is_alive.store(0, std::memory_order_release);
    {
      const std::lock_guard lock(registry().mutex);
      registry().made.erase(data_);
    }
    close(static_cast<int>(handle_.descriptor));
  }
  munmap(data_, file_bytes(handle_.bytes));
  data_ = nullptr;
}

Segment::Segment(Segment&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      handle_(std::exchange(other.handle_, {})),
      is_maker_(std::exchange(other.is_maker_, false)) {}

Segment& Segment::operator=(Segment&& other) noexcept {
  if (this != &other) {
    release();
    data_ = std::exchange(other.data_, nullptr);
    handle_ = std::exchange(other.handle_, {});
    is_maker_ = std::exchange(other.is_maker_, false);
  }
  return *this;
}

Segment::~Segment() { release(); }

bool Segment::is_alive() const {
  return data_ != nullptr &&
         tail_of(data_, handle_.bytes).is_alive.load(std::memory_order_acquire) != 0;
}

std::optional<Segment::Place> Segment::containing(const void* address) {
  const auto* at = static_cast<const std::byte*>(address);
  const std::lock_guard lock(registry().mutex);
  auto next = registry().made.upper_bound(at);
  if (next == registry().made.begin()) return std::nullopt;
  const auto& [begin, handle] = *std::prev(next);
  const std::int64_t offset = at - begin;
  if (offset >= handle.bytes) return std::nullopt;
  return Place{handle, offset};
}

std::byte* Segment::made_here(const SegmentHandle& handle) {
  const std::lock_guard lock(registry().mutex);
  for (const auto& [begin, known] : registry().made)
    if (known == handle) return begin;
  return nullptr;
}

}  // namespace weft
