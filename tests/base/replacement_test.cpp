// base/replacement: a file that nobody else can read before it is complete, and that leaves nothing
// behind when it is not.

#include "weft/base/replacement.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "weft/base/ensure.hpp"

using namespace weft;
using testing::HasSubstr;

namespace {

class ReplacementFile : public testing::Test {
 protected:
  ReplacementFile() {
    std::string name = std::filesystem::temp_directory_path() / "weft-replacement-XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~ReplacementFile() override {
    umask(mask_);
    std::filesystem::remove_all(folder_);
  }

  std::string path(const std::string& name = "file") const { return folder_ + "/" + name; }
  void write(const std::string& text, mode_t mode) const {
    std::ofstream(path()) << text;
    ASSERT_EQ(chmod(path().c_str(), mode), 0);
  }
  std::string content(const std::string& name = "file") const {
    std::ostringstream all;
    all << std::ifstream(path(name)).rdbuf();
    return all.str();
  }
  static mode_t mode_of(const std::string& path) {
    struct stat about {};
    EXPECT_EQ(lstat(path.c_str(), &about), 0) << path;
    return about.st_mode & 07777;
  }
  int files() const {
    int count = 0;
    for (const auto& each : std::filesystem::directory_iterator(folder_)) count += each.exists();
    return count;
  }

  const mode_t mask_ = umask(0);  // which takes nothing from the modes that weft asks for
  std::string folder_;
};

}  // namespace

TEST_F(ReplacementFile, is_its_owners_alone_until_it_has_the_mode_of_the_old_one) {
  for (const mode_t mode : {0600U, 0640U, 0666U}) {
    write("old", mode);
    Replacement file(path(), "");
    EXPECT_EQ(mode_of(file.temporary_path()), 0600U);
    file.write("ne");
    file.write("w");
    EXPECT_EQ(mode_of(file.temporary_path()), 0600U);
    EXPECT_EQ(content(), "old");
    file.publish();
    EXPECT_EQ(mode_of(path()), mode);
    EXPECT_EQ(content(), "new");
  }
}

TEST_F(ReplacementFile, of_none_gets_the_mode_of_new_files) {
  for (const mode_t mask : {0U, 022U, 077U}) {
    std::filesystem::remove(path());
    umask(mask);
    Replacement file(path(), "");
    EXPECT_EQ(mode_of(file.temporary_path()), 0600U);
    file.publish();
    EXPECT_EQ(mode_of(path()), 0666U & ~mask);
    EXPECT_EQ(umask(mask), mask) << "the mask of the process is left alone";
  }
}

TEST_F(ReplacementFile, leaves_nothing_unless_it_is_published) {
  write("old", 0644);
  { Replacement(path(), "").write("half"); }
  EXPECT_EQ(content(), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(ReplacementFile, replaces_the_file_behind_symbolic_links) {
  std::filesystem::create_symlink("file", path("link"));
  std::filesystem::create_symlink(path("link"), path("other"));
  Replacement file(path("other"), "");
  file.write("new");
  file.publish();
  EXPECT_EQ(content("file"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(path("other")));
  std::filesystem::create_symlink("circle", path("circle"));
  EXPECT_THROW(Replacement(path("circle"), ""), Error);
}

TEST_F(ReplacementFile, opens_no_file_or_link_that_has_its_name_already) {
  const std::string first = path(fmt::format(".weft-{}-0-file", getpid()));
  const std::string second = path(fmt::format(".weft-{}-1-file", getpid()));
  std::ofstream(first) << "of another";
  std::filesystem::create_symlink("victim", second);
  Replacement file(path(), "");
  file.write("new");
  file.publish();
  EXPECT_EQ(content(std::filesystem::path(first).filename()), "of another");
  EXPECT_FALSE(std::filesystem::exists(path("victim")));
  EXPECT_EQ(content(), "new");
}

TEST_F(ReplacementFile, that_cannot_be_made_says_why_and_what_to_try) {
  try {
    Replacement(path("nowhere/file"), "choose another path");
    FAIL() << "there is no such folder";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Error::io);
    EXPECT_THAT(error.what(), HasSubstr("nowhere/file': No such file or directory"));
    EXPECT_EQ(error.hint(), "choose another path");
  }
}
