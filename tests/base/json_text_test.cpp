// base/json_text: what no program writes for weft is an error, soon.

#include "weft/base/json_text.hpp"

#include <gmock/gmock.h>

#include "weft/base/ensure.hpp"

using namespace weft;
using testing::HasSubstr;

namespace {

std::string error_of_json(const std::string& text) {
  try {
    parse_json(text, "write another");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Error::invalid);
    EXPECT_EQ(error.hint(), "write another");
    return error.message();
  }
  return "no error";
}

std::string nested(const std::string& open, const std::string& close, int levels) {
  std::string text;
  for (int i = 0; i < levels; ++i) text += open;
  for (int i = 0; i < levels; ++i) text += close;
  return text;
}

std::string object_of(int members) {
  std::string text = "{";
  for (int i = 0; i < members; ++i) text += fmt::format("{}\"{}\": {}", i == 0 ? "" : ",", i, i);
  return text + "}";
}

}  // namespace

TEST(JsonText, is_read) {
  EXPECT_EQ(parse_json(R"({"a": [1, "x"], "b": {}})", ""),
            (Json{{"a", {1, "x"}}, {"b", Json::object()}}));
}

TEST(JsonText, of_many_levels_is_refused_before_it_takes_the_stack) {
  EXPECT_NO_THROW(parse_json(nested("[", "]", 8), ""));
  for (const int levels : {9, 1'000'000}) {
    EXPECT_EQ(error_of_json(nested("[", "]", levels)), "the file has more than 8 levels");
    EXPECT_EQ(error_of_json(nested("{\"a\":", "}", levels)), "the file has more than 8 levels");
    EXPECT_EQ(error_of_json(nested("[", "", levels)), "the file has more than 8 levels");
  }
}

TEST(JsonText, counts_no_levels_in_texts_and_of_what_is_beside_it) {
  EXPECT_NO_THROW(parse_json(R"({"[[[[[[[[[[": "{{{{\"{{{{{{\\"})", ""));
  std::string row = "[[]";
  for (int i = 0; i < 1000; ++i) row += ",[]";
  EXPECT_NO_THROW(parse_json(row + "]", ""));
}

TEST(JsonText, of_objects_of_many_members_is_refused) {
  EXPECT_NO_THROW(parse_json("[" + object_of(100) + "," + object_of(100) + "]", ""));
  for (const int members : {101, 1'000'000})
    EXPECT_EQ(error_of_json(object_of(members)), "the file has an object of more than 100 members");
}

TEST(JsonText, that_is_none_is_told_with_the_place_and_in_few_letters) {
  EXPECT_THAT(error_of_json("{\"a\" 1}"),
              HasSubstr("the file is no JSON: parse error at line 1, column 6"));
  EXPECT_THAT(error_of_json("\xc3\xbfx"), HasSubstr("last read: '\\xc3'"));
  EXPECT_LT(error_of_json("[\"" + std::string(1 << 20, 'x')).size(), 400U);
  EXPECT_THAT(error_of_json("]]]]"), HasSubstr("no JSON"));
}

TEST(JsonText, is_written_in_UTF_8) {
  EXPECT_EQ(json_text(Json{{"a", "\xc3"}}, 0), "{\n\"a\": \"\ufffd\"\n}");
}
