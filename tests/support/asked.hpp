// support/asked: makes plans for tests, and catches the errors of those that cannot be made.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "weft/plan/plan_body.hpp"

namespace weft::test {

inline Problem of(const Extents& extents, Kind kind = Kind::c2c) {
  Problem problem;
  problem.extents = extents;
  problem.kind = kind;
  return problem;
}

/// One thread, and nothing is measured.
inline Options quick() {
  Options options;
  options.effort = Effort::estimate;
  options.threads = 1;
  return options;
}

/// Collective over all ranks.
inline std::string error_of(const Problem& problem, const Options& options = {}) {
  try {
    AnyPlan plan(MPI_COMM_WORLD, problem, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

inline void expect_error(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

}  // namespace weft::test
