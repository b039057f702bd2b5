// support/subject: a plan with a field that nobody else has, and what a run of it must give.
#pragma once

#include <cmath>
#include <complex>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weft/weft.hpp"

namespace weft::test {

using ComplexPlan = Plan<std::complex<double>, std::complex<double>>;

/// A plan, a field, and the transform of it that a blocking run makes. Collective.
struct Subject {
  explicit Subject(const Options& options, double seed = 1, MPI_Comm comm = MPI_COMM_WORLD)
      : plan(comm, c2c({12, 10, 9}), options),
        u(plan.make_input()),
        v(plan.make_output()),
        expected(plan.make_output()) {
    for (auto [at, x] : u.points())
      x = {std::sin(seed * static_cast<double>(1 + at[0] * 7 + at[1])),
           std::cos(seed * static_cast<double>(at[2] - at[0]))};
    plan.forward(u, expected);
  }
  double difference() { return max_abs_difference(v, expected); }

  ComplexPlan plan;
  Field<std::complex<double>> u, v, expected;
};

/// Keeps what is given until the process ends, as MPI may still write to the arrays of a run that
/// has failed. Copies of fields are handles to the same memory.
template <class... Kept>
void never_free(Kept... kept) {
  static auto& all = *new std::vector<std::shared_ptr<void>>;
  (all.push_back(std::make_shared<Kept>(std::move(kept))), ...);
}

/// What `body` throws.
template <class Body>
std::string message_thrown_by(const Body& body) {
  try {
    body();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace weft::test
