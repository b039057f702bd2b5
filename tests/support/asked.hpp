// support/asked: makes plans for tests, and catches the errors of those that cannot be made.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "support/problem_of.hpp"
#include "weft/any_plan.hpp"
#include "weft/faces/plan_access.hpp"

namespace weft::test {

/// What the plan points to.
inline const PlanBody& body_of(const AnyPlan& plan) { return PlanAccess::body(plan); }

/// One thread, and nothing is measured.
inline Options quick() {
  Options options;
  options.effort = Effort::estimate;
  options.threads = 1;
  return options;
}

inline Options in_chunks(const std::string& exchange, int chunks, int in_flight = 1) {
  Options options = quick();
  options.exchange = exchange;
  options.chunks = chunks;
  options.in_flight = in_flight;
  return options;
}

/// Collective over all ranks.
inline std::string planning_error(const Problem& problem, const Options& options = {}) {
  try {
    AnyPlan plan(MPI_COMM_WORLD, problem, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// The bytes that all ranks send in a forward run. Collective over all ranks.
inline std::int64_t bytes_sent(const AnyPlan& plan) {
  std::int64_t mine = 0, all = 0;
  for (const StageReport& stage : plan.report().forward.stages) mine += stage.bytes;
  MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

inline void expect_error(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

}  // namespace weft::test
