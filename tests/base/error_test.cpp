// base/ensure: the text of messages.

#include "weft/base/ensure.hpp"

#include <gtest/gtest.h>

#include "weft/base/table.hpp"

using namespace weft;

TEST(Error, says_what_happened_and_what_to_try) {
  const Error error(Error::invalid, "axis 5 is out of range", "axes are 0 to 2");
  EXPECT_STREQ(error.what(), "weft: axis 5 is out of range\n  try:   axes are 0 to 2");
}

TEST(Error, shows_the_innermost_context) {
  const auto fails = [] { throw Error(Error::invalid, "no", "yes"); };
  try {
    with_context([] { return std::string("outer"); },
                 [&] { with_context([] { return std::string("inner"); }, fails); });
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "weft: no\n  while: inner\n  try:   yes");
  }
}

TEST(Ensure, prints_the_values_and_where) {
  try {
    ensure(1 > 2, 42, "boxes");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Error::bug);
    EXPECT_NE(error.message().find("error_test.cpp"), std::string::npos);
    EXPECT_NE(error.message().find("42 boxes"), std::string::npos);
  }
}

TEST(Table, lists_its_entries_and_the_reasons_why_others_do_not_apply) {
  struct Entry {
    std::string name;
    bool good;
  };
  const std::vector<Entry> table{{"a", true}, {"b", false}, {"c", true}};
  const auto reason = [](const Entry& entry) {
    return entry.good ? std::nullopt : std::optional<std::string>("it is broken");
  };
  EXPECT_EQ(find_entry(table, "c", "engine", reason).name, "c");
  EXPECT_EQ(find_entry(table, "", "engine", reason).name, "a");
  try {
    find_entry(table, "d", "engine", reason);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "weft: there is no engine 'd'\n  try:   one of: a, c; b does not apply: it is broken");
  }
  try {
    find_entry(table, "b", "engine", reason);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "weft: the engine 'b' does not apply: it is broken\n  try:   "
                 "`weft engines` lists the ones that apply");
  }
}
