// memory/shared_region: processes read what others write, and leave nothing behind.

#include "weft/memory/shared_region.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include "weft/base/ensure.hpp"

namespace weft {
namespace {

constexpr std::int64_t mebi = std::int64_t{1} << 20;

// Runs `body` in another process; its result is that process's exit status. A byte through `go`
// and one back let the two take turns.
class Child {
 public:
  explicit Child(const std::function<int(Child&)>& body) {
    EXPECT_EQ(pipe(down_.data()), 0);
    EXPECT_EQ(pipe(up_.data()), 0);
    process_ = fork();
    if (process_ == 0) _exit(body(*this));
  }
  ~Child() {
    for (const int end : {down_[0], down_[1], up_[0], up_[1]}) close(end);
  }
  void tell_child() { EXPECT_EQ(write(down_[1], "x", 1), 1); }
  void wait_for_child() { take(up_[0]); }
  void tell_parent() { EXPECT_EQ(write(up_[1], "x", 1), 1); }
  void wait_for_parent() { take(down_[0]); }
  int status() const {
    int status = 0;
    waitpid(process_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  static void take(int end) {
    char letter = 0;
    EXPECT_EQ(read(end, &letter, 1), 1);
  }
  std::array<int, 2> down_{}, up_{};
  pid_t process_ = 0;
};

Error error_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return error;
  }
  return {Error::bug, "nothing was thrown"};
}

// Entries of `folder`; other programs make names of their own, so only those count that begin with
// `start`. (Open MPI names a semaphore after a file that a test of weft's writes.)
std::set<std::string> names_in(const std::string& folder, const std::string& start = "") {
  std::set<std::string> names;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (const std::string name = entry.path().filename(); name.starts_with(start))
      names.insert(name);
  return names;
}

int lines_of_maps(const std::string& part) {
  std::ifstream maps("/proc/self/maps");
  int lines = 0;
  for (std::string line; std::getline(maps, line);)
    if (line.find(part) != std::string::npos) ++lines;
  return lines;
}

bool is_zero(const SharedRegion& region) {
  for (std::int64_t i = 0; i < region.bytes(); ++i)
    if (region.data()[i] != std::byte{0}) return false;
  return true;
}

TEST(SharedRegion, is_zeroed_whatever_its_size) {
  for (const std::int64_t bytes : {std::int64_t{1}, std::int64_t{4096}, std::int64_t{5000},
                                   2 * mebi, 4 * mebi, 9 * mebi + 7}) {
    const SharedRegion region(bytes);
    EXPECT_EQ(region.bytes(), bytes);
    EXPECT_TRUE(is_zero(region)) << bytes;
    const std::int64_t page = bytes < 2 * mebi ? 4096 : 2 * mebi;  // large ones have huge pages
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(region.data()) % page, 0U) << bytes;
    std::memset(region.data(), 1, static_cast<std::size_t>(bytes));
    EXPECT_TRUE(region.is_alive()) << "its own word is not among its bytes";
  }
}

TEST(SharedRegion, of_no_bytes_needs_no_memory) {
  const SharedRegion region(0), opened = SharedRegion::open(region.handle());
  EXPECT_EQ(region.data(), nullptr);
  EXPECT_EQ(opened.data(), nullptr);
  EXPECT_EQ(opened.bytes(), 0);
  EXPECT_FALSE(region.is_alive());
}

TEST(SharedRegion, opened_by_another_process_holds_what_either_writes) {
  const SharedRegion region(9 * mebi);
  region.data()[5] = std::byte{55};
  const Child child([&](Child&) {
    const SharedRegion opened = SharedRegion::open(region.handle());
    if (opened.data()[5] != std::byte{55} || opened.handle() != region.handle()) return 1;
    opened.data()[9 * mebi - 1] = std::byte{99};
    return 0;
  });
  EXPECT_EQ(child.status(), 0);
  EXPECT_EQ(region.data()[9 * mebi - 1], std::byte{99});
  EXPECT_TRUE(region.is_alive()) << "a child that ends lets go of nothing";
}

TEST(SharedRegion, made_in_a_child_is_opened_by_its_parent) {
  std::array<int, 2> pipe_ends{};
  ASSERT_EQ(pipe(pipe_ends.data()), 0);
  Child child([&](Child& self) {
    const SharedRegion made(3 * mebi);
    made.data()[7] = std::byte{77};
    const SharedRegionHandle& handle = made.handle();
    if (write(pipe_ends[1], &handle, sizeof(handle)) != sizeof(handle)) return 1;
    self.wait_for_parent();
    return 0;
  });
  SharedRegionHandle handle;
  ASSERT_EQ(read(pipe_ends[0], &handle, sizeof(handle)), static_cast<ssize_t>(sizeof(handle)));
  const SharedRegion opened = SharedRegion::open(handle);
  EXPECT_EQ(opened.data()[7], std::byte{77});
  child.tell_child();
  EXPECT_EQ(child.status(), 0);
  EXPECT_FALSE(opened.is_alive());
  EXPECT_EQ(opened.data()[7], std::byte{77}) << "a mapping outlives its maker";
  for (const int end : pipe_ends) close(end);
}

TEST(SharedRegion, shows_its_mappings_when_its_maker_releases_it) {
  auto region = std::make_unique<SharedRegion>(100);
  Child child([&](Child& self) {
    const SharedRegion opened = SharedRegion::open(region->handle());
    if (!opened.is_alive()) return 1;
    self.tell_parent();
    self.wait_for_parent();
    return opened.is_alive() ? 2 : 0;
  });
  child.wait_for_child();
  region.reset();
  child.tell_child();
  EXPECT_EQ(child.status(), 0);
}

TEST(SharedRegion, is_opened_a_second_time_in_its_own_process) {
  const SharedRegion region(100);
  const SharedRegion again = SharedRegion::open(region.handle());
  EXPECT_NE(again.data(), region.data());
  region.data()[0] = std::byte{3};
  EXPECT_EQ(again.data()[0], std::byte{3});
}

TEST(SharedRegion, is_found_by_any_address_in_it) {
  const SharedRegion other(100);
  SharedRegionHandle handle;
  const std::byte* data = nullptr;
  {
    const SharedRegion region(5000);
    handle = region.handle();
    data = region.data();
    EXPECT_EQ(SharedRegion::containing(data), (SharedRegion::Location{handle, 0}));
    EXPECT_EQ(SharedRegion::containing(data + 1234), (SharedRegion::Location{handle, 1234}));
    EXPECT_EQ(SharedRegion::containing(data + 4999), (SharedRegion::Location{handle, 4999}));
    EXPECT_EQ(SharedRegion::containing(data + 5000), std::nullopt);
    EXPECT_EQ(SharedRegion::containing(data - 1), std::nullopt);
    EXPECT_EQ(SharedRegion::containing(&handle), std::nullopt);
    EXPECT_EQ(SharedRegion::containing(nullptr), std::nullopt);
    EXPECT_EQ(SharedRegion::made_here(handle), data);
    const SharedRegion opened = SharedRegion::open(handle);
    EXPECT_EQ(SharedRegion::containing(opened.data()), std::nullopt) << "opened, not made";
  }
  EXPECT_EQ(SharedRegion::containing(data), std::nullopt);
  EXPECT_EQ(SharedRegion::made_here(handle), nullptr);
  EXPECT_EQ(SharedRegion::containing(other.data()), (SharedRegion::Location{other.handle(), 0}));
}

TEST(SharedRegion, keeps_its_memory_when_it_is_moved) {
  SharedRegion first(100);
  const SharedRegionHandle handle = first.handle();
  std::byte* data = first.data();
  SharedRegion second = std::move(first);
  EXPECT_EQ(second.data(), data);
  EXPECT_EQ(second.handle(), handle);
  EXPECT_EQ(first.data(), nullptr);  // NOLINT(bugprone-use-after-move): empty is what it must be
  EXPECT_EQ(first.bytes(), 0);
  EXPECT_FALSE(first.is_alive());
  EXPECT_EQ(SharedRegion::containing(data), (SharedRegion::Location{handle, 0}));
  SharedRegion third(200);
  const std::byte* replaced = third.data();
  third = std::move(second);
  EXPECT_EQ(third.data(), data);
  EXPECT_EQ(SharedRegion::containing(replaced), std::nullopt);
  EXPECT_TRUE(third.is_alive());
}

TEST(SharedRegion, numbers_are_never_used_twice) {
  std::set<std::int64_t> numbers;
  for (int i = 0; i < 100; ++i) numbers.insert(SharedRegion(10).handle().number);
  EXPECT_EQ(numbers.size(), 100U);
}

TEST(SharedRegion, of_an_impossible_size_is_an_error) {
  for (const std::int64_t bytes : {std::int64_t{1} << 45, std::int64_t{1} << 60, INT64_MAX}) {
    const Error error = error_of([&] { const SharedRegion region(bytes); });
    EXPECT_EQ(error.code(), Error::system);
    EXPECT_EQ(
        error.message().rfind(
            fmt::format("cannot allocate {} bytes of shared memory: the machine has ", bytes), 0),
        0U)
        << error.what();
    EXPECT_FALSE(error.hint().empty());
  }
}

TEST(SharedRegion, beyond_a_limit_of_the_system_is_an_error) {
  const Child child([](Child&) {
    const rlimit small{1 << 20, 1 << 20};
    setrlimit(RLIMIT_FSIZE, &small);
    const Error size = error_of([] { const SharedRegion region(2 * mebi); });
    if (size.message() !=
        "cannot allocate 2097152 bytes of shared memory: files are limited to 1048576 bytes")
      return 1;
    const rlimit none{0, 0};
    setrlimit(RLIMIT_NOFILE, &none);
    const Error files = error_of([] { const SharedRegion region(100); });
    if (files.message() != "cannot allocate 100 bytes of shared memory: Too many open files")
      return 2;
    return files.code() == Error::system && size.code() == Error::system ? 0 : 3;
  });
  EXPECT_EQ(child.status(), 0);
}

TEST(SharedRegion, that_does_not_exist_cannot_be_opened) {
  const auto refusal = [](const SharedRegionHandle& handle) {
    const Error error = error_of([&] { SharedRegion::open(handle); });
    EXPECT_EQ(error.code(), Error::unsupported) << error.what();
    EXPECT_FALSE(error.hint().empty());
    return error.message();
  };
  EXPECT_EQ(refusal({0x7ffffff, 3, 100, 1}),
            "cannot map the memory of process 134217727 (100 bytes, descriptor 3): No such "
            "file or directory");
  SharedRegionHandle gone;
  {
    const SharedRegion region(100);
    gone = region.handle();
    SharedRegionHandle wrong = gone;
    wrong.number += 1;
    EXPECT_EQ(refusal(wrong),
              fmt::format("cannot map the memory of process {} (100 bytes, descriptor {}): "
                          "the descriptor now belongs to another file",
                          getpid(), gone.descriptor));
  }
  refusal(gone);
  // The next region gets the same descriptor, which then means something else.
  const SharedRegion next(100);
  EXPECT_EQ(next.handle().descriptor, gone.descriptor);
  refusal(gone);
  refusal({getpid(), 0, 100, 1});
  refusal({getpid(), next.handle().descriptor, -100, next.handle().number});
  refusal({getpid(), next.handle().descriptor, INT64_MAX, next.handle().number});
}

TEST(SharedRegion, without_its_descriptor_stays_mapped_and_is_opened_by_nobody_else) {
  const auto descriptors = names_in("/proc/self/fd");
  SharedRegion region(100);
  const SharedRegion opened = SharedRegion::open(region.handle());
  region.close_descriptor();
  EXPECT_EQ(names_in("/proc/self/fd"), descriptors);
  region.data()[0] = std::byte{7};
  EXPECT_EQ(opened.data()[0], std::byte{7});
  EXPECT_TRUE(opened.is_alive());
  EXPECT_EQ(error_of([&] { SharedRegion::open(region.handle()); }).code(), Error::unsupported);
  // Another file gets the number of the descriptor, and must stay open.
  const SharedRegion next(100);
  EXPECT_EQ(next.handle().descriptor, region.handle().descriptor);
  region = SharedRegion();
  EXPECT_EQ(SharedRegion::open(next.handle()).handle(), next.handle());
  EXPECT_FALSE(opened.is_alive());
}

TEST(SharedRegion, leaves_no_name_and_no_descriptor_behind) {
  const auto descriptors = names_in("/proc/self/fd");
  EXPECT_TRUE(names_in("/dev/shm", "weft").empty());
  {
    const SharedRegion region(100);
    const SharedRegion opened = SharedRegion::open(region.handle());
    EXPECT_TRUE(names_in("/dev/shm", "weft").empty());
    EXPECT_EQ(names_in("/proc/self/fd").size(), descriptors.size() + 1);
    EXPECT_EQ(lines_of_maps("memfd:weft (deleted)"), 2);
    EXPECT_THROW(SharedRegion(INT64_MAX), Error);
  }
  EXPECT_TRUE(names_in("/dev/shm", "weft").empty());
  EXPECT_EQ(names_in("/proc/self/fd"), descriptors);
  EXPECT_EQ(lines_of_maps("memfd:weft"), 0);
}

}  // namespace
}  // namespace weft
