// choose/wisdom_file: processes that write at once lose nothing, and files that cannot be read
// stay.

#include "weft/choose/wisdom_file.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "weft/error.hpp"

using namespace weft;
using testing::HasSubstr;

namespace {

class WisdomFile : public testing::Test {
 protected:
  WisdomFile() {
    std::string name = std::filesystem::temp_directory_path() / "weft-wisdom-XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~WisdomFile() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name = "wisdom.json") const { return folder_ + "/" + name; }
  std::string content() const {
    std::ostringstream all;
    all << std::ifstream(path()).rdbuf();
    return all.str();
  }
  void write(const std::string& text) const { std::ofstream(path()) << text; }
  std::string error_of_reading(const std::string& file) const {
    try {
      read_wisdom(file);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
  static std::string error_of_changing(const std::string& file) {
    try {
      require_changeable(file);
    } catch (const Error& error) {
      EXPECT_THROW(learn(file, 1), Error) << "it is told before";
      return error.what();
    }
    return "no error";
  }

  static WisdomEntry entry_of(int number) {
    WisdomEntry entry;
    entry.key.problem = "problem " + std::to_string(number);
    entry.strategy = "weft | from 1x1x1 | fft 2,1,0";
    entry.tuned_at = "2026-01-31T12:00:00Z";
    return entry;
  }
  static void learn(const std::string& path, int number) {
    change_wisdom(path, [&](Wisdom& wisdom) { wisdom.learn(entry_of(number)); });
  }

  std::string folder_;
};

}  // namespace

TEST_F(WisdomFile, holds_what_was_learned) {
  EXPECT_TRUE(read_wisdom(path()).entries().empty()) << "there is no file yet";
  learn(path("new/folders/wisdom.json"), 1);
  learn(path("new/folders/wisdom.json"), 2);
  const Wisdom wisdom = read_wisdom(path("new/folders/wisdom.json"));
  ASSERT_EQ(wisdom.entries().size(), 2U);
  EXPECT_EQ(wisdom.entries().back(), entry_of(2));
}

TEST_F(WisdomFile, loses_nothing_of_16_processes_that_write_at_once) {
  constexpr int processes = 16, each = 12;
  for (int process = 0; process < processes; ++process) {
    if (fork() != 0) continue;
    int status = 0;
    try {
      for (int i = 0; i < each; ++i) learn(path(), each * process + i);
    } catch (...) {
      status = 1;
    }
    _exit(status);
  }
  for (int process = 0; process < processes; ++process) {
    int status = -1;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
  const Wisdom wisdom = read_wisdom(path());
  EXPECT_EQ(wisdom.entries().size(), std::size_t{processes * each});
  for (int i = 0; i < processes * each; ++i) EXPECT_NE(wisdom.find(entry_of(i).key), nullptr) << i;
}

TEST_F(WisdomFile, is_never_seen_half_written) {
  learn(path(), 0);
  const pid_t writer = fork();
  if (writer == 0) {
    for (int i = 1; i < 200; ++i) learn(path(), i);
    _exit(0);
  }
  std::size_t before = 0;
  int status = 0;
  while (waitpid(writer, &status, WNOHANG) == 0) {
    const std::size_t now = read_wisdom(path()).entries().size();
    EXPECT_GE(now, before);
    before = now;
  }
  EXPECT_EQ(status, 0);
}

TEST_F(WisdomFile, stays_where_it_cannot_be_read) {
  learn(path(), 0);
  const std::string whole = content();
  const std::string damaged[] = {whole.substr(0, whole.size() / 2), "not JSON", "{\"a\": 1}",
                                 "{\"weft_wisdom\": 3, \"entries\": []}"};
  for (const std::string& text : damaged) {
    write(text);
    EXPECT_THROW(learn(path(), 1), Error) << text;
    EXPECT_EQ(content(), text);
    EXPECT_THAT(error_of_reading(path()), HasSubstr(path())) << "the message names the file";
  }
}

TEST_F(WisdomFile, that_is_empty_knows_nothing) {
  write("");
  EXPECT_TRUE(read_wisdom(path()).entries().empty());
}

TEST_F(WisdomFile, that_is_none_is_an_error) {
  EXPECT_THAT(error_of_reading(folder_), HasSubstr("is no file"));
  ASSERT_EQ(mkfifo(path("fifo").c_str(), 0600), 0);
  EXPECT_THAT(error_of_reading(path("fifo")), HasSubstr("is no file"));
  EXPECT_THAT(error_of_reading("/dev/zero"), HasSubstr("is no file"));
  EXPECT_THROW(learn(path("fifo"), 1), Error);
  EXPECT_FALSE(std::filesystem::exists(path("fifo.lock")));
  EXPECT_THROW(learn(path("fifo") + "/wisdom.json", 1), Error);
  EXPECT_THROW(learn("/proc/wisdom.json", 1), Error);
}

TEST_F(WisdomFile, behind_a_symbolic_link_is_the_one_that_changes) {
  learn(path("real.json"), 1);
  std::filesystem::create_symlink("real.json", path("link.json"));
  learn(path("link.json"), 2);
  EXPECT_TRUE(std::filesystem::is_symlink(path("link.json")));
  EXPECT_EQ(read_wisdom(path("real.json")).entries().size(), 2U);
}

TEST_F(WisdomFile, behind_a_link_to_no_file_is_made_where_the_link_leads) {
  std::filesystem::create_symlink("real.json", path("link.json"));
  learn(path("link.json"), 1);
  EXPECT_TRUE(std::filesystem::is_symlink(path("link.json")));
  EXPECT_EQ(read_wisdom(path("real.json")).entries().size(), 1U);
}

TEST_F(WisdomFile, keeps_its_mode) {
  learn(path(), 1);
  ASSERT_EQ(chmod(path().c_str(), 0640), 0);
  learn(path(), 2);
  EXPECT_EQ(std::filesystem::status(path()).permissions(), std::filesystem::perms{0640});
}

TEST_F(WisdomFile, of_a_writer_that_was_killed_is_no_obstacle) {
  learn(path(), 1);
  const std::string half = path(fmt::format(".weft-{}-0-wisdom.json", getpid()));
  std::ofstream(half) << "half of a fi";
  learn(path(), 2);
  EXPECT_EQ(read_wisdom(path()).entries().size(), 2U);
  // It may be what another process writes at the same time.
  EXPECT_TRUE(std::filesystem::exists(half));
}

TEST_F(WisdomFile, is_the_one_that_the_environment_names) {
  setenv("WEFT_WISDOM", path().c_str(), 1);
  EXPECT_EQ(wisdom_path(), path());
  setenv("WEFT_WISDOM", "", 1);
  EXPECT_EQ(wisdom_path(), "");
  unsetenv("WEFT_WISDOM");
  EXPECT_THAT(wisdom_path(), testing::EndsWith("/.cache/weft/wisdom.json"));
}

TEST_F(WisdomFile, is_read_once_while_it_stays_the_same) {
  using namespace std::chrono_literals;
  EXPECT_TRUE(known_wisdom(path())->entries().empty()) << "there is no file yet";
  const auto age = [&] {  // files that have just changed may be changing
    std::filesystem::last_write_time(path(), std::filesystem::last_write_time(path()) - 1h);
  };
  learn(path(), 1);
  age();
  const auto first = known_wisdom(path());
  EXPECT_EQ(first->entries().size(), 1U);
  EXPECT_EQ(known_wisdom(path()), first);
  learn(path(), 2);
  EXPECT_EQ(known_wisdom(path())->entries().size(), 2U) << "also where it has just changed";
  age();
  const auto second = known_wisdom(path());
  EXPECT_EQ(second->entries().size(), 2U);
  EXPECT_EQ(known_wisdom(path()), second);
  write("{");
  age();
  for (int i = 0; i < 2; ++i) EXPECT_THROW(known_wisdom(path()), Error);
  std::filesystem::remove(path());
  EXPECT_TRUE(known_wisdom(path())->entries().empty());
}

TEST_F(WisdomFile, has_a_lock_that_no_other_user_can_take) {
  const mode_t mask = umask(0);
  learn(path(), 1);
  umask(mask);
  const auto mode = [&] { return std::filesystem::status(path("wisdom.json.lock")).permissions(); };
  EXPECT_EQ(mode(), std::filesystem::perms{0600});
  ASSERT_EQ(chmod(path("wisdom.json.lock").c_str(), 0644), 0);  // as older versions made it
  require_changeable(path());
  EXPECT_EQ(mode(), std::filesystem::perms{0600});
}

TEST_F(WisdomFile, has_no_lock_behind_a_link_and_none_that_is_something_else) {
  const std::string lock = path("wisdom.json.lock");
  std::ofstream(path("victim")) << "of another";
  std::filesystem::create_symlink("victim", lock);
  EXPECT_THAT(error_of_changing(path()), HasSubstr("it is a symbolic link"));
  std::filesystem::remove(lock);
  std::filesystem::create_symlink("nothing", lock);
  EXPECT_THAT(error_of_changing(path()), HasSubstr("it is a symbolic link"));
  EXPECT_FALSE(std::filesystem::exists(path("nothing")));
  std::filesystem::remove(lock);
  std::filesystem::create_hard_link(path("victim"), lock);
  EXPECT_THAT(error_of_changing(path()), HasSubstr("it is no file of its own"));
  std::filesystem::remove(lock);
  ASSERT_EQ(mkfifo(lock.c_str(), 0600), 0);
  EXPECT_THAT(error_of_changing(path()), HasSubstr("it is no file of its own"));
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(WisdomFile, that_cannot_be_changed_is_told_before_there_is_anything_to_learn) {
  require_changeable(path("new/wisdom.json"));
  EXPECT_FALSE(std::filesystem::exists(path("new/wisdom.json")));
  learn(path(), 1);
  require_changeable(path());
  EXPECT_EQ(read_wisdom(path()).entries().size(), 1U);
  ASSERT_EQ(chmod(path().c_str(), 0444), 0);
  EXPECT_THAT(error_of_changing(path()), HasSubstr("it is read-only"));
  ASSERT_EQ(chmod(path().c_str(), 0644), 0);
  write("{");
  EXPECT_THAT(error_of_changing(path()), HasSubstr("is no JSON"));
  EXPECT_THAT(error_of_changing("/proc/weft/wisdom.json"), HasSubstr("/proc/weft"));
  EXPECT_THAT(error_of_changing(folder_), HasSubstr("it is no file"));
  for (const auto& each : std::filesystem::directory_iterator(folder_))
    EXPECT_FALSE(each.path().filename().string().starts_with(".weft-")) << "nothing is left";
}

TEST_F(WisdomFile, of_many_levels_is_told_and_left_alone) {
  const std::string deep = "{\"weft_wisdom\": 2, \"entries\": " + std::string(100'000, '[') +
                           std::string(100'000, ']') + "}";
  write(deep);
  EXPECT_THAT(error_of_reading(path()), HasSubstr("more than 8 levels"));
  EXPECT_EQ(content(), deep);
}
