// compat/fftmpi/cases: what both precisions of the program have in common.
#pragma once

#include <mpi.h>

#include <cstdio>
#include <string>

/// The errors that were found, and where. A program ends with 1 if any rank found one.
struct Findings {
  int rank = 0, ranks = 1, wrong = 0, checks = 0;

  void expect(bool is_right, const std::string& what) {
    ++checks;
    if (is_right) return;
    if (++wrong <= 5) std::printf("rank %d of %d: %s\n", rank, ranks, what.c_str());
  }
  void expect_near(double found, double wanted, double tolerance, const std::string& what) {
    const double off = found > wanted ? found - wanted : wanted - found;
    expect(off <= tolerance,
           what + ": " + std::to_string(found) + " instead of " + std::to_string(wanted));
  }
};

void check_double(Findings& findings);
void check_single(Findings& findings);
