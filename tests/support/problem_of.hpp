// support/problem_of: problems for tests, and the text of what is thrown.
#pragma once

#include <string>

#include "weft/base/ensure.hpp"
#include "weft/problem/validated.hpp"

namespace weft::test {

inline Problem of(const Extents& extents, Kind kind = Kind::c2c) {
  Problem problem;
  problem.extents = extents;
  problem.kind = kind;
  return problem;
}

/// The whole text of the error that `body` throws, "no error" if it throws none.
template <class Body>
std::string error_text(const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace weft::test
