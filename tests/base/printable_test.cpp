// base/printable: nothing that is printed steers a terminal, and everything is UTF-8.

#include "weft/base/printable.hpp"

#include <gmock/gmock.h>

#include "weft/base/ensure.hpp"
#include "weft/base/error_record.hpp"

using namespace weft;
using testing::HasSubstr;

TEST(Printable, leaves_text_as_it_is) {
  for (const char* text :
       {"", "fftw | from 2x1x1", "caf\u00e9 \u221a\U0001F600 \"quoted\" \\u001b"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, escapes_what_steers_a_terminal) {
  EXPECT_EQ(printable("\x1b[31mred\x07"), "\\u001b[31mred\\u0007");
  EXPECT_EQ(printable("a\nb\tc\rd\x7f"), "a\\u000ab\\u0009c\\u000dd\\u007f");
  EXPECT_EQ(printable("\u009b31m \u202e \u2028"), "\\u009b31m \\u202e \\u2028") << "CSI in one";
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\u0000b");
}

TEST(Printable, escapes_bytes_that_are_no_character) {
  EXPECT_EQ(printable("\xc3"), "\\xc3") << "half a character";
  EXPECT_EQ(printable("\xc3x\xff"), "\\xc3x\\xff");
  EXPECT_EQ(printable("\xc0\x80"), "\\xc0\\x80") << "zero in two bytes";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half of a pair of UTF-16";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond Unicode";
  EXPECT_EQ(printable("\xe2\x88"), "\\xe2\\x88");
}

TEST(Printable, keeps_line_breaks_of_a_text_of_several_lines) {
  EXPECT_EQ(printable_lines("a\n\tb\x1b\r"), "a\n\tb\\u001b\\u000d");
}

TEST(Printable, leaves_out_the_middle_of_what_is_too_long) {
  EXPECT_EQ(printable(std::string(40, 'a') + "z", 40), std::string(25, 'a') + " ... aaaaaaaaaz");
  for (std::size_t most = 20; most < 60; ++most) {
    std::string letters;
    for (int i = 0; i < 100; ++i) letters += "\u221a";
    const std::string shown = printable(letters, most);
    EXPECT_LE(shown.size(), most);
    EXPECT_GT(shown.size() + 6, most);
    EXPECT_EQ(shown, printable(shown)) << "no half of a character is left";
  }
}

TEST(Printable, is_what_errors_say) {
  Error error(Error::invalid, "the name is '\x1b[31m\nred\xc3'", "write \x07");
  error.add_context("reading '\x1b'");
  EXPECT_STREQ(error.what(),
               "weft: the name is '\\u001b[31m\\u000ared\\xc3'\n  while: reading '\\u001b'\n"
               "  try:   write \\u0007");
  const Error again = ErrorRecord(error).error();
  EXPECT_STREQ(again.what(), error.what());
}

TEST(Printable, of_errors_with_megabytes_keeps_what_is_wrong) {
  const std::string name(1 << 20, 'x');
  const Error error(Error::invalid, fmt::format("'{}' is no name", name), name);
  EXPECT_LT(std::string(error.what()).size(), 4096U);
  EXPECT_THAT(error.message(), HasSubstr("xxx' is no name"));
  EXPECT_EQ(ErrorRecord(error).error().message(), error.message()) << "on all ranks alike";
}

TEST(Printable, is_what_an_exception_of_another_library_says) {
  std::string text(5000, 'x');
  for (std::size_t i = 0; i < text.size(); i += 2) text.replace(i, 2, "\xc3\xa9");
  for (const std::string& start : {std::string(), std::string("x")}) {
    const ErrorRecord record = record_of([&] { throw std::runtime_error(start + text); });
    EXPECT_THAT(record.error().message(), testing::Not(HasSubstr("\\x")));
  }
}
