// capi/converted: what a program in C asks for, as values of C++.
// Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/any_ensemble.hpp"
#include "weft/capi/status.hpp"
#include "weft/halo.hpp"

namespace weft::capi {

/// A problem, and how to plan it.
struct Asked {
  Problem problem;
  Options options;
};

/// Error::invalid for what cannot be read; what is read, plans check.
Asked asked_of(const weft_problem* problem, const char* settings);
Options options_of_text(const char* settings);
Distribution distribution_of(const weft_distribution* from, int axes, std::int64_t batch);
EnsemblePolicy policy_of(const weft_policy* from, int instances);

/// A grid whose elements are moved.
struct AskedGrid {
  Extents extents;
  ElementSize element;
  Periodic periodic;
  bool in_place;
};
AskedGrid grid_of(const weft_grid* from);

/// A value of one of C's enumerations, which has `count` of them from 0 on. Error::invalid, naming
/// `what`, for other numbers.
int checked_value(int value, int count, const char* what);

}  // namespace weft::capi
