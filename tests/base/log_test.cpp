// base/log: what WEFT_LOG asks for is written, and nothing else.

#include "weft/base/log.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "weft/base/ensure.hpp"

namespace weft {
namespace {

std::string written_for(const char* level) {
  if (level == nullptr)
    unsetenv("WEFT_LOG");
  else
    setenv("WEFT_LOG", level, 1);
  testing::internal::CaptureStderr();
  log_line(LogLevel::error, [] { return "e"; });
  log_line(LogLevel::warn, [] { return "w"; });
  log_line(LogLevel::info, [] { return "i"; });
  log_line(LogLevel::debug, [] { return "d1\nd2"; });
  return testing::internal::GetCapturedStderr();
}

TEST(Log, writes_what_is_as_important_as_the_level_or_more) {
  EXPECT_EQ(written_for("error"), "weft error: e\n");
  EXPECT_EQ(written_for("warn"), "weft error: e\nweft warn: w\n");
  EXPECT_EQ(written_for("info"), "weft error: e\nweft warn: w\nweft info: i\n");
  EXPECT_EQ(written_for("debug"),
            "weft error: e\nweft warn: w\nweft info: i\nweft debug: d1\nweft debug: d2\n");
}

TEST(Log, writes_warnings_where_nothing_is_asked_for) {
  EXPECT_EQ(written_for(nullptr), written_for("warn"));
  EXPECT_EQ(written_for(""), written_for("warn"));
}

TEST(Log, makes_no_text_that_is_not_asked_for) {
  setenv("WEFT_LOG", "info", 1);
  log_line(LogLevel::debug, []() -> std::string { throw Error(Error::bug, "made"); });
}

TEST(Log, refuses_another_word) {
  setenv("WEFT_LOG", "loud", 1);
  try {
    log_level();
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Error::invalid);
    EXPECT_EQ(error.message(), "WEFT_LOG is 'loud'");
    EXPECT_EQ(error.hint(), "one of: error, warn, info, debug");
  }
}

}  // namespace
}  // namespace weft
