// base/text_file: small files are read whole, and nothing else is read, waited for or filled into
// memory.

#include "weft/base/text_file.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "weft/base/ensure.hpp"

using namespace weft;
using testing::HasSubstr;

namespace {

class TextFileHere : public testing::Test {
 protected:
  TextFileHere() {
    std::string name = std::filesystem::temp_directory_path() / "weft-text-XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~TextFileHere() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name = "file") const { return folder_ + "/" + name; }
  void write(const std::string& text) const { std::ofstream(path()) << text; }

  std::string folder_;
};

std::string error_of_reading(const std::string& path, std::int64_t most = 1000) {
  try {
    read_text_file(path, most, "give a file");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Error::io);
    EXPECT_EQ(error.hint(), "give a file");
    return error.message();
  }
  return "no error";
}

}  // namespace

TEST_F(TextFileHere, is_read_whole) {
  for (const std::string& text :
       {std::string(), std::string("a\n\0b", 4), std::string(1000, 'x')}) {
    write(text);
    EXPECT_EQ(read_text_file(path(), 1000, ""), text);
  }
  EXPECT_EQ(find_text_file(path("none"), 1000, ""), std::nullopt);
  EXPECT_EQ(error_of_reading(path("none")),
            fmt::format("cannot read '{}': No such file or directory", path("none")));
  EXPECT_THAT(error_of_reading(path("file/none")), HasSubstr("Not a directory"));
}

TEST_F(TextFileHere, of_the_kernel_is_read_though_it_has_0_bytes_by_its_size) {
  EXPECT_THAT(read_text_file("/proc/self/status", 1 << 20, ""), HasSubstr("\nThreads:"));
}

TEST_F(TextFileHere, is_no_folder_pipe_or_device) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("pipe", path("link"));
  for (const std::string& other : {folder_, path("pipe"), path("link"), std::string("/dev/zero")})
    EXPECT_EQ(error_of_reading(other), fmt::format("'{}' is no file", other));
}

TEST_F(TextFileHere, that_is_too_large_is_not_read) {
  write(std::string(1001, 'x'));
  EXPECT_EQ(error_of_reading(path()), fmt::format("'{}' has more than 1000 bytes", path()));
  std::filesystem::resize_file(path(), std::uintmax_t{1} << 40);  // without blocks on the disk
  EXPECT_THAT(error_of_reading(path()), HasSubstr("has more than 1000 bytes"));
  EXPECT_THAT(error_of_reading("/proc/self/smaps"), HasSubstr("has more than 1000 bytes"));
}

TEST_F(TextFileHere, has_another_stamp_when_it_is_another_or_changes) {
  EXPECT_EQ(stamp_of(path()), std::nullopt);
  write("a");
  const auto before = stamp_of(path());
  ASSERT_TRUE(before);
  EXPECT_EQ(stamp_of(path()), before);
  write("ab");
  EXPECT_NE(stamp_of(path()), before);
  // Times and size as before, in another file.
  const auto old = stamp_of(path());
  std::filesystem::rename(path(), path("old"));
  std::filesystem::copy(path("old"), path());
  std::filesystem::last_write_time(path(), std::filesystem::last_write_time(path("old")));
  EXPECT_EQ(stamp_of(path())->modified_ns, old->modified_ns);
  EXPECT_NE(stamp_of(path()), old);
}
