// support/chosen_file: a program has the tests of several files; --file chooses those of one.
// Keeps: what is chosen exists, and no two tests have the same name, so that each of them runs.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <set>
#include <string>
#include <string_view>

namespace weft::test {

/// Lets only the tests of the file run that an argument `--file=NAME_test.cpp` of main() names, if
/// there is one. Call it after InitGoogleTest. Returns false, with a message, if the file has no
/// tests, or if two tests of the program have the same name.
inline bool choose_file(int argc, char** argv) {
  constexpr std::string_view option = "--file=";
  std::string_view file;
  for (int i = 1; i < argc; ++i)
    if (const std::string_view argument = argv[i]; argument.starts_with(option))
      file = argument.substr(option.size());
  std::set<std::string> names;
  std::string chosen;
  const auto& program = *::testing::UnitTest::GetInstance();
  for (int s = 0; s < program.total_test_suite_count(); ++s) {
    const auto& suite = *program.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      const auto& test = *suite.GetTestInfo(t);
      const std::string name = std::string(suite.name()) + "." + test.name();
      if (!names.insert(name).second) {
        std::fprintf(stderr, "two tests of this program are called %s\n", name.c_str());
        return false;
      }
      if (std::string_view(test.file()).ends_with("/" + std::string(file))) chosen += name + ":";
    }
  }
  if (file.empty()) return true;
  if (chosen.empty())
    std::fprintf(stderr, "no test of this program is in a file %s\n", std::string(file).c_str());
  // gtest's own option comes first where it names tests, which may be of any file; one that only
  // leaves tests out, as "-A.b:C.d", leaves them out of the file.
  else if (const std::string asked = GTEST_FLAG_GET(filter); asked == "*" || asked.starts_with('-'))
    GTEST_FLAG_SET(filter, chosen + (asked == "*" ? "" : asked));
  return !chosen.empty();
}

}  // namespace weft::test
