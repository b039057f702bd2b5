// memory/shared_region: anonymous files, which other processes map through /proc/<process>/fd.

#include "weft/memory/shared_region.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <functional>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>

#include "weft/base/descriptor.hpp"
#include "weft/base/ensure.hpp"
#include "weft/base/pages.hpp"
#include "weft/memory/capacity.hpp"

// The headers of some systems are too old to define these hints; an older kernel refuses them.
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

namespace weft {

namespace {

// The last page of every region, after its bytes. Descriptors and process ids are reused, and have
// other meanings in other containers, so only this page shows that the right memory was mapped.
struct Tail {
  std::atomic<std::uint32_t> is_alive;
  std::int64_t process, number;
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free && sizeof(Tail) <= page_bytes);

// The number of bytes before the tail. Large regions consist of whole huge pages, without the
// tail.
std::int64_t body_bytes(std::int64_t bytes) {
  const std::int64_t unit = bytes >= 2 * huge_page_bytes ? huge_page_bytes : page_bytes;
  return (bytes + unit - 1) / unit * unit;
}
std::size_t file_bytes(std::int64_t bytes) {
  return static_cast<std::size_t>(body_bytes(bytes) + page_bytes);
}

Tail& tail_of(std::byte* data, std::int64_t bytes) {
  return *reinterpret_cast<Tail*>(data + body_bytes(bytes));
}

// Whether a call failed because something was used up, and not because it is not allowed here.
bool is_shortage(int error) { return error == EMFILE || error == ENFILE || error == ENOMEM; }

std::string reason(int error) { return std::generic_category().message(error); }

// The regions that this process made: their start addresses and handles. Never destroyed, because
// regions of static lifetime are released after other static objects.
struct Registry {
  std::mutex mutex;
  std::map<std::byte*, SharedRegionHandle, std::less<>> made;
};
Registry& registry() {
  static Registry& instance = *new Registry;
  return instance;
}

// Numbers begin at a random value. Processes of two containers may have the same id, and each could
// then open a region of its own instead of the other's; different numbers reveal this.
std::int64_t next_number() {
  static std::atomic<std::int64_t> next = [] {
    std::uint64_t seed = 0;
    if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != sizeof(seed))
      seed = static_cast<std::uint64_t>(getpid());
    return static_cast<std::int64_t>(seed >> 2);
  }();
  return next.fetch_add(1) + 1;
}

// Refuses impossible sizes. The kernel would accept them and kill the process at the first access
// for which it has no page, or at once, by a signal, where the size of files is limited.
void check_size(std::int64_t bytes) {
  const std::int64_t there = memory_capacity().machine;
  if (bytes > INT64_MAX / 2 || bytes > there)
    throw Error(Error::system,
                fmt::format("cannot allocate {} bytes of shared memory: the machine has {} bytes",
                            bytes, there),
                "use more nodes, or nodes with more memory");
  struct rlimit files {};
  if (getrlimit(RLIMIT_FSIZE, &files) == 0 && files.rlim_cur != RLIM_INFINITY &&
      file_bytes(bytes) > files.rlim_cur)
    throw Error(
        Error::system,
        fmt::format("cannot allocate {} bytes of shared memory: files are limited to {} bytes",
                    bytes, files.rlim_cur),
        "raise the limit: ulimit -f unlimited");
}

// Allocates zeroed pages for [data, data + bytes). One access per huge page allocates it near this
// thread and allows it to be collapsed. This takes 0.06 s per GiB: a tenth of the time of touching
// all small pages, and a fortieth of the time of touching and then collapsing them. A second thread
// did not make it faster.
void make_pages(std::byte* data, std::int64_t bytes) {
  bool may_be_huge = true;
  for (std::int64_t at = 0; at < bytes; at += huge_page_bytes) {
    const std::int64_t length = std::min(huge_page_bytes, bytes - at);
    std::byte* begin = data + at;
    if (may_be_huge && length == huge_page_bytes) {
      *static_cast<volatile std::byte*>(begin) = std::byte{0};
      if (madvise(begin, huge_page_bytes, MADV_COLLAPSE) == 0) continue;
      // EINVAL: this kernel cannot collapse pages. Other errors concern only this page.
      may_be_huge = errno != EINVAL;
    }
    if (madvise(begin, static_cast<std::size_t>(length), MADV_POPULATE_WRITE) == 0) continue;
    for (std::int64_t byte = 0; byte < length; byte += page_bytes)
      *static_cast<volatile std::byte*>(begin + byte) = std::byte{0};
  }
}

}  // namespace

// What has been mapped is released if something fails later.
SharedRegion::SharedRegion(std::int64_t bytes) : SharedRegion() {
  ensure(bytes >= 0, bytes);
  if (bytes == 0) return;
  check_size(bytes);
  const auto refused = [&](int error) {
    return Error(is_shortage(error) || error == EFBIG ? Error::system : Error::unsupported,
                 fmt::format("cannot allocate {} bytes of shared memory: {}", bytes, reason(error)),
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
  is_maker_ = has_descriptor_ = true;
  file.keep();
}

void SharedRegion::close_descriptor() {
  // A forked child closes its own copy of the descriptor only when it ends.
  if (has_descriptor_ && handle_.process == getpid()) close(static_cast<int>(handle_.descriptor));
  has_descriptor_ = false;
}

SharedRegion SharedRegion::open(const SharedRegionHandle& handle) {
  SharedRegion region;
  if (handle.bytes == 0) return region;
  const auto refused = [&](const std::string& why, Error::Code code = Error::unsupported) {
    return Error(code,
                 fmt::format("cannot map the memory of process {} ({} bytes, descriptor {}): {}",
                             handle.process, handle.bytes, handle.descriptor, why),
                 "run the ranks of a node in one container and as one user, or give every rank a "
                 "node of its own: WEFT_NODE_SIZE=1");
  };
  if (handle.bytes < 0 || handle.bytes > INT64_MAX / 2) throw refused("the size is invalid");
  const std::string path = fmt::format("/proc/{}/fd/{}", handle.process, handle.descriptor);
  const Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  const auto code_of = [](int error) {
    return is_shortage(error) ? Error::system : Error::unsupported;
  };
  if (file.number() < 0) throw refused(reason(errno), code_of(errno));
  struct stat status {};
  const char* other = "the descriptor now belongs to another file";
  if (fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode) ||
      static_cast<std::size_t>(status.st_size) != file_bytes(handle.bytes))
    throw refused(other);
  region.handle_ = handle;
  try {
    region.map(file.number());
  } catch (const std::system_error& error) {
    throw refused(reason(error.code().value()), code_of(error.code().value()));
  }
  const Tail& tail = tail_of(region.data_, handle.bytes);
  if (tail.process != handle.process || tail.number != handle.number) throw refused(other);
  return region;
}

// Maps large regions at a multiple of the huge page size, so that pages that the maker collapsed
// are huge here too.
void SharedRegion::map(int descriptor) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t bytes = (file_bytes(handle_.bytes) + page - 1) / page * page,
                    room = bytes + huge_page_bytes;
  if (bytes < huge_page_bytes) {
    void* small = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (small == MAP_FAILED) throw std::system_error(errno, std::generic_category());
    data_ = static_cast<std::byte*>(small);
    return;
  }
  void* reserved =
      mmap(nullptr, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) throw std::system_error(errno, std::generic_category());
  auto* begin = static_cast<std::byte*>(reserved);
  const std::size_t before =
      (huge_page_bytes - reinterpret_cast<std::uintptr_t>(begin) % huge_page_bytes) %
      huge_page_bytes;
  void* mapped =
      mmap(begin + before, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor, 0);
  if (mapped == MAP_FAILED) {
    const int error = errno;
    munmap(reserved, room);
    throw std::system_error(error, std::generic_category());
  }
  if (before > 0) munmap(begin, before);
  if (before < huge_page_bytes) munmap(begin + before + bytes, huge_page_bytes - before);
  data_ = static_cast<std::byte*>(mapped);
}

void SharedRegion::release() {
  if (data_ == nullptr) return;
  // A forked child has copies of its parent's regions, but must not end them.
  if (is_maker_ && handle_.process == getpid()) {
    tail_of(data_, handle_.bytes).is_alive.store(0, std::memory_order_release);
    {
      const std::lock_guard lock(registry().mutex);
      registry().made.erase(data_);
    }
    close_descriptor();
  }
  munmap(data_, file_bytes(handle_.bytes));
  data_ = nullptr;
}

SharedRegion::SharedRegion(SharedRegion&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      handle_(std::exchange(other.handle_, {})),
      is_maker_(std::exchange(other.is_maker_, false)),
      has_descriptor_(std::exchange(other.has_descriptor_, false)) {}

SharedRegion& SharedRegion::operator=(SharedRegion&& other) noexcept {
  if (this != &other) {
    release();
    data_ = std::exchange(other.data_, nullptr);
    handle_ = std::exchange(other.handle_, {});
    is_maker_ = std::exchange(other.is_maker_, false);
    has_descriptor_ = std::exchange(other.has_descriptor_, false);
  }
  return *this;
}

SharedRegion::~SharedRegion() { release(); }

bool SharedRegion::is_alive() const {
  return data_ != nullptr &&
         tail_of(data_, handle_.bytes).is_alive.load(std::memory_order_acquire) != 0;
}

std::optional<SharedRegion::Location> SharedRegion::containing(const void* address) {
  const auto* at = static_cast<const std::byte*>(address);
  const std::lock_guard lock(registry().mutex);
  auto next = registry().made.upper_bound(at);
  if (next == registry().made.begin()) return std::nullopt;
  const auto& [begin, handle] = *std::prev(next);
  const std::int64_t offset = at - begin;
  if (offset >= handle.bytes) return std::nullopt;
  return Location{handle, offset};
}

std::byte* SharedRegion::made_here(const SharedRegionHandle& handle) {
  const std::lock_guard lock(registry().mutex);
  for (const auto& [begin, known] : registry().made)
    if (known == handle) return begin;
  return nullptr;
}

}  // namespace weft
